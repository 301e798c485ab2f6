import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@quire/registry';
import { isQuireError, OperationalError } from '@quire/registry/errors';
import { asOperator, OBJECT_LIMIT, openOnce, type S3Bucket } from '../storage/index.js';
import {
  clampRange,
  isBlobId,
  newBlobId,
  withStoreErrors,
  type BlobRange,
  type Blobs,
  type ListedBlob,
  type OpenBlob,
  type StoredBlob,
} from '../store/index.js';

export interface BucketBlobsDeps {
  readonly bucket: S3Bucket;
  /** Beginning of every key; ends with a slash. */
  readonly folder: string;
  /** Folder for contents in transfer; what a killed process leaves in it is removed at the next start. */
  readonly temporaryFolder: string;
  readonly log: Logger;
}

/** Statuses of a service that is busy: the request is sent again after these times, ms. */
const BUSY: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);
const PAUSES = [200, 1000] as const;
/** Errors of a request that got no answer. */
const NO_ANSWER: ReadonlySet<string> = new Set(['REMOTE_UNREACHABLE', 'REMOTE_TIMEOUT', 'SERVICE_NOT_SET_UP']);

/**
 * Keeps blobs as objects `<folder><area>/<id>` of a bucket; one PUT for each, so an object is there whole or not at
 * all, and has at most 5 GiB. A bucket that cannot be used, for whatever reason, is a store that is away: STORE_DOWN,
 * and the reason is logged once.
 */
export class BucketBlobs implements Blobs {
  readonly #prefix: string;
  #failing = false;

  constructor(
    private readonly deps: BucketBlobsDeps,
    area: string,
  ) {
    this.#prefix = `${deps.folder}${area}/`;
  }

