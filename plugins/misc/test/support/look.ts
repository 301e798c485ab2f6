import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { PDFDocument, PDFRawStream } from 'pdf-lib';

/** All bytes of a file and of its inflated streams, as Latin-1. */
export async function everythingIn(bytes: Uint8Array): Promise<string> {
  const { context } = await PDFDocument.load(bytes, { updateMetadata: false });
  const texts = [Buffer.from(bytes).toString('latin1')];
  for (const [, object] of context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFRawStream)) continue;
    try {
      texts.push(inflateSync(object.contents).toString('latin1'));
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
