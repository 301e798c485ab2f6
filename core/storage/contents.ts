import type { BlobRange, Blobs, OpenBlob, StoredBlob } from '../store/index.js';
import type { ContentPlace } from './model.js';

/** How a file is to be shown by whoever answers for it. */
export interface ShownAs {
  readonly contentType: string;
  /** The whole Content-Disposition header. */
  readonly disposition: string;
}

/** A place for contents. Rejects with STORE_DOWN, STORAGE_FULL or what the way to a bucket rejects with. */
export interface ContentStore {
  /** Keeps a file of this server's disk under a new id (32 hexadecimal digits). It is there whole or not at all. */
  put(path: string, id: string, signal?: AbortSignal): Promise<StoredBlob>;
  /** Undefined when it is not there. Throws RangeError when the range starts behind the end. */
  get(id: string, range?: BlobRange, signal?: AbortSignal): Promise<OpenBlob | undefined>;
  delete(id: string): Promise<boolean>;
  /** An address that answers the content to anybody for five minutes; where there is one, clients are sent there. */
  address?(id: string, shown: ShownAs): Promise<string>;
}

/** Every place where contents may lie. */
export interface Contents {
  at(place: ContentPlace): ContentStore;
  /** The places that this server sweeps, because nobody else puts anything there. */
  readonly swept: readonly Blobs[];
}

/**
 * The places of a server: `local` is a folder of its own, or the shared store's blobs where servers share one; `s3`
 * throws SERVICE_NOT_SET_UP on use where it is not set up.
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