  put(source: string | Readable, id: string = newBlobId()): Promise<StoredBlob> {
    return this.#withErrors(async () => {
      if (!isBlobId(id)) throw new TypeError('a blob id has 32 hexadecimal digits');
      if (typeof source === 'string') return this.#putFile(source, id);
      return this.#withTemporary(async (path) => {
        await pipeline(source, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
        return this.#putFile(path, id);
      });
    });
  }

  get(id: string, range?: BlobRange): Promise<OpenBlob | undefined> {
    return this.#withErrors(async () => {
      if (!isBlobId(id)) return undefined;
      return this.#withTemporary(async (path) => {
        const headers = range === undefined ? {} : { range: `bytes=${range.start}-${range.end ?? ''}` };
        const answer = await this.#download(id, path, headers);
        if (answer.status === 404) return undefined;
        if (answer.status === 416) throw new RangeError('the range selects no byte of the blob');
        // A service may return all of it.
        if (answer.status === 200) return openOnce(path, answer.bytes, range);
        const size = Number(/\/(\d+)$/.exec(answer.headers['content-range'] ?? '')?.[1]);
        if (range === undefined || !Number.isSafeInteger(size)) throw this.#refused(answer.status);
        const { start, end } = clampRange(range, size);
        if (answer.bytes !== end + 1 - start) throw this.#refused(answer.status);
        return { stream: (await openOnce(path, answer.bytes, undefined)).stream, size };
      });
    });
  }

  save(id: string, target: string): Promise<boolean> {
    return this.#withErrors(async () => {
      if (!isBlobId(id)) return false;
      const { status } = await this.#download(id, target, {});
      if (status !== 200 && status !== 404) throw this.#refused(status);
      return status === 200;
    });
  }

  path(): undefined {
    return undefined;
  }

  delete(id: string): Promise<boolean> {
    return this.#withErrors(async () => {
      if (!isBlobId(id) || !(await this.#isThere(id))) return false;
      const { status } = await this.#answered(() => this.deps.bucket.delete(this.#keyOf(id)));
      if (status !== 204 && status !== 200 && status !== 404) throw this.#refused(status);
      return status !== 404;
    });
  }

  exists(id: string): Promise<boolean> {
    return this.#withErrors(async () => isBlobId(id) && this.#isThere(id));
  }

  async *list(): AsyncIterable<ListedBlob> {
    for (let after: string | undefined; ;) {
      const page = await this.#withErrors(async () => {
        const answer = await this.#answered(() => this.deps.bucket.list({ prefix: this.#prefix, after }));
        if (answer.page === undefined) throw this.#refused(answer.status, answer.code);
        return answer.page;
      });
      for (const { key, size, changedAt } of page.objects) {
        const id = key.slice(this.#prefix.length);
        // Whatever else is in the bucket belongs to others.
        if (key.startsWith(this.#prefix) && isBlobId(id)) yield { id, size, modifiedAt: new Date(changedAt) };
      }
      if (page.next === undefined) return;
      after = page.next;
    }
  }

  /** One PUT leaves nothing unfinished in the bucket. */
  async sweepUnfinished(): Promise<number> {
    return 0;
  }

  area(name: string): Blobs {
    return new BucketBlobs(this.deps, name);
  }

  #keyOf(id: string): string {
    return `${this.#prefix}${id}`;
  }

  async #putFile(path: string, id: string): Promise<StoredBlob> {
    const { size } = await stat(path);
    if (size > OBJECT_LIMIT)
      throw new OperationalError('SERVICE_NOT_SET_UP', {
        service: `Keeping a job file of ${size} bytes`,
        detail: `cluster.artifactStore is s3, which keeps files of up to ${OBJECT_LIMIT} bytes`,
      });
    const { status } = await this.#answered(() => this.deps.bucket.put(this.#keyOf(id), path));
    if (status !== 200) throw this.#refused(status);
    return { id, size };
  }

  async #download(id: string, target: string, headers: Readonly<Record<string, string>>) {
    const answer = await this.#answered(() => this.deps.bucket.download(this.#keyOf(id), target, { headers }));
    if (answer.status === 404) await this.#requireBucket();
    else if (answer.status !== 200 && answer.status !== 206 && answer.status !== 416)
      throw this.#refused(answer.status);
    return answer;
  }

  async #isThere(id: string): Promise<boolean> {
    const { status } = await this.#answered(() => this.deps.bucket.head(this.#keyOf(id)));
    if (status === 404) await this.#requireBucket();
    else if (status !== 200) throw this.#refused(status);
    return status === 200;
  }

  /** A missing bucket and a missing object have the same status, but only the second means that a file is lost. */
  async #requireBucket(): Promise<void> {
    const { status, code } = await this.#answered(() => this.deps.bucket.list({ prefix: this.#prefix, most: 1 }));
    if (status !== 200) throw this.#refused(status, code);
  }

  /** Sends a request, and again while the service is busy. */
  async #answered<T extends { readonly status: number }>(request: () => Promise<T>): Promise<T> {
    try {
      for (const pause of PAUSES) {
        const answer = await asOperator(request());
        if (!BUSY.has(answer.status)) return answer;
        await delay(pause);
      }
      return await asOperator(request());
    } catch (error) {
      throw isQuireError(error) && NO_ANSWER.has(error.code) ? new Away(error.message, { cause: error }) : error;
    }
  }

  #refused(status: number, code?: string): Error {
    if (status === 507) return new OperationalError('STORAGE_FULL');
    const hint =
      status === 401 || status === 403
        ? ', which means that it rejects the keys of storage.s3 or what they may do'
        : status === 404
          ? ', which means that storage.s3.bucket does not exist'
          : '';
    return new Away(`${this.deps.bucket.host} answered ${status}${code === undefined ? '' : ` (${code})`}${hint}`, {
      cause: status,
    });
  }

  async #withTemporary<T>(work: (path: string) => Promise<T>): Promise<T> {
    const { temporaryFolder } = this.deps;
    await mkdir(temporaryFolder, { recursive: true, mode: 0o700 });
    const path = join(temporaryFolder, `artifact-${randomUUID()}`);
    try {
      return await work(path);
    } finally {
      // An open file stays readable after its name was removed.
      await rm(path, { force: true });
    }
  }

  async #withErrors<R>(work: () => Promise<R>): Promise<R> {
    const { log } = this.deps;
    try {
      const result = await withStoreErrors(work);
      if (this.#failing) log.info({}, 'the bucket of job files (cluster.artifactStore) can be used again');
      this.#failing = false;
      return result;
    } catch (error) {
      const away = error instanceof Error && error.cause instanceof Away ? error.cause : undefined;
      if (away !== undefined && !this.#failing)
        log.error({ reason: away.message }, 'the bucket of job files (cluster.artifactStore) cannot be used');
      this.#failing ||= away !== undefined;
      throw error;
    }
  }
}

/** The bucket cannot be used now; `withStoreErrors` makes STORE_DOWN of it. Its cause is the status or the error. */
class Away extends Error {}

/** The status with which the bucket refused a request, of an error of `BucketBlobs`; undefined for other errors. */
export function refusedStatus(error: unknown): number | undefined {
  const away = error instanceof Error ? error.cause : undefined;
  return away instanceof Away && typeof away.cause === 'number' ? away.cause : undefined;
}
