import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, Logger } from '@quire/registry';
import type { Logger as Pino } from 'pino';
import { officeFolder, runsFolder, sweepOffice, waitingFolder } from '../engines/programs/index.js';
import { nodeRole, type NodeRole } from '../jobs/cluster/index.js';
import { sweepScratch } from '../operations/runner/index.js';
import { killLeftoverWorkers } from '../operations/workers/index.js';
import { openStoreSecret, type ServerSecret } from '../secrets/index.js';
import { sizeToBytes, type Settings } from '../settings/index.js';
import { storageFolder } from '../storage/create-storage.js';
import { DiskReserve } from '../storage/index.js';
import type { Store } from '../store/index.js';
import { asLogger, createLog } from './log.js';
import { openServerStore, whenStoreAnswers } from './store-start.js';

/** Settings, log and store: every other part of the server uses them. */
export interface Base {
  readonly settings: Settings;
  readonly version: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** The same log, for Hapi. */
  readonly pino: Pino;
  readonly store: Store;
  readonly role: NodeRole;
  /** Parent of the private folders of requests and jobs. */
  readonly scratchRoot: string;
  /** Space that stays free on the volumes of temporary and stored files. */
  readonly disk: DiskReserve;
  /** Folder of marker files for worker processes; they identify processes that a killed server left running. */
  readonly markerFolder: string;
}

export async function openBase({ settings, version }: Pick<Base, 'settings' | 'version'>): Promise<Base> {
  const pino = await createLog(settings);
  const log = asLogger(pino);
  for (const warning of settings.warnings) log.warn({}, warning);
  const role = nodeRole(settings);
  const store = await openServerStore({ settings, log, version });
  return {
    settings,
    version,
    clock: { now: () => new Date() },
    log,
    pino,
    store,
    role,
    scratchRoot: join(settings.paths.tmp, 'runs'),
    disk: new DiskReserve({
      folders: [settings.paths.tmp, settings.paths.store, storageFolder(settings)],
      bytes: sizeToBytes(settings.get('limits.diskReserve')),
    }),
    markerFolder: join(settings.paths.tmp, 'workers'),
  };
}

/**
 * Removes files and processes that a server left behind in this base folder. Call it after the store is open: only then
 * is it certain that no other server uses the folder.
 */
export async function sweepLeftovers({ settings, scratchRoot, markerFolder }: Base): Promise<void> {
  await mkdir(markerFolder, { recursive: true, mode: 0o700 });
  await killLeftoverWorkers(markerFolder);
  await sweepScratch(scratchRoot);
  for (const folder of [runsFolder, waitingFolder])
    await rm(folder(settings.paths.tmp), { recursive: true, force: true });
  await sweepOffice(officeFolder(settings));
}

export async function openSecret({ settings, store, clock, log, version }: Base): Promise<ServerSecret> {
  return whenStoreAnswers(store, log, () =>
    openStoreSecret({
      store,
      setting: settings.get('store.secret'),
      file: join(settings.paths.store, 'server.key'),
      clock,
      log,
      version,
    }),
  );
}
