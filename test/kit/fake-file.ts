import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ConcreteKind, type DocumentFile, kindInfo, sniffKind } from '@quire/registry';
import { scratchFolder } from './scratch-folder.js';

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
  const path = join(scratchFolder(), `${++count}`);
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
