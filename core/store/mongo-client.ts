import type { Db, MongoClient } from 'mongodb';

/** A client that connects on first use and again after every loss. */
export interface MongoConnection {
  readonly client: MongoClient;
  readonly database: Db;
  readonly driver: typeof import('mongodb');
}

/** Prepares a connection without dialling, so that a server starts while its MongoDB is still down. */
export async function openMongo(url: string, database: string): Promise<MongoConnection> {
  const driver = await import('mongodb');
  const client = new driver.MongoClient(url, {
    appName: 'quire',
    // Requests must answer 503 soon instead of hanging on a dead store.
    serverSelectionTimeoutMS: 3000,
    connectTimeoutMS: 3000,
    socketTimeoutMS: 60_000,
    retryWrites: true,
    writeConcern: { w: 'majority', journal: true },
  });
  return { client, database: client.db(database), driver };
}
