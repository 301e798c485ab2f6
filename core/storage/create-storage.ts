import { join, resolve } from 'node:path';
import type { Clock, Logger, Mailer, MailMessage, Outbound } from '@quire/registry';
import { OperationalError } from '@quire/registry/errors';
import { INTERNAL_ROLE, isMailAddress, type User } from '../accounts/index.js';
import type { LoginRooms } from '../access/login-services.js';
import type { Leases } from '../jobs/cluster/index.js';
import type { Settings } from '../settings/index.js';
import { contentPlaces, openStorage, S3Contents, type FileRecord, type LinkRecord, type Storage } from './index.js';
import { openFolderBlobs, type Store } from '../store/index.js';

/** What storage is put together from. */
export interface StorageRoomParts {
  readonly settings: Settings;
  readonly store: Store;
  readonly login: LoginRooms | undefined;
  readonly mailer: Mailer;
  readonly outbound: Outbound;
  readonly clock: Clock;
  readonly log: Logger;
  leases(): Leases;
}

/** Storage and its upkeep. */
export interface StorageRoom {
  /** Missing while login or `storage.enabled` is off. */
  readonly storage: Storage | undefined;
  /** Begins the upkeep: one round now, then one a day. */
  start(): void;
  stop(): Promise<void>;
}

const MB = 1024 * 1024;
const DAY_MS = 86_400_000;
/**
 * A reservation, or a content without a file, that is older is a crashed upload's where other servers may be at work.
 */
const STALE_MS = 3_600_000;

/** Folder of the provider `local`. */
export function storageFolder(settings: Settings): string {
  return resolve(settings.paths.base, settings.get('storage.local.basePath'));
}

/** Makes storage as the settings `storage.*` say; they are read at the start. */
export function makeStorage({
  settings,
  store,
  login,
  mailer,
  outbound,
  clock,
  log,
  leases,
}: StorageRoomParts): StorageRoom {
  if (login === undefined || !settings.get('storage.enabled'))
    return { storage: undefined, start: () => undefined, stop: async () => undefined };
  const bound = (
    path: 'storage.quotas.maxFileMb' | 'storage.quotas.maxStorageMbPerUser' | 'storage.quotas.maxStorageMbTotal',
  ): number | undefined => (settings.get(path) < 0 ? undefined : settings.get(path) * MB);
  const person = (user: User | undefined): User | undefined => (user?.role === INTERNAL_ROLE ? undefined : user);
  const shared = store.kind === 'mongodb';
  let bucket: S3Contents | undefined;
  const storage = openStorage({
    store,
    mailer,
    log,
    isMailAddress,
    now: () => clock.now().getTime(),
    contents: contentPlaces({
      // Servers on one MongoDB share what they keep, so a folder of one of them is no place for it.
      local: shared ? undefined : openFolderBlobs(storageFolder(settings)),
      database: store.blobs.area('storage'),
      s3: () => (bucket ??= openBucket(settings, outbound)),
    }),
    settings: {
      place: settings.get('storage.provider') as 'local' | 'database' | 's3',
      maxFileBytes: bound('storage.quotas.maxFileMb'),
      maxUserBytes: bound('storage.quotas.maxStorageMbPerUser'),
      maxTotalBytes: bound('storage.quotas.maxStorageMbTotal'),
      sharing: settings.get('storage.sharing.enabled'),
      links: settings.get('storage.sharing.linkEnabled') && settings.get('system.frontendUrl') !== '',
      mails: settings.get('storage.sharing.emailEnabled'),
      linkDays: settings.get('storage.sharing.linkExpirationDays'),
      usesPerLink: settings.get('limits.usesPerLink'),
    },
    people: {
      byId: (id) => login.accounts.byId(id),
      byName: async (name) => person(await login.accounts.byName(name)),
    },
    message: (to, link, file) => linkMail(to, link, file, settings),
    ...(shared ? { lease: (name: string) => leases().place(name, 1, new AbortController().signal) } : {}),
  });
  login.accounts.onUserChange(async (userId, what) => {
    // What cannot be removed now is found by the upkeep: its owner is gone.
    if (what === 'gone')
      await storage
        .forgetUser(userId)
        .catch((error: unknown) => log.warn({ err: error }, 'stored files of a deleted user are removed later'));
  });
  let round: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const keepUp = (before: number): void => {
    round = storage
      .keepUp(before)
      .catch((error: unknown) =>
        log.warn({ err: error }, 'the upkeep of storage broke off; it is tried again tomorrow'),
      );
  };
  return {
    storage,
    start() {
      // The folder of an embedded store is ours alone, and nothing was taken in yet: whatever is unfinished there is a
      // dead process's.
      keepUp(Date.now() - (shared ? STALE_MS : 0));
      timer = setInterval(() => keepUp(Date.now() - STALE_MS), DAY_MS).unref();
    },
    async stop() {
      clearInterval(timer);
      await round;
    },
  };
}

/** The bucket of the settings. Throws SERVICE_NOT_SET_UP where they do not say which, or by whose keys. */
function openBucket(settings: Settings, outbound: Outbound): S3Contents {
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret, AWS_SESSION_TOKEN: sessionToken } = process.env;
  const own = settings.get('storage.s3.accessKey') !== '';
  const [accessKey, secretKey] = own
    ? [settings.get('storage.s3.accessKey'), settings.get('storage.s3.secretKey')]
    : [id ?? '', secret ?? ''];
  const wrong = (detail: string): OperationalError =>
    new OperationalError('SERVICE_NOT_SET_UP', { service: 'Storage in a bucket', detail });
  const bucket = settings.get('storage.s3.bucket');
  const endpoint = settings.get('storage.s3.endpoint');
  if (bucket === '') throw wrong('storage.s3.bucket is empty');
  if (accessKey === '' || secretKey === '')
    throw wrong('storage.s3.accessKey and secretKey are empty, and so are AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY');
  if (endpoint !== '' && !/^https?:\/\//.test(endpoint))
    throw wrong('storage.s3.endpoint is no address that begins with https:// or http://');
  return new S3Contents({
    outbound,
    temporaryFolder: join(settings.paths.tmp, 'bucket'),
    settings: {
      endpoint,
      bucket,
      region: settings.get('storage.s3.region'),
      accessKey,
      secretKey,
      sessionToken: own ? undefined : sessionToken,
      pathStyle: settings.get('storage.s3.pathStyleAccess'),
      privateEndpoint: settings.get('storage.s3.allowPrivateEndpoints'),
      checkRequests: settings.get('storage.s3.requestChecksumCalculation') === 'WHEN_SUPPORTED',
      checkAnswers: settings.get('storage.s3.responseChecksumValidation') === 'WHEN_SUPPORTED',
    },
  });
}

/** Brings somebody a link to a file. */
function linkMail(to: string, link: LinkRecord, file: FileRecord, settings: Settings): MailMessage {
  const name = settings.get('ui.appNameNavbar') || 'Quire';
  const url = `${settings.get('system.frontendUrl').replace(/\/+$/, '')}/share/${link.id}`;
  const until =
    link.expiresAt === null
      ? ''
      : `\nThe link works until ${new Date(link.expiresAt).toISOString().slice(0, 16).replace('T', ' ')} UTC.\n`;
  return {
    to,
    subject: `A file was shared with you on ${name}`,
    text: `The file "${file.fileName}" was shared with you on ${name}:\n\n${url}\n${until}`,
  };
}
