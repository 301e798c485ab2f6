import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import { newBlobId, type Blobs, type ListedBlob, type Store } from '../../core/store/index.js';
import { memoryInUseMb } from './heap-growth.js';
import type { TemporaryStore } from './temporary-store.js';

/** Tests for every adapter of Blobs. */
export function describeBlobs(make: () => Promise<TemporaryStore>): void {
  let home: TemporaryStore;
  let store: Store;
  let blobs: Blobs;
  let folder: string;
  beforeEach(async () => {
    home = await make();
    store = await home.open();
    blobs = store.blobs;
    folder = await mkdtemp(join(tmpdir(), 'quire-blobs-'));
  });
  afterEach(async () => {
    await store.close();
    await home.remove();
    await rm(folder, { recursive: true, force: true });
  });
  const read = async (id: string, range?: { start: number; end?: number }): Promise<string | undefined> => {
    const opened = await blobs.get(id, range);
    return opened && (await buffer(opened.stream)).toString('latin1');
  };
  const all = async (from: Blobs): Promise<ListedBlob[]> => {
    const listed: ListedBlob[] = [];
    for await (const blob of from.list()) listed.push(blob);
    return listed;
  };

  it('stores a stream and returns it with its size', async () => {
    const { id, size } = await blobs.put(Readable.from([Buffer.from('hello '), Buffer.from('world')]));
    expect(size).to.equal(11);
    expect(await read(id)).to.equal('hello world');
    const opened = await blobs.get(id);
    opened?.stream.destroy();
    expect(opened?.size).to.equal(11);
  });

  it('stores a file by path, which may be deleted afterwards', async () => {
    const path = join(folder, 'x');
    await writeFile(path, 'content');
    const { id } = await blobs.put(path);
    await rm(path);
    expect(await read(id)).to.equal('content');
  });

  it('takes a file again under the same id, as after an answer that was lost', async () => {
    for (const size of [100, 3_000_000]) {
      const [path, id] = [join(folder, `x${size}`), newBlobId()];
      await writeFile(path, Buffer.alloc(size, 'ab'));
      for (let attempt = 0; attempt < 2; attempt += 1) {
        expect(await blobs.put(path, id)).to.deep.equal({ id, size });
        expect((await read(id))?.length).to.equal(size);
      }
      expect(await blobs.delete(id)).to.equal(true);
      expect(await read(id)).to.equal(undefined);
    }
    expect(await blobs.sweepUnfinished(0)).to.equal(0);
  });

  it('stores large content in chunks', async () => {
    const piece = Buffer.alloc(256 * 1024, 7);
    const { id, size } = await blobs.put(Readable.from(Array.from({ length: 12 }, () => piece)));
    expect(size).to.equal(12 * piece.length);
    expect((await read(id))?.length).to.equal(size);
  });

  it('stores empty content', async () => {
    const { id, size } = await blobs.put(Readable.from([]));
    expect(size).to.equal(0);
    expect(await read(id)).to.equal('');
  });

  it('returns a part, and refuses a part beyond the end', async () => {
    const { id } = await blobs.put(Readable.from([Buffer.from('0123456789')]));
    expect(await read(id, { start: 2, end: 4 })).to.equal('234');
    expect(await read(id, { start: 7 })).to.equal('789');
    expect(await read(id, { start: 8, end: 100 })).to.equal('89');
    const error = await blobs.get(id, { start: 10 }).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).to.be.instanceOf(RangeError);
  });

  it('returns parts across the borders of its chunks', async () => {
    const pieces = Array.from({ length: 5 }, (_, n) => Buffer.from(String(n).repeat(1020 * 1024)));
    const { id, size } = await blobs.put(Readable.from(pieces));
    const border = 1020 * 1024;
    expect(await read(id, { start: border - 2, end: border + 1 })).to.equal('0011');
    expect(await read(id, { start: 3 * border - 1, end: 3 * border - 1 })).to.equal('2');
    expect((await read(id, { start: border - 1, end: 3 * border }))?.replaceAll(/(.)\1*/g, '$1')).to.equal('0123');
    expect(await read(id, { start: size - 3 })).to.equal('444');
  });

  it("streams 200 MB both ways in bounded memory, at the reader's pace", async function () {
    this.timeout(120_000);
    const [count, length] = [200, 1024 * 1024];
    const before = memoryInUseMb();
    const most = { writing: 0, reading: 0 };
    const { id, size } = await blobs.put(
      Readable.from(
        (async function* () {
          for (let n = 0; n < count; n += 1) {
            yield Buffer.alloc(length, n);
            if (n % 50 === 49) most.writing = Math.max(most.writing, memoryInUseMb() - before);
          }
        })(),
      ),
    );
    expect(size).to.equal(count * length);
    let at = 0;
    let paused = 0;
    for await (const piece of (await blobs.get(id))?.stream ?? []) {
      const bytes = piece as Buffer;
      if (
        bytes[0] !== Math.floor(at / length) % 256 ||
        bytes[bytes.length - 1] !== Math.floor((at + bytes.length - 1) / length) % 256
      )
        expect.fail(`wrong byte at ${at}`);
      at += bytes.length;
      if (at < (paused + 1) * 50 * length) continue;
      paused += 1;
      // Reads slowly: data that arrives meanwhile must not accumulate.
      await new Promise((resolve) => setTimeout(resolve, 100));
      most.reading = Math.max(most.reading, memoryInUseMb() - before);
    }
    expect([at, paused]).to.deep.equal([size, 4]);
    expect(most.writing).to.be.lessThan(96);
    expect(most.reading).to.be.lessThan(96);
  });

  it('creates ids that cannot be guessed and returns nothing for others', async () => {
    const { id } = await blobs.put(Readable.from([Buffer.from('x')]));
    expect(id).to.match(/^[0-9a-f]{32}$/);
    for (const other of ['0'.repeat(32), '../../etc/passwd', '', `${id}/..`]) {
      expect(await blobs.get(other)).to.equal(undefined);
      expect(await blobs.exists(other)).to.equal(false);
      expect(await blobs.delete(other)).to.equal(false);
    }
  });

  it('stores nothing of a stream that fails', async () => {
    const broken = Readable.from(
      (async function* () {
        yield Buffer.alloc(600_000, 1);
        throw new Error('the client disconnected');
      })(),
    );
    expect(
      await blobs.put(broken).then(
        () => 'stored',
        () => 'refused',
      ),
    ).to.equal('refused');
    expect(await all(blobs)).to.deep.equal([]);
    expect(await blobs.sweepUnfinished(0)).to.equal(0);
  });

  it('deletes a blob once', async () => {
    const { id } = await blobs.put(Readable.from([Buffer.from('x')]));
    expect(await blobs.exists(id)).to.equal(true);
    expect(await blobs.delete(id)).to.equal(true);
    expect(await blobs.delete(id)).to.equal(false);
    expect(await blobs.exists(id)).to.equal(false);
  });

  it('lists its own area only', async () => {
    const { id } = await blobs.put(Readable.from([Buffer.from('abc')]));
    const area = blobs.area('other');
    const other = await area.put(Readable.from([Buffer.from('de')]));
    expect((await all(blobs)).map((blob) => [blob.id, blob.size])).to.deep.equal([[id, 3]]);
    expect((await all(area)).map((blob) => blob.id)).to.deep.equal([other.id]);
    expect(await blobs.exists(other.id)).to.equal(false);
  });
}
