import type { Logger, Mailer, MailMessage } from '@quire/registry';
import type { Store } from '../store/index.js';
import type { Contents } from './contents.js';
import { FileViews } from './file-views.js';
import { Folders } from './folders.js';
import { KeptFiles } from './kept-files.js';
import { LinkVisits } from './link-visits.js';
import type { FileRecord, LinkPasswords, LinkRecord, People, StorageSettings } from './model.js';
import { allFiles, Quotas } from './quotas.js';
import { Shares } from './shares.js';
import { openStorageRecords } from './storage-records.js';
import { keepUp, type UpkeepReport } from './upkeep.js';

export interface StorageDeps {
  readonly store: Pick<Store, 'records'>;
  readonly contents: Contents;
  readonly settings: StorageSettings;
  readonly people: People;
  readonly passwords: LinkPasswords;
  readonly mailer: Pick<Mailer, 'usable' | 'send'>;
  readonly log: Logger;
  /** Returns the mail that contains a link. */
  message(to: string, link: LinkRecord, file: FileRecord, accepted: string | undefined): Promise<MailMessage>;
  isMailAddress(text: string): boolean;
  now(): number;
  /**
   * Waits until this is the only server that runs work of this name; the returned function ends that. Missing if there
   * is only one server.
   */
  readonly lease?: (name: string) => Promise<() => Promise<void>>;
}

/** Files, folders, shares and maintenance. */
export interface Storage {
  readonly files: KeptFiles;
  readonly folders: Folders;
  readonly shares: Shares;
  readonly visits: LinkVisits;
  readonly views: FileViews;
  readonly quotas: Quotas;
  readonly contents: Contents;
  /** Runs the maintenance once (`keepUp`). */
  keepUp(before: number): Promise<UpkeepReport>;
  /** Returns the number of files and their bytes by owner. */
  overview(): Promise<ReadonlyMap<string, { readonly files: number; readonly bytes: number }>>;
  /** Removes all data of a deleted user. */
  forgetUser(userId: string): Promise<void>;
}

/** Creates the storage. Reads and writes nothing yet. */
export function openStorage({
  store,
  contents,
  settings,
  people,
  passwords,
  mailer,
  log,
  message,
  isMailAddress,
  now,
  lease,
}: StorageDeps): Storage {
  const records = openStorageRecords(store);
  const quotas = new Quotas(records, settings, now);
  const files = new KeptFiles({ records, contents, quotas, settings, now });
  const shares = new Shares({ records, files, people, passwords, mailer, settings, message, isMailAddress, now });
  return {
    files,
    shares,
    visits: new LinkVisits({ records, files, shares, people, passwords, settings, now }),
    quotas,
    contents,
    folders: new Folders({ records, now, alone: oneByOne(lease) }),
    views: new FileViews(records, people, shares),
    keepUp: (before) =>
      keepUp(
        { records, contents, files, quotas, people, passwords, log, now, usesPerLink: settings.usesPerLink },
        before,
      ),
    async overview() {
      const owners = new Map<string, { files: number; bytes: number }>();
      for await (const { ownerId, totalBytes } of allFiles(records)) {
        const { files: count, bytes } = owners.get(ownerId) ?? { files: 0, bytes: 0 };
        owners.set(ownerId, { files: count + 1, bytes: bytes + totalBytes });
      }
      return owners;
    },
    async forgetUser(userId) {
      for (const { id } of await records.files.find({ ownerId: userId }))
        await files
          .remove(userId, id)
          .catch((error: unknown) =>
            log.warn({ err: error }, 'a file of a deleted user could not be removed; the next maintenance removes it'),
          );
      await records.folders.deleteMany({ ownerId: userId });
      await records.shares.deleteMany({ userId });
      await records.opened.deleteMany({ userId });
      await records.usage.delete(`user ${userId}`);
    },
  };
}

/** Runs one piece of work at a time for each name: in this process by a queue, among servers by a lease. */
function oneByOne(lease: StorageDeps['lease']): <T>(name: string, work: () => Promise<T>) => Promise<T> {
  const lines = new Map<string, Promise<unknown>>();
  return async (name, work) => {
    const turn = (lines.get(name) ?? Promise.resolve()).then(async () => {
      const release = await lease?.(`storage folders ${name}`);
      try {
        return await work();
      } finally {
        await release?.();
      }
    });
    const quiet = turn.catch(() => undefined);
    lines.set(name, quiet);
    try {
      return await turn;
    } finally {
      if (lines.get(name) === quiet) lines.delete(name);
    }
  };
}
