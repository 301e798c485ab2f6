import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Collection, GridFSBucket, ObjectId } from 'mongodb';
import type { MongoConnection } from './mongo-client.js';
import { checkName } from './records.js';
import { clampRange, isBlobId, newBlobId, type BlobRange, type Blobs, type ListedBlob, type OpenBlob, type StoredBlob } from './blobs.js';
import { withStoreErrors } from './store-errors.js';

interface FileDocument {
  _id: string;
  length: number;
  uploadDate: Date;
}

interface ChunkDocument {
  _id: ObjectId;
  files_id: string;
  n: number;
}

/** Opens blobs in GridFS, one bucket for each area. The file document is written last, so a blob is there whole or not at all. */
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
    this.#bucket = new connection.driver.GridFSBucket(connection.database, { bucketName });
    this.#files = connection.database.collection<FileDocument>(`${bucketName}.files`);
    this.#chunks = connection.database.collection<ChunkDocument>(`${bucketName}.chunks`);
  }

  put(source: string | Readable, id: string = newBlobId()): Promise<StoredBlob> {
    return withStoreErrors(async () => {
      if (!isBlobId(id)) throw new TypeError('a blob id has 32 hexadecimal digits');
      // The driver types ids as ObjectId; GridFS itself takes any value, and ours must be unguessable.
      const upload = this.#bucket.openUploadStreamWithId(id as unknown as ObjectId, id);
      try {
        await pipeline(typeof source === 'string' ? createReadStream(source) : source, upload);
      } catch (error) {
        await upload.abort().catch(() => undefined);
        throw error;
      }
      return { id, size: upload.length };
    });
  }

  get(id: string, range?: BlobRange): Promise<OpenBlob | undefined> {
    return withStoreErrors(async () => {
      const file = isBlobId(id) ? await this.#files.findOne({ _id: id }) : null;
      if (!file) return undefined;
      const { start, end } = clampRange(range, file.length);
      if (end < start) return { stream: Readable.from([]), size: file.length };
      return { stream: this.#bucket.openDownloadStream(id as unknown as ObjectId, { start, end: end + 1 }), size: file.length };
    });
  }

  path(): undefined {
    return undefined;
  }

  delete(id: string): Promise<boolean> {
    return withStoreErrors(async () => {
      if (!isBlobId(id)) return false;
      const removed = await this.#files.deleteOne({ _id: id });
      await this.#chunks.deleteMany({ files_id: id });
      return removed.deletedCount > 0;
    });
  }

  exists(id: string): Promise<boolean> {
    return withStoreErrors(async () => isBlobId(id) && (await this.#files.countDocuments({ _id: id }, { limit: 1 })) > 0);
  }

  async *list(): AsyncIterable<ListedBlob> {
    for await (const file of this.#files.find({})) yield { id: String(file._id), size: file.length, modifiedAt: file.uploadDate };
  }

  sweepUnfinished(olderThanMs: number): Promise<number> {
    return withStoreErrors(async () => {
      const before = this.#connection.driver.ObjectId.createFromTime(Math.max(0, Math.floor((Date.now() - olderThanMs) / 1000)));
      let removed = 0;
      for await (const chunk of this.#chunks.find({ n: 0, _id: { $lte: before } }, { projection: { files_id: 1 } })) {
        if ((await this.#files.countDocuments({ _id: chunk.files_id }, { limit: 1 })) > 0) continue;
        await this.#chunks.deleteMany({ files_id: chunk.files_id });
        removed += 1;
      }
      return removed;
    });
  }

  area(name: string): Blobs {
    return new MongoBlobs(this.#connection, name);
  }
}
