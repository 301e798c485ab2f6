import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Collection, GridFSBucket, ObjectId } from 'mongodb';
import type { MongoConnection } from './mongo-client.js';
import { checkName } from './records.js';
import {
  clampRange,
  isBlobId,
  newBlobId,
  type BlobRange,
  type Blobs,
  type ListedBlob,
  type OpenBlob,
  type StoredBlob,
} from './blobs.js';
import { asStoreError, isDuplicateKey, withStoreErrors } from './store-errors.js';

interface FileDocument {
  _id: string;
  length: number;
  chunkSize: number;
  uploadDate: Date;
  /** True for a small file, which has its content here instead of pieces. */
  small?: true;
  data?: Buffer;
}

interface ChunkDocument {
  _id: ObjectId;
  files_id: string;
  n: number;
  data: Buffer;
}

/**
 * Size of a piece, bytes: GridFS's own 255 kB would cost a common file of 1 MB four writes, one after the other. Files
 * keep the size they were written with.
 */
const pieceSize = 1020 * 1024;
/**
 * Files of up to this size are kept in their own document, bytes: one command writes, reads or deletes them. Larger
 * ones would make the list of files, which a sweep reads, expensive.
 */
const smallSize = 128 * 1024;
const listedFields = { _id: 1, length: 1, uploadDate: 1 } as const;
/** Pieces that are on their way to a reader at once. */
const readBatch = 4;
/** How many files are looked up at once by a sweep. */
const sweepBatch = 500;

/**
 * Opens blobs in GridFS, one bucket for each area. The file document is written last, so a blob is there whole or not
 * at all.
 */
export function openMongoBlobs(connection: MongoConnection, area = 'files'): Blobs {
  return new MongoBlobs(connection, area);
}

class MongoBlobs implements Blobs {
  readonly #connection: MongoConnection;
  readonly #bucket: GridFSBucket;
  readonly #files: Collection<FileDocument>;
  readonly #chunks: Collection<ChunkDocument>;

  constructor(connection: MongoConnection, area: string) {
    const bucketName = `blobs_${checkName(area)}`;
    this.#connection = connection;
    this.#bucket = new connection.driver.GridFSBucket(connection.database, { bucketName, chunkSizeBytes: pieceSize });
    this.#files = connection.database.collection<FileDocument>(`${bucketName}.files`);
    this.#chunks = connection.database.collection<ChunkDocument>(`${bucketName}.chunks`);
  }

  put(source: string | Readable, id: string = newBlobId()): Promise<StoredBlob> {
    return withStoreErrors(async () => {
      if (!isBlobId(id)) throw new TypeError('a blob id has 32 hexadecimal digits');
      try {
        return await this.#write(source, id);
      } catch (error) {
        // An attempt whose answer was lost has left its file, or pieces of it.
        if (!isDuplicateKey(error) || typeof source !== 'string') throw error;
        await this.delete(id);
        return await this.#write(source, id);
      }
    });
  }

