import { availableParallelism } from 'node:os';
import type { CatalogOperation } from '@quire/catalog';
import type { NodeRole } from '../jobs/cluster/index.js';
import type { EffectiveLimits, RunRequest } from './runner/index.js';
import type { PoolLimits } from './workers/index.js';
import type { WorkLimit } from '../semaphore/index.js';
import { sizeToBytes, type Settings } from '../settings/index.js';

/** Default upload limit (`docs/interface/general.yml`, common rules). */
const DEFAULT_UPLOAD = '2000MB';

/** Returns the largest accepted request body in bytes. */
export function uploadLimit(settings: Settings): number {
  return sizeToBytes(settings.get('system.fileUploadLimit') || DEFAULT_UPLOAD) ?? Infinity;
}

/** Returns the sizes and limits of the worker pool. */
export function poolLimits(settings: Settings, role: NodeRole): PoolLimits {
  const size = settings.get('limits.workers') || availableParallelism();
  return {
    size,
    reserved: reservedOf(size, role),
    keptForShort: role.serves ? Math.min(settings.get('limits.workersForShortCalls'), size - 1) : 0,
    usualTimeoutMs: settings.get('limits.syncTimeoutSeconds') * 1000,
    totalTimes: settings.get('limits.totalTimeFactor'),
    memoryMb: settings.get('limits.workerMemoryMb'),
    recycleAfterRuns: settings.get('limits.workerRunsBeforeRecycle'),
    idleMs: settings.get('limits.workerIdleSeconds') * 1000,
    ready: settings.get('limits.workersReady'),
    readyAfterStartMs: settings.get('limits.readyAfterStartSeconds') * 1000,
    queueLength: settings.get('limits.queueLength') || 2 * size + 50,
  };
}

/**
 * Workers that jobs leave free for direct calls: a quarter, at least one; zero if the node does only one of the two, or
 * has a single worker.
 */
function reservedOf(size: number, { serves, runsJobs }: NodeRole): number {
  return serves && runsJobs && size > 1 ? Math.max(1, Math.floor(size / 4)) : 0;
}

/** Returns how long a job, or a run of a watched folder, may work. */
function jobTimeLimit(settings: Settings): WorkLimit {
  return {
    limitMs: settings.get('limits.jobTimeoutSeconds') * 1000,
    totalTimes: settings.get('limits.totalTimeFactor'),
  };
}

/** Returns how many jobs this node runs at once, how many may wait in total, and how long each may work. */
export function jobLimits(
  settings: Settings,
  { size, reserved = 0, queueLength }: PoolLimits,
): { limit: WorkLimit; concurrency: number; maxQueued: number; maxQueuedPerOwner: number; waitForNodeMs: number } {
  return {
    limit: jobTimeLimit(settings),
    // One more than workers, which prepares its files or saves its results while the others compute.
    concurrency: settings.get('jobs.concurrency') || size - reserved + 1,
    maxQueued: settings.get('jobs.maxQueued') || queueLength * 10,
    maxQueuedPerOwner: settings.get('jobs.maxQueuedPerOwner'),
    waitForNodeMs: settings.get('jobs.waitForNodeMinutes') * 60_000,
  };
}

/** Returns `limitsOf` for these settings, which computes each answer once. */
export function limitsTable(
  settings: Settings,
): (entry: CatalogOperation, origin: RunRequest['origin']) => EffectiveLimits {
  const known = new WeakMap<CatalogOperation, Map<RunRequest['origin'], EffectiveLimits>>();
  return (entry, origin) => {
    let limits = known.get(entry);
    if (limits === undefined) known.set(entry, (limits = new Map()));
    let found = limits.get(origin);
    if (found === undefined) limits.set(origin, (found = limitsOf(settings, entry, origin)));
    return found;
  };
}

/**
 * Returns the limits of an operation: from the settings for this operation, else from its declaration, else the
 * server's.
 */
export function limitsOf(settings: Settings, entry: CatalogOperation, origin: RunRequest['origin']): EffectiveLimits {
  const {
    overrides,
    operation: { limits },
  } = entry;
  const general =
    origin === 'job'
      ? settings.get('limits.jobTimeoutSeconds') * 1000
      : Math.min(
          Math.max(limits?.timeoutMs ?? 0, settings.get('limits.syncTimeoutSeconds') * 1000),
          settings.get('system.connectionTimeoutMilliseconds'),
        );
  return {
    timeoutMs: overrides.timeoutMs ?? general,
    maxPages: overrides.maxPages ?? Math.min(limits?.maxPages ?? Infinity, settings.get('limits.maxPages')),
    maxBytes: overrides.maxBytes ?? Math.min(limits?.maxBytes ?? Infinity, uploadLimit(settings)),
    concurrency: overrides.concurrency ?? limits?.concurrency ?? Number.MAX_SAFE_INTEGER,
  };
}

const workerPaths = new RegExp(
  [
    String.raw`^system\.(?:max|disableSanitize$|html\.urlSecurity\.)`,
    String.raw`^limits\.`,
    String.raw`^aiEngine\.(?:enabled$|features\.|limits\.)`,
    String.raw`^docparse\.`,
    String.raw`^pdfEditor\.fallback-font$`,
  ].join('|'),
);

/** Returns the settings that operations in workers may read. They contain no secrets. */
export function workerSettings(settings: Settings): Record<string, unknown> {
  return Object.fromEntries(
    settings
      .entries()
      .filter(({ path, secret }) => !secret && workerPaths.test(path))
      .map(({ path, value }) => [path, value]),
  );
}
