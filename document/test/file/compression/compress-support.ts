import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Compressed, type CompressOptions, compressFile } from '../../../file/compression/index.js';

/** Compresses through files; nothing else may be left in their folder. */
export async function compressPdf(
  bytes: Uint8Array,
  options: CompressOptions,
): Promise<Compressed & { readonly bytes: Uint8Array }> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-compress-'));
  try {
    await writeFile(join(folder, 'in.pdf'), bytes);
    const result = await compressFile(join(folder, 'in.pdf'), join(folder, 'out.pdf'), options);
    expect(await readdir(folder), 'nothing else is left').to.deep.equal(['in.pdf', 'out.pdf']);
    return { ...result, bytes: new Uint8Array(await readFile(join(folder, 'out.pdf'))) };
  } finally {
    await rm(folder, { recursive: true });
  }
}
