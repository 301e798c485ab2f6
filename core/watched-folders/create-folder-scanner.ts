import { createHash } from 'node:crypto';
import { AccessError, isQuireError, type Clock, type Logger, type Principal } from '@quire/registry';
import type { Guard } from '../access/index.js';
import type { Leases } from '../jobs/cluster/index.js';
import { FolderScanner, scanSettings, type FolderRunEnd, type FolderScanParts } from './index.js';
import type { PipelineService } from '../operations/pipelines/index.js';
import type { Settings } from '../settings/index.js';

/** What watched folders are put together from. */
export interface FolderScanning {
  readonly settings: Settings;
  readonly log: Logger;
  readonly clock: Clock;
  readonly guard: Guard;
  readonly pipelines: PipelineService;
  readonly scratchRoot: string;
  /** Runs at once where the setting leaves it open. */
  readonly jobs: number;
  /** Present where other nodes may see the same folders. */
  readonly leases?: Leases;
  /** Told of every run that has ended. */
  readonly ended?: (end: FolderRunEnd) => void;
}

const LEASE_MS = 30_000;

/** The scanner of this server; undefined where the setting is off. */
export function makeFolderScanner({
  settings,
  log,
  clock,
  guard,
  pipelines,
  scratchRoot,
  jobs,
  leases,
  ended,
}: FolderScanning): FolderScanner | undefined {
  if (!settings.get('autoPipeline.enabled')) return undefined;
  const scan = scanSettings(settings, jobs);
  return new FolderScanner({
    settings: scan,
    log,
    clock,
    pipelines,
    scratchRoot,
    principal: () => principalOf(guard, scan.runAs),
    ...(leases === undefined ? {} : { right: rightOf(leases) }),
    ...(ended === undefined ? {} : { ended }),
  });
}

/** The account, or an AccessError that names the setting. */
async function principalOf(guard: Guard, runAs: string): Promise<Principal> {
  try {
    return await guard.actAs(runAs);
  } catch (error) {
    if (!isQuireError(error) || error.code !== 'ACCOUNT_DISABLED') throw error;
    const told = new AccessError('ACCOUNT_DISABLED');
    told.message =
      runAs === ''
        ? 'Login is on, so watched folders need an account to work for: name one with the setting autoPipeline.runAs.'
        : `The account ${JSON.stringify(runAs)} of the setting autoPipeline.runAs is unknown or disabled.`;
    throw told;
  }
}

/** A folder is one node's for as long as it works there; a dead node's is free after half a minute. */
function rightOf(leases: Leases): NonNullable<FolderScanParts['right']> {
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
