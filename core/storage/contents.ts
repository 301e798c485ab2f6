import type { BlobRange, Blobs, OpenBlob, StoredBlob } from '../store/index.js';
import type { ContentPlace } from './model.js';

/** How a client should show or save a file. */
export interface ShownAs {
  readonly contentType: string;
  /** The whole Content-Disposition header. */
  readonly disposition: string;
}

/** A place for file contents. Rejects with STORE_DOWN, STORAGE_FULL or the errors of the bucket. */
export interface ContentStore {
  /** Stores a file of this server's disk under a new id (32 hexadecimal digits), completely or not at all. */
  put(path: string, id: string, signal?: AbortSignal): Promise<StoredBlob>;
  /** Resolves to undefined if there is no such content. Throws RangeError when the range starts beyond the end. */
  get(id: string, range?: BlobRange, signal?: AbortSignal): Promise<OpenBlob | undefined>;
  delete(id: string): Promise<boolean>;
  /**
   * Returns a URL that is valid for five minutes and returns the content to anybody; clients are redirected to it if
   * there is one.
   */
  address?(id: string, shown: ShownAs): Promise<string>;
}

/** All places of contents. */
export interface Contents {
  at(place: ContentPlace): ContentStore;
  /** The places that this server sweeps, because no other program writes there. */
  readonly swept: readonly Blobs[];
}

/**
 * Returns the places of a server: `local` is a folder, or the blobs of the store if servers share it; `s3` throws
 * SERVICE_NOT_SET_UP on use if it is not configured.
 */
export function contentPlaces({
  local,
  database,
  s3,
}: {
  readonly local: Blobs | undefined;
  readonly database: Blobs;
  readonly s3: () => ContentStore;
}): Contents {
  return {
    at: (place) => (place === 's3' ? s3() : place === 'local' ? (local ?? database) : database),
    swept: local === undefined ? [database] : [local, database],
  };
}
