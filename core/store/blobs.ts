import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { withStoreErrors } from './store-errors.js';

/** A blob that was put. */
export interface StoredBlob {
  /** 32 hexadecimal digits, 128 random bits: cannot be guessed. */
  readonly id: string;
  /** Size in bytes. */
  readonly size: number;
}

/** One entry of a listing. */
export interface ListedBlob extends StoredBlob {
  readonly modifiedAt: Date;
}

/** A part of a blob; both ends are 0-based byte offsets and inclusive, as in RFC 9110, 14.1.2. */
export interface BlobRange {
  readonly start: number;
  readonly end?: number;
}

/** An open blob. The stream must be read or destroyed. */
export interface OpenBlob {
  readonly stream: Readable;
  /** Bytes of the whole blob. */
  readonly size: number;
}

/**
 * Keeps files of any size. Two adapters, one behaviour (`test/suites/blobs.ts`). A blob is there whole or not at all.
 * Methods reject with STORE_DOWN or STORAGE_FULL when the store cannot do its work.
 */
export interface Blobs {
  /**
   * Stores a file (by path; the file stays, and may be deleted afterwards) or a stream, under a new id or under `id`,
   * which no other file has. Where the answer to a put was lost, the same path may be put again under the same id.
   */
  put(source: string | Readable, id?: string): Promise<StoredBlob>;
  /**
   * Stores a file whose bytes need not survive the death of the machine, where that saves something. Whoever reads it
   * after a restart has to compare them.
   */
  putCached?(path: string): Promise<StoredBlob>;
  /**
   * Opens a blob for reading; undefined when it is not there. Throws RangeError when the range starts behind the end.
   */
  get(id: string, range?: BlobRange): Promise<OpenBlob | undefined>;
  /**
   * Writes the blob to a new file; false when it is not there. Only where that is cheaper than to read it and to write
   * it (`saveBlob`).
   */
  save?(id: string, target: string): Promise<boolean>;
  /** Absolute path of the blob when the store is a folder, else undefined. Read only: never write there. */
  path(id: string): string | undefined;
  /** Deletes a blob; true when it was there. */
  delete(id: string): Promise<boolean>;
  exists(id: string): Promise<boolean>;
  /** Walks all blobs of this area, for sweeps. */
  list(): AsyncIterable<ListedBlob>;
  /** Removes what writes that never ended left behind and is older than the given time; gives the number removed. */
  sweepUnfinished(olderThanMs: number): Promise<number>;
  /** Another set of blobs beside this one, so that each user of the store can sweep its own. */
  area(name: string): Blobs;
}

/** Writes a blob to a new file; false when it is not there. Rejects with STORE_DOWN or STORAGE_FULL. */
export async function saveBlob(blobs: Pick<Blobs, 'get' | 'save'>, id: string, target: string): Promise<boolean> {
  if (blobs.save !== undefined) return blobs.save(id, target);
  const blob = await blobs.get(id);
  if (blob === undefined) return false;
  await withStoreErrors(() => pipeline(blob.stream, createWriteStream(target, { flags: 'wx', mode: 0o600 })));
  return true;
}

/** Makes a new blob id. */
export function newBlobId(): string {
  return randomBytes(16).toString('hex');
}

/** True for text that can be a blob id; anything else must never reach a path. */
export function isBlobId(id: string): boolean {
  return /^[0-9a-f]{32}$/.test(id);
}

/** The range as inclusive offsets within the size; throws RangeError when it selects nothing. */
export function clampRange(range: BlobRange | undefined, size: number): { start: number; end: number } {
  const start = range?.start ?? 0;
  const end = Math.min(range?.end ?? size - 1, size - 1);
  if (range && (start < 0 || start > end)) throw new RangeError('the range selects no byte of the blob');
  return { start, end };
}
