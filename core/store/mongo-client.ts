import type { Db, MongoClient } from 'mongodb';

/** A client that connects on first use and again after every loss. */
export interface MongoConnection {
  readonly client: MongoClient;
  readonly database: Db;
  readonly driver: typeof import('mongodb');
}

/**
 * Requests must answer 503 soon instead of hanging on a dead store, or on one whose primary has lost the majority: with
 * an arbiter it stays primary, and writes would wait for ever.
 */
const timeLimits = {
  serverSelectionTimeoutMS: 3000,
  connectTimeoutMS: 3000,
  socketTimeoutMS: 60_000,
  wtimeoutMS: 20_000,
};

/**
 * Prepares a connection without dialling, so that a server starts while its MongoDB is still down. Time limits that the
 * address names win over ours; a read preference does not, because nodes must read what others have just written.
 */
export async function openMongo(url: string, database: string): Promise<MongoConnection> {
  const driver = await import('mongodb');
  const named = new Set([...new URLSearchParams(url.split('?')[1])].map(([name]) => name.toLowerCase()));
  const client = new driver.MongoClient(url, {
    appName: 'quire',
    ...Object.fromEntries(Object.entries(timeLimits).filter(([name]) => !named.has(name.toLowerCase()))),
    retryWrites: true,
    writeConcern: { w: 'majority', journal: true },
  });
  return { client, database: client.db(database, { readPreference: driver.ReadPreference.primary }), driver };
}
