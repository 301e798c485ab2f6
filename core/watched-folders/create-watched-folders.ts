import { createHash } from 'node:crypto';
import { AccessError, isQuireError, type Clock, type Logger, type Principal } from '@quire/registry';
import type { Guard } from '../access/index.js';
import type { Leases } from '../jobs/cluster/index.js';
import { FolderScanner, scanSettings, type FolderRunEnd, type FolderScanDeps } from './index.js';
import type { PipelineService } from '../operations/pipelines/index.js';
import type { Settings } from '../settings/index.js';

export interface CreateWatchedFoldersDeps {
  readonly settings: Settings;
  readonly log: Logger;
  readonly clock: Clock;
  readonly guard: Guard;
  readonly pipelines: PipelineService;
  readonly scratchRoot: string;
  /** How many runs may work at once if the setting is empty. */
  readonly concurrency: number;
  /** Present if other nodes may see the same folders. */
  readonly leases: Leases | undefined;
  /** False on a node that runs no jobs; it watches no folders either. */
  readonly runsJobs: boolean;
  accepting(): boolean;
  /** Called for every run that has ended. */
  folderRunEnded(end: FolderRunEnd): void;
}

export interface WatchedFoldersFeature {
  /** Also continues the runs that the last process did not finish. */
  start(): Promise<void>;
  stop(patienceMs: number): Promise<void>;
}

const LEASE_MS = 30_000;

/** Creates the watched folders feature. It scans only while `autoPipeline.enabled` is on. */
export function createWatchedFolders(deps: CreateWatchedFoldersDeps): WatchedFoldersFeature {
  let scanner: FolderScanner | undefined;
  return {
    async start() {
      if (!deps.runsJobs || !deps.accepting() || !deps.settings.get('autoPipeline.enabled')) return;
      scanner = createScanner(deps);
      await scanner.start();
    },
    stop: async (patienceMs) => scanner?.stop(patienceMs),
  };
}

function createScanner({
  settings,
  log,
  clock,
  guard,
  pipelines,
  scratchRoot,
  concurrency,
  leases,
  folderRunEnded,
}: CreateWatchedFoldersDeps): FolderScanner {
  const scan = scanSettings(settings, concurrency);
  return new FolderScanner({
    settings: scan,
    log,
    clock,
    pipelines,
    scratchRoot,
    principal: () => folderAccount(guard, scan.runAs),
    ended: folderRunEnded,
    ...(leases === undefined ? {} : { lease: leaseOf(leases) }),
  });
}

/** Returns the account that runs of watched folders use. Throws an AccessError that names the setting. */
async function folderAccount(guard: Guard, runAs: string): Promise<Principal> {
  try {
    return await guard.actAs(runAs);
  } catch (error) {
    if (!isQuireError(error) || error.code !== 'ACCOUNT_DISABLED') throw error;
    const refusal = new AccessError('ACCOUNT_DISABLED');
    refusal.message =
      runAs === ''
        ? 'Login is on, so watched folders need an account: name one with the setting autoPipeline.runAs.'
        : `The account ${JSON.stringify(runAs)} of the setting autoPipeline.runAs is unknown or disabled.`;
    throw refusal;
  }
}

/** One node holds a folder's lease while it works there; the folder of a dead node is free after half a minute. */
function leaseOf(leases: Leases): NonNullable<FolderScanDeps['lease']> {
  return async (key) => {
    const lease = await leases.take(`folder ${createHash('sha256').update(key).digest('hex')}`, LEASE_MS);
    if (lease === undefined) return undefined;
    const timer = setInterval(() => void lease.renew().catch(() => undefined), LEASE_MS / 3).unref();
    return {
      renew: () => lease.renew(),
      release: async () => {
        clearInterval(timer);
        await lease.release();
      },
    };
  };
}
