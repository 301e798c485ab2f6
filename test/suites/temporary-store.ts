import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, type Store } from '../../core/store/index.js';
import { startTestMongodb, type TestMongodb } from '../../tools/mongodb/test-mongodb.mjs';

/** Opens an initially empty store; each call to `open` returns the same one again, as after a restart. */
export interface TemporaryStore {
  open(): Promise<Store>;
  /** Folder of the embedded store; undefined with MongoDB. */
  readonly folder: string | undefined;
  remove(): Promise<void>;
}

/** Creates an empty embedded store in a temporary folder. */
export async function temporaryEmbeddedStore(): Promise<TemporaryStore> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-store-'));
  return {
    folder,
    open: () => openStore({ kind: 'embedded', folder }),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Creates an empty database on the MongoDB at the address. */
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

let started: Promise<TestMongodb | undefined> | undefined;

/**
 * Address of a MongoDB for tests, one for this process (`tools/mongodb/test-mongodb.mjs`); undefined when there is
 * none.
 */
export async function mongoTestUrl(): Promise<string | undefined> {
  started ??= startTestMongodb();
  return (await started)?.url;
}

let withStreams: Promise<TestMongodb | undefined> | undefined;

/** Address of a MongoDB for tests that has change streams, one for this process; undefined when there is none. */
export async function mongoStreamsUrl(): Promise<string | undefined> {
  withStreams ??= startTestMongodb({ changeStreams: true });
  return (await withStreams)?.url;
}

/** Declares one suite for both adapters; the MongoDB half is skipped without a server. */
export function describeStores(
  title: string,
  suite: (make: () => Promise<TemporaryStore>, kind: Store['kind']) => void,
): void {
  describe(`${title}, embedded`, () => suite(temporaryEmbeddedStore, 'embedded'));
  describe(`${title}, MongoDB`, () => {
    let url: string | undefined;
    before(async function () {
      this.timeout(90_000);
      url = await mongoTestUrl();
      if (url === undefined) this.skip();
    });
    suite(() => temporaryMongoStore(url ?? ''), 'mongodb');
  });
}
