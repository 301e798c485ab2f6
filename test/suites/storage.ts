import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MailMessage } from '@quire/registry';
import { Leases, type LeaseRecord } from '../../core/jobs/cluster/index.js';
import { PasswordHasher, Throttle } from '../../core/accounts/index.js';
import {
  contentPlaces,
  linkPasswords,
  openStorage,
  type Storage,
  type StorageSettings,
} from '../../core/storage/index.js';
import type { Blobs, Store } from '../../core/store/index.js';
import type { TemporaryStore } from './temporary-store.js';

/** Storage on its own store, with users and a clock that tests control. */
export interface StorageForTest {
  readonly storage: Storage;
  readonly store: Store;
  readonly blobs: Blobs;
  /** Ids by name; delete an entry to delete the account. */
  readonly people: Map<string, string>;
  /** Names of disabled accounts. */
  readonly disabled: Set<string>;
  readonly mails: MailMessage[];
  readonly clock: { now: number };
  /** Creates a file on disk with this many bytes. */
  upload(bytes: number | Uint8Array): Promise<{ readonly path: string; readonly size: number }>;
  /** The same storage with other settings. */
  with(settings: Partial<StorageSettings>): Storage;
  close(): Promise<void>;
}

const usual: StorageSettings = {
  place: 'database',
  maxFileBytes: undefined,
  maxUserBytes: undefined,
  maxTotalBytes: undefined,
  sharing: true,
  links: true,
  publicLinks: true,
  mails: true,
  linkDays: 3,
  usesPerLink: 10_000,
};

/** Opens storage for `ann`, `bob` and `cid`. */
export async function openStorageForTest(
  temporary: TemporaryStore,
  settings: Partial<StorageSettings> = {},
): Promise<StorageForTest> {
  const store = await temporary.open();
  const folder = await mkdtemp(join(tmpdir(), 'quire-storage-'));
  const people = new Map([
    ['ann', '1'],
    ['bob', '2'],
    ['cid', '3'],
  ]);
  const disabled = new Set<string>();
  const mails: MailMessage[] = [];
  const clock = { now: Date.now() };
  const blobs = store.blobs.area('storage');
  const person = (name: string | undefined, id: string | undefined) =>
    name === undefined || id === undefined
      ? undefined
      : { id, username: name, displayName: null, enabled: !disabled.has(name) };
  const leases = new Leases({ records: store.records<LeaseRecord>('leases'), now: () => Date.now() });
  let count = 0;
  const open = (more: Partial<StorageSettings>): Storage =>
    openStorage({
      // As on several servers, which do not share an in-process queue.
      lease: (name) => leases.place(name, 1, new AbortController().signal),
      store,
      settings: { ...usual, ...settings, ...more },
      now: () => clock.now,
      contents: contentPlaces({
        local: undefined,
        database: blobs,
        s3: () => {
          throw new Error('no bucket');
        },
      }),
      passwords: linkPasswords({
        store,
        hasher: new PasswordHasher({ n: 1024, r: 8, p: 1 }),
        throttle: new Throttle({ passwords: 1000, linkCalls: 1000 }),
        now: () => clock.now,
      }),
      people: {
        byId: async (id) => person([...people].find(([, each]) => each === id)?.[0], id),
        byName: async (name) => person(name, people.get(name)),
      },
      mailer: {
        usable: true,
        send: async (message) => {
          if (String(message.to).includes('refused')) throw new Error('refused');
          mails.push(message);
        },
      },
      message: async (to, link) => ({ to, subject: 'A file', text: link.id }),
      isMailAddress: (text) => text.includes('@'),
      log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
    });
  return {
    storage: open({}),
    store,
    blobs,
    people,
    disabled,
    mails,
    clock,
    with: open,
    async upload(content) {
      const path = join(folder, `upload-${count++}`);
      const bytes = typeof content === 'number' ? Buffer.alloc(content, 120) : content;
      await writeFile(path, bytes);
      return { path, size: bytes.length };
    },
    async close() {
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
