import type { Clock } from '@quire/registry';
import { knownKeyByPath } from '../../settings/index.js';
import { Backups, storeFacts, type Store } from '../../store/index.js';
import { BackupMails, type BackupMailsDeps } from './backup-mails.js';
import { BackupSchedule } from './backup-schedule.js';

export interface CreateBackupsDeps extends BackupMailsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly version: string;
}

export interface BackupsFeature {
  /** Undefined with MongoDB, which has its own backup tools. */
  readonly backups: Backups | undefined;
  start(): void;
  /** Waits for a backup that is being made. */
  stop(): Promise<void>;
}

const SCHEDULE = 'system.databaseBackup.cron';

/** Creates the backups of the store, with their schedule and their mails to administrators. */
export function createBackups(deps: CreateBackupsDeps): BackupsFeature {
  const { settings, store, clock, log } = deps;
  const pattern = settings.get(SCHEDULE);
  if (store.kind === 'mongodb')
    return {
      backups: undefined,
      start: () => {
        if (pattern !== knownKeyByPath.get(SCHEDULE)?.default && pattern.trim() !== '')
          log.warn({}, `${SCHEDULE} has no effect on a store in MongoDB. Back it up with mongodump or snapshots.`);
      },
      stop: async () => undefined,
    };
  const mails = new BackupMails(deps);
  const backups = new Backups({
    store,
    folder: settings.paths.store,
    clock,
    keep: settings.get('store.backups.keep'),
    onEnd: (end) => void mails.report(end),
  });
  const schedule = new BackupSchedule({ ...deps, backups, facts: storeFacts(store), pattern });
  return {
    backups,
    start: () => {
      mails.start();
      schedule.start();
    },
    stop: () => schedule.stop(),
  };
}
