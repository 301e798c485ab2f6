import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';

/** All bytes of a file and of its inflated streams, object streams included, as Latin-1. */
export function everythingIn(bytes: Uint8Array): string {
  const file = Buffer.from(bytes);
  const texts = [file.toString('latin1')];
  for (const { index, 0: keyword } of (texts[0] ?? '').matchAll(/(?<!end)stream\r?\n/g)) {
    try {
      texts.push(inflateSync(file.subarray(index + keyword.length)).toString('latin1'));
    } catch {
      // Not deflated: its bytes are in the file as they are.
    }
  }
  return texts.join('\n');
}

/** The faults that qpdf reports; empty if there are none, or if qpdf is not installed. */
export async function qpdfCheck(bytes: Uint8Array): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-look-'));
  try {
    await writeFile(join(folder, 'a.pdf'), bytes);
    const { status, stdout, stderr } = spawnSync('qpdf', ['--check', join(folder, 'a.pdf')], { encoding: 'utf8' });
    return status === 0 || status === null ? '' : `${stdout}${stderr}`;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
