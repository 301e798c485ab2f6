import type { Collection, IndexDescription } from 'mongodb';
import type { MongoConnection } from './mongo-client.js';

/** IndexOptionsConflict and IndexKeySpecsConflict: an index of that name is there, and is another. */
const conflicts = new Set([85, 86]);

const made = new WeakMap<MongoConnection, Map<string, Promise<void>>>();

/**
 * Makes the indexes of a collection, once for each connection however often the collection is opened, with one command.
 * One that is there under the same name and is another (of an older version of ours) is made again. Rejects with the
 * driver's errors; the next call tries again.
 */
export function indexesOnce<D extends object>(
  connection: MongoConnection,
  collection: Collection<D>,
  indexes: readonly IndexDescription[],
): Promise<void> {
  if (indexes.length === 0) return Promise.resolve();
  const byCollection = made.get(connection) ?? new Map<string, Promise<void>>();
  made.set(connection, byCollection);
  const key = `${collection.collectionName} ${JSON.stringify(indexes)}`;
  const known = byCollection.get(key);
  if (known) return known;
  const making = make(collection, indexes).catch((error: unknown) => {
    // The server was away: the next use tries again.
    byCollection.delete(key);
    throw error;
  });
  byCollection.set(key, making);
  return making;
}

async function make<D extends object>(collection: Collection<D>, indexes: readonly IndexDescription[]): Promise<void> {
  try {
    await collection.createIndexes([...indexes]);
  } catch (error) {
    if (!conflicts.has(Number((error as { code?: unknown }).code))) throw error;
    for (const index of indexes) await replace(collection, index);
  }
}

async function replace<D extends object>(collection: Collection<D>, index: IndexDescription): Promise<void> {
  try {
    await collection.createIndexes([index]);
  } catch (error) {
    if (!conflicts.has(Number((error as { code?: unknown }).code)) || index.name === undefined) throw error;
    await collection.dropIndex(index.name);
    await collection.createIndexes([index]);
  }
}
