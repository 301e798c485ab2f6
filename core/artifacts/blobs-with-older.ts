import { existsSync } from 'node:fs';
import { saveBlob, type Blobs } from '../store/index.js';

/**
 * Puts new blobs into one place, and finds and removes older ones in another: those of jobs from before
 * `cluster.artifactStore` was set.
 */
export function blobsWithOlder(blobs: Blobs, older: Blobs): Blobs {
  const olderPath = (id: string): string | undefined => {
    const path = older.path(id);
    return path !== undefined && existsSync(path) ? path : undefined;
  };
  return {
    put: (source, id) => blobs.put(source, id),
    get: async (id, range) => (await blobs.get(id, range)) ?? older.get(id, range),
    save: async (id, target) => (await saveBlob(blobs, id, target)) || saveBlob(older, id, target),
    path: olderPath,
    delete: async (id) => (await blobs.delete(id)) || older.delete(id),
    exists: async (id) => (await blobs.exists(id)) || older.exists(id),
    async *list() {
      yield* older.list();
      yield* blobs.list();
    },
    sweepUnfinished: async (olderThanMs) =>
      (await older.sweepUnfinished(olderThanMs)) + (await blobs.sweepUnfinished(olderThanMs)),
    area: (name) => blobsWithOlder(blobs.area(name), older.area(name)),
  };
}
