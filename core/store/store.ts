import { join } from 'node:path';
import type { Blobs } from './blobs.js';
import type { StoreChanges, WatchedCollection } from './mongo-changes.js';
import type { MongoConnection } from './mongo-client.js';
import type { Identified, Records, StoreRecordsOptions } from './records.js';
import { withStoreErrors } from './store-errors.js';

/** Where everything is kept: one folder for one server, or a MongoDB for many. */
export type StoreSettings =
  | { readonly kind: 'embedded'; readonly folder: string }
  | { readonly kind: 'mongodb'; readonly url: string; readonly database: string };

/** The open store. */
export interface Store {
  readonly kind: StoreSettings['kind'];
  /** Opens a record set; the same name must always be opened with the same options. */
  records<T extends Identified>(name: string, options?: StoreRecordsOptions): Records<T>;
  /** Blobs of the area `files`; `blobs.area(name)` gives others. */
  readonly blobs: Blobs;
  /** True while the store answers; never rejects. */
  ready(): Promise<boolean>;
  /** Version of the database behind it. Rejects with STORE_DOWN. */
  version(): Promise<string>;
  /** The time that all servers on this store share, for locks and expiry. */
  serverTime(): Promise<Date>;
  /** The connection for Agenda's own MongoDB backend; undefined when embedded. */
  readonly mongo: MongoConnection | undefined;
  /** Prepares a stream of the changes that anybody makes; undefined when embedded, where nobody else makes any. */
  readonly watch: ((collections: readonly WatchedCollection[]) => StoreChanges) | undefined;
  close(): Promise<void>;
}

/**
 * Opens the store. Embedded: creates the folder, throws SETTINGS_INVALID when another process has it. MongoDB: does not
 * wait for the server.
 */
export async function openStore(settings: StoreSettings): Promise<Store> {
  return settings.kind === 'embedded' ? openEmbedded(settings.folder) : openMongodb(settings.url, settings.database);
}

async function openEmbedded(folder: string): Promise<Store> {
  const { openEmbeddedDatabase } = await import('./embedded-database.js');
  const { openEmbeddedRecords } = await import('./embedded-records.js');
  const { openEmbeddedBlobs } = await import('./embedded-blobs.js');
  const { database, turns, close } = await openEmbeddedDatabase(folder);
  let open = true;
  return {
    kind: 'embedded',
    records: <T extends Identified>(name: string, options?: StoreRecordsOptions) =>
      openEmbeddedRecords<T>({ database, turns }, name, options),
    blobs: openEmbeddedBlobs(join(folder, 'blobs')),
    mongo: undefined,
    watch: undefined,
    ready: async () => {
      try {
        return open && database.prepare('SELECT 1 AS one').get([])?.['one'] === 1;
      } catch {
        return false;
      }
    },
    version: () =>
      withStoreErrors(() => String(database.prepare('SELECT sqlite_version() AS version').get([])?.['version'])),
    serverTime: async () => new Date(),
    close: async () => {
      if (!open) return;
      open = false;
      close();
    },
  };
}

async function openMongodb(url: string, database: string): Promise<Store> {
  const { openMongo } = await import('./mongo-client.js');
  const { openMongoRecords } = await import('./mongo-records.js');
  const { openMongoBlobs } = await import('./mongo-blobs.js');
  const { openMongoChanges } = await import('./mongo-changes.js');
  const connection = await openMongo(url, database);
  return {
    kind: 'mongodb',
    records: <T extends Identified>(name: string, options?: StoreRecordsOptions) =>
      openMongoRecords<T>(connection, name, options),
    blobs: openMongoBlobs(connection),
    mongo: connection,
    watch: (collections) => openMongoChanges(connection, collections),
    ready: () =>
      connection.database.command({ ping: 1 }).then(
        () => true,
        () => false,
      ),
    version: () =>
      withStoreErrors(async () => String((await connection.database.command({ buildInfo: 1 }))['version'])),
    serverTime: () =>
      withStoreErrors(async () => {
        const { localTime } = await connection.database.command({ hello: 1 });
        return localTime instanceof Date ? localTime : new Date();
      }),
    close: () => connection.client.close(),
  };
}
