import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { isQuireError, OperationalError } from '@quire/registry';
import { clampRange, type BlobRange, type OpenBlob, type StoredBlob } from '../store/index.js';
import type { ContentStore, ShownAs } from './contents.js';
import type { S3Bucket } from './s3-bucket.js';

export interface S3Deps {
  readonly bucket: S3Bucket;
  /** Folder for contents in transfer. */
  readonly temporaryFolder: string;
}

/**
 * Stores contents as objects `storage/<id>` of a bucket. An object is stored completely or not at all, and has at most
 * 5 GiB (one PUT). Rejects with REMOTE_UNREACHABLE, REMOTE_TIMEOUT, SERVICE_NOT_SET_UP for an address that may not be
 * called, and REMOTE_ANSWER for an error status.
 */
export class S3Contents implements ContentStore {
  constructor(private readonly deps: S3Deps) {}

  async put(path: string, id: string, signal?: AbortSignal): Promise<StoredBlob> {
    const { size } = await stat(path);
    const { status } = await asOperator(this.deps.bucket.put(keyOf(id), path, { signal }));
    if (status !== 200) throw this.#refused(status);
    return { id, size };
  }

  async get(id: string, range?: BlobRange, signal?: AbortSignal): Promise<OpenBlob | undefined> {
    const { bucket, temporaryFolder } = this.deps;
    await mkdir(temporaryFolder, { recursive: true, mode: 0o700 });
    const target = join(temporaryFolder, randomUUID());
    try {
      const { status, bytes } = await asOperator(bucket.download(keyOf(id), target, { signal }));
      if (status === 404) return undefined;
      if (status !== 200) throw this.#refused(status);
      return await openOnce(target, bytes, range);
    } finally {
      // An open file stays readable after its name was removed.
      await rm(target, { force: true });
    }
  }

  async delete(id: string): Promise<boolean> {
    const { status } = await asOperator(this.deps.bucket.delete(keyOf(id)));
    if (status !== 204 && status !== 200 && status !== 404) throw this.#refused(status);
    return status !== 404;
  }

  address(id: string, { contentType, disposition }: ShownAs): Promise<string> {
    return this.deps.bucket.address(keyOf(id), {
      'response-content-type': contentType,
      'response-content-disposition': disposition,
    });
  }

  #refused(status: number): OperationalError {
    return new OperationalError('REMOTE_ANSWER', {
      remote: this.deps.bucket.host,
      detail: `${status}${status === 403 ? ', which means that it rejects the keys of storage.s3' : ''}`,
    });
  }
}

function keyOf(id: string): string {
  return `storage/${id}`;
}

/** The address is a setting, so callers of this server cannot fix it: report it as a problem of the service. */
export async function asOperator<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (isQuireError(error) && error.code === 'ADDRESS_REFUSED')
      throw new OperationalError(
        'SERVICE_NOT_SET_UP',
        {
          service: 'The S3 bucket',
          detail:
            'storage.s3.endpoint is not an address that may be called, or is in a private network, which needs ' +
            'storage.s3.allowPrivateEndpoints',
        },
        { cause: error },
      );
    throw error;
  }
}

/** Opens a downloaded file of this size, whose name may be removed afterwards. Throws RangeError. */
export async function openOnce(path: string, size: number, range: BlobRange | undefined): Promise<OpenBlob> {
  const { start, end } = clampRange(range, size);
  if (size === 0) return { stream: Readable.from([]), size };
  const file = await open(path, 'r');
  return { stream: createReadStream('', { fd: file, start, end }), size };
}
