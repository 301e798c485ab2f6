import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, type Store } from '../../core/store/index.js';

/** A way to get an empty store; each call to `open` gives the same one again, as after a restart. */
export interface TemporaryStore {
  open(): Promise<Store>;
  /** Folder of the embedded store; undefined with MongoDB. */
  readonly folder: string | undefined;
  remove(): Promise<void>;
}

/** Makes an empty embedded store in a temporary folder. */
export async function temporaryEmbeddedStore(): Promise<TemporaryStore> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-store-'));
  return { folder, open: () => openStore({ kind: 'embedded', folder }), remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Makes an empty database on the MongoDB at the address. */
export async function temporaryMongoStore(url: string): Promise<TemporaryStore> {
  const database = `quire_test_${randomBytes(6).toString('hex')}`;
  return {
    folder: undefined,
    open: () => openStore({ kind: 'mongodb', url, database }),
    remove: async () => {
      const store = await openStore({ kind: 'mongodb', url, database });
      await store.mongo?.database.dropDatabase();
      await store.close();
    },
  };
}

let started: Promise<string | undefined> | undefined;

/** Address of a MongoDB for tests: `MONGODB_TEST_URL`, else a `mongodb-memory-server` when that package is installed, else undefined. */
export function mongoTestUrl(): Promise<string | undefined> {
  started ??= findMongo();
  return started;
}

async function findMongo(): Promise<string | undefined> {
  const given = process.env['MONGODB_TEST_URL'];
  if (given) return given;
  // Not a dependency: it fetches a server program. Used where somebody has put it.
  const specifier: string = 'mongodb-memory-server';
  try {
    const { MongoMemoryServer } = (await import(specifier)) as { MongoMemoryServer: { create(): Promise<{ getUri(): string }> } };
    return (await MongoMemoryServer.create()).getUri();
  } catch {
    return undefined;
  }
}

/** Declares one suite for both adapters; the MongoDB half is skipped by name where there is no server. */
export function describeStores(title: string, suite: (make: () => Promise<TemporaryStore>) => void): void {
  describe(`${title}, embedded`, () => suite(temporaryEmbeddedStore));
  describe(`${title}, MongoDB (skipped without MONGODB_TEST_URL)`, () => {
    let url: string | undefined;
    before(async function () {
      this.timeout(60_000);
      url = await mongoTestUrl();
      if (url === undefined) this.skip();
    });
    suite(() => temporaryMongoStore(url ?? ''));
  });
}
