import { resolve } from 'node:path';
import type { Clock, Endpoint, Logger, Mailer, Outbound } from '@quire/registry';
import { INTERNAL_ROLE, isMailAddress, principalOf, type LoginServices, type User } from '../accounts/index.js';
import type { Leases } from '../jobs/cluster/index.js';
import type { Settings } from '../settings/index.js';
import { openFolderBlobs, type Store } from '../store/index.js';
import { storageEndpoints } from './endpoints/index.js';
import { contentPlaces, openStorage, type Storage } from './index.js';
import { linkMail } from './link-mail.js';
import { linkPasswords } from './link-passwords.js';
import { openBucket } from './open-bucket.js';
import type { S3Contents } from './s3-contents.js';

export interface CreateStorageDeps {
  readonly settings: Settings;
  readonly store: Store;
  readonly login: LoginServices | undefined;
  readonly mailer: Mailer;
  readonly outbound: Outbound;
  readonly clock: Clock;
  readonly log: Logger;
  readonly leases: Leases;
}

export interface StorageFeature {
  /** Undefined while login or `storage.enabled` is off. */
  readonly storage: Storage | undefined;
  readonly endpoints: readonly Endpoint[];
  /** Starts the maintenance: once now, then daily. */
  start(): void;
  stop(): Promise<void>;
}

const MB = 1024 * 1024;
const DAY_MS = 86_400_000;
/**
 * On a shared store other servers may be uploading. An older reservation, or older content without a file, was left by
 * a crash.
 */
const STALE_MS = 3_600_000;

/** Returns the folder of the provider `local`. */
export function storageFolder(settings: Settings): string {
  return resolve(settings.paths.base, settings.get('storage.local.basePath'));
}

/** Opens the storage with the settings `storage.*`, which are read at the start. */
export function createStorage(deps: CreateStorageDeps): StorageFeature {
  const { settings, store, login, log } = deps;
  if (login === undefined || !settings.get('storage.enabled')) {
    const endpoints = storageEndpoints({ settings, storage: undefined });
    return { storage: undefined, endpoints, start: () => undefined, stop: async () => undefined };
  }
  const storage = openConfiguredStorage(deps, login);
  login.accounts.onUserChange(async (userId, what) => {
    // Files that cannot be removed now are found by the maintenance, because their owner no longer exists.
    if (what === 'gone')
      await storage
        .forgetUser(userId)
        .catch((error: unknown) =>
          log.warn(
            { err: error },
            'stored files of a deleted user could not be removed; the next maintenance removes them',
          ),
        );
  });
  return {
    storage,
    endpoints: storageEndpoints({ settings, storage }),
    ...upkeepOf(storage, store, log),
  };
}

function openConfiguredStorage(
  { settings, store, mailer, outbound, clock, log, leases }: CreateStorageDeps,
  { accounts, roles, throttle }: LoginServices,
): Storage {
  const maxBytes = (
    path: 'storage.quotas.maxFileMb' | 'storage.quotas.maxStorageMbPerUser' | 'storage.quotas.maxStorageMbTotal',
  ): number | undefined => (settings.get(path) < 0 ? undefined : settings.get(path) * MB);
  const person = (user: User | undefined): User | undefined => (user?.role === INTERNAL_ROLE ? undefined : user);
  const shared = store.kind === 'mongodb';
  const now = (): number => clock.now().getTime();
  let bucket: S3Contents | undefined;
  return openStorage({
    store,
    mailer,
    log,
    isMailAddress,
    now,
    passwords: linkPasswords({ store, hasher: accounts.passwords, throttle, now }),
    contents: contentPlaces({
      // Servers on one MongoDB share their files, so a folder of one server cannot be used.
      local: shared ? undefined : openFolderBlobs(storageFolder(settings)),
      database: store.blobs.area('storage'),
      s3: () => (bucket ??= openBucket(settings, outbound)),
    }),
    settings: {
      place: settings.get('storage.provider') as 'local' | 'database' | 's3',
      maxFileBytes: maxBytes('storage.quotas.maxFileMb'),
      maxUserBytes: maxBytes('storage.quotas.maxStorageMbPerUser'),
      maxTotalBytes: maxBytes('storage.quotas.maxStorageMbTotal'),
      roleBytesOf: async (ownerId) => {
        const user = await accounts.byId(ownerId);
        const most = user && roles.rightsOf(principalOf(user, 'none')).limits.storageMb;
        return most === null || most === undefined ? undefined : most * MB;
      },
      sharing: settings.get('storage.sharing.enabled'),
      links: settings.get('storage.sharing.linkEnabled') && settings.get('system.frontendUrl') !== '',
      publicLinks: settings.get('storage.sharing.publicLinkEnabled'),
      mails: settings.get('storage.sharing.emailEnabled'),
      linkDays: settings.get('storage.sharing.linkExpirationDays'),
      usesPerLink: settings.get('limits.usesPerLink'),
    },
    people: {
      byId: (id) => accounts.byId(id),
      byName: async (name) => person(await accounts.byName(name)),
    },
    message: (to, link, file, accepted) =>
      linkMail(to, link, file, { settings, hints: { accepted, usual: settings.get('system.defaultLocale') } }),
    ...(shared ? { lease: (name: string) => leases.place(name, 1, new AbortController().signal) } : {}),
  });
}

function upkeepOf(storage: Storage, store: Store, log: Logger): Pick<StorageFeature, 'start' | 'stop'> {
  let round: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const keepUp = (before: number): void => {
    round = storage
      .keepUp(before)
      .catch((error: unknown) =>
        log.warn({ err: error }, 'maintenance of the storage failed; it is tried again tomorrow'),
      );
  };
  return {
    start() {
      // Only this process uses an embedded store, and nothing was uploaded yet: every unfinished file was left by a
      // dead process.
      keepUp(Date.now() - (store.kind === 'mongodb' ? STALE_MS : 0));
      timer = setInterval(() => keepUp(Date.now() - STALE_MS), DAY_MS).unref();
    },
    async stop() {
      clearInterval(timer);
      await round;
    },
  };
}