  async #write(source: string | Readable, id: string): Promise<StoredBlob> {
    const content = typeof source === 'string' ? createReadStream(source) : source;
    const { small: data, whole: stream } = await beginningOf(content);
    if (data !== undefined) {
      const { length } = data;
      await this.#files.insertOne({
        _id: id,
        length,
        chunkSize: pieceSize,
        uploadDate: new Date(),
        small: true,
        data,
      });
      return { id, size: length };
    }
    // The driver types ids as ObjectId; GridFS itself takes any value, and ours must be unguessable.
    const upload = this.#bucket.openUploadStreamWithId(id as unknown as ObjectId, id);
    try {
      await pipeline(stream, upload);
    } catch (error) {
      content.destroy();
      await upload.abort().catch(() => undefined);
      throw error;
    }
    return { id, size: upload.length };
  }

  get(id: string, range?: BlobRange): Promise<OpenBlob | undefined> {
    return withStoreErrors(async () => {
      if (!isBlobId(id)) return undefined;
      const file = await this.#files.findOne({ _id: id }, { promoteBuffers: true });
      if (!file) return undefined;
      const { data, length } = file;
      if (data !== undefined && data.length !== length) throw new DamagedBlob(id);
      const { start, end } = clampRange(range, length);
      if (end < start) return { stream: Readable.from([]), size: length };
      const content = data === undefined ? this.#pieces(file, start, end) : [data.subarray(start, end + 1)];
      return { stream: Readable.from(content, { objectMode: false }), size: length };
    });
  }

  path(): undefined {
    return undefined;
  }

  delete(id: string): Promise<boolean> {
    return withStoreErrors(async () => {
      if (!isBlobId(id)) return false;
      const projection = { length: 1, chunkSize: 1, small: 1 } as const;
      const file = await this.#files.findOneAndDelete({ _id: id }, { projection });
      if (file?.small === true) return true;
      // A file of one piece goes by the whole key; what an upload left that never ended has no file.
      if (file !== null && file.length <= file.chunkSize) await this.#chunks.deleteOne({ files_id: id, n: 0 });
      else await this.#chunks.deleteMany({ files_id: id });
      return file !== null;
    });
  }

  exists(id: string): Promise<boolean> {
    return withStoreErrors(
      async () => isBlobId(id) && (await this.#files.countDocuments({ _id: id }, { limit: 1 })) > 0,
    );
  }

  async *list(): AsyncIterable<ListedBlob> {
    try {
      for await (const file of this.#files.find({}, { projection: listedFields }))
        yield { id: String(file._id), size: file.length, modifiedAt: file.uploadDate };
    } catch (error) {
      throw asStoreError(error);
    }
  }

  sweepUnfinished(olderThanMs: number): Promise<number> {
    return withStoreErrors(async () => {
      const before = Date.now() - olderThanMs;
      let removed = 0;
      let batch: string[] = [];
      const sweep = async (): Promise<void> => {
        const whole = new Set(
          (await this.#files.find({ _id: { $in: batch } }, { projection: { _id: 1 } }).toArray()).map(
            (file) => file._id,
          ),
        );
        for (const id of batch.filter((one) => !whole.has(one)))
          if (await this.#isOlder(id, before))
            removed += (await this.#chunks.deleteMany({ files_id: id })).deletedCount > 0 ? 1 : 0;
        batch = [];
      };
      // In the order of the index and by its fields alone: MongoDB steps from file to file and reads no content.
      for await (const { _id } of this.#chunks.aggregate<{ _id: string }>([
        { $project: { _id: 0, files_id: 1, n: 1 } },
        { $sort: { files_id: 1, n: 1 } },
        { $group: { _id: '$files_id' } },
      ])) {
        batch.push(_id);
        if (batch.length === sweepBatch) await sweep();
      }
      if (batch.length > 0) await sweep();
      return removed;
    });
  }

  area(name: string): Blobs {
    return new MongoBlobs(this.#connection, name);
  }

  /**
   * The content between two offsets. Each piece is asked for by the whole key of GridFS's index, and few at once: a
   * cursor over all would take what a server gives, 16 MB and more for each reader. Errors are those of a store, so
   * that who reads knows whether waiting helps.
   */
  async *#pieces({ _id, length, chunkSize }: FileDocument, start: number, end: number): AsyncGenerator<Buffer> {
    const [first, last] = [Math.floor(start / chunkSize), Math.floor(end / chunkSize)];
    const asked: Promise<ChunkDocument | null>[] = [];
    let next = first;
    try {
      for (let n = first; n <= last; n += 1) {
        while (next <= last && asked.length < readBatch) asked.push(this.#piece(_id, next++));
        const data = (await asked.shift())?.data;
        const offset = n * chunkSize;
        if (data === undefined || data.length !== Math.min(chunkSize, length - offset)) throw new DamagedBlob(_id);
        yield data.subarray(Math.max(0, start - offset), end + 1 - offset);
      }
    } catch (error) {
      throw asStoreError(error);
    }
  }

  #piece(id: string, n: number): Promise<ChunkDocument | null> {
    const piece = this.#chunks.findOne({ files_id: id, n }, { promoteBuffers: true });
    // A reader may leave, or another piece fail, before this one is awaited.
    piece.catch(() => undefined);
    return piece;
  }

  /** Goes by the last piece, whose id has the time it was made: an upload that still goes on is young. */
  async #isOlder(id: string, before: number): Promise<boolean> {
    const last = await this.#chunks.findOne({ files_id: id }, { sort: { n: -1 }, projection: { _id: 1 } });
    return last !== null && last._id.getTimestamp().getTime() <= before;
  }
}

/** The content itself if it is small; otherwise a stream of all of it. */
async function beginningOf(
  content: Readable,
): Promise<{ readonly small: Buffer; readonly whole?: never } | { readonly small?: never; readonly whole: Readable }> {
  const read = content[Symbol.asyncIterator]() as AsyncIterator<Buffer | string>;
  const parts: Buffer[] = [];
  let size = 0;
  while (size <= smallSize) {
    const { done, value } = await read.next();
    if (done === true) return { small: Buffer.concat(parts) };
    const part = Buffer.from(value);
    parts.push(part);
    size += part.length;
  }
  const rest = { [Symbol.asyncIterator]: () => read };
  return {
    whole: Readable.from(
      (async function* () {
        yield* parts;
        yield* rest;
      })(),
      { objectMode: false },
    ),
  };
}

/** A piece of a file is missing or of another length; it was deleted while it was read, or the database has lost it. */
class DamagedBlob extends Error {
  constructor(id: string) {
    super(`the content of the blob ${id} is not complete`);
    this.name = 'DamagedBlob';
  }
}
