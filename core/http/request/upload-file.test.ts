import { mkdtemp, readFile, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { expect } from 'chai';
import { PIECE_BYTES, PieceBuffers } from '../piece-buffers.js';
import { UploadFile } from './upload-file.js';

const bytes = (count: number): Buffer => Buffer.from(Array.from({ length: count }, (_, i) => (i * 7 + (i >> 8)) % 251));

/** Cuts bytes into chunks of this size, each with memory of its own, as they come from a connection. */
function chunksOf(content: Buffer, size: number): Buffer[] {
  const count = Math.ceil(content.length / size);
  return Array.from({ length: count }, (_, i) => {
    const piece = content.subarray(i * size, (i + 1) * size);
    const own = Buffer.allocUnsafeSlow(piece.length);
    piece.copy(own);
    return own;
  });
}

describe('an uploaded file', () => {
  let folder: string;
  let path: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-upload-'));
    path = join(folder, 'f0');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const isOpen = async (): Promise<boolean> => {
    const links = await Promise.all(
      (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
    );
    return links.includes(path);
  };

  it('is written whole, whatever the size of its chunks and its own', async () => {
    for (const size of [65_537, PIECE_BYTES - 1, PIECE_BYTES, PIECE_BYTES + 1, 3 * PIECE_BYTES + 12_345])
      for (const chunk of [30_011, 65_536, PIECE_BYTES, 4 * PIECE_BYTES]) {
        const content = bytes(size);
        const file = new UploadFile(path, new PieceBuffers(2));
        await pipeline(Readable.from(chunksOf(content, chunk)), file);
        expect((await readFile(path)).equals(content), `${size} in chunks of ${chunk}`).to.equal(true);
        expect([file.size, file.head.equals(content.subarray(0, 1029))]).to.deep.equal([size, true]);
        await rm(path);
      }
  });

  it('is written whole while all buffers are lent', async () => {
    const content = bytes(2 * PIECE_BYTES + 5);
    await pipeline(Readable.from(chunksOf(content, 65_536)), new UploadFile(path, new PieceBuffers(1)));
    expect((await readFile(path)).equals(content)).to.equal(true);
  });

  it('gives the memory of its chunks back, but not what they share with others', async () => {
    const content = bytes(400_000);
    const chunks = chunksOf(content, 65_536);
    const shared = Buffer.allocUnsafeSlow(100_000).fill('x');
    await pipeline(Readable.from([...chunks, shared.subarray(0, 70_000)]), new UploadFile(path, new PieceBuffers(2)));
    // The first two are joined when it is known that the file is large.
    expect(chunks.slice(2, -1).map(({ length }) => length)).to.deep.equal([0, 0, 0, 0]);
    expect(shared.toString('latin1', 70_000)).to.equal('x'.repeat(30_000));
  });

  it('lends no buffer and is closed after it ended or broke off', async () => {
    const buffers = new PieceBuffers(2);
    await pipeline(Readable.from(chunksOf(bytes(PIECE_BYTES * 2), 65_536)), new UploadFile(path, buffers));
    expect(buffers.spare).to.equal(2);
    await rm(path);
    const broken = new UploadFile(path, buffers);
    for (const chunk of chunksOf(bytes(PIECE_BYTES * 3), 65_536)) broken.write(chunk);
    broken.destroy();
    await once(broken, 'close');
    expect([buffers.spare, await isOpen()]).to.deep.equal([2, false]);
  });

  it('is never written over another, and says so at once', async () => {
    await writeFile(path, 'mine');
    const file = new UploadFile(path, new PieceBuffers(2));
    const failure = once(file, 'error');
    for (const chunk of chunksOf(bytes(100_000), 65_536)) file.write(chunk);
    expect((await failure)[0]).to.have.property('code', 'EEXIST');
    expect(await readFile(path, 'utf8')).to.equal('mine');
  });
});
