import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConcreteKind, type DocumentFile, kindInfo, sniffKind } from '@quire/registry';

let folder: string | undefined;
let count = 0;

/**
 * A file as an operation receives it, for tests without a server. It is in a temporary folder that is removed when the
 * process ends.
 */
export function fakeFile(
  name: string,
  bytes: Uint8Array,
  kind: ConcreteKind = sniffKind(bytes.subarray(0, 1024), name) ?? 'bin',
): DocumentFile {
  const path = join(scratch(), `${++count}`);
  writeFileSync(path, bytes);
  return Object.freeze({
    name,
    kind,
    mediaType: kindInfo(kind).mediaType,
    size: bytes.length,
    path: () => path,
    bytes: async () => new Uint8Array(await readFile(path)),
  });
}

function scratch(): string {
  if (folder === undefined) {
    const made = mkdtempSync(join(tmpdir(), 'quire-kit-'));
    process.once('exit', () => rmSync(made, { recursive: true, force: true }));
    folder = made;
  }
  return folder;
}
