import type { Clock, Logger, Principal } from '@quire/registry';
import { noBackplane, type Backplane } from './backplane/index.js';
import { SteadyClock, type Leases, type Needs } from './cluster/index.js';
import type { WorkLimit } from '../semaphore/index.js';
import type { Blobs, Records, Store } from '../store/index.js';
import { RecordFiles } from './files/record-files.js';
import { JobChanges } from './changes/job-changes.js';
import type { JobExecutor } from './job-executor.js';
import type { JobCancelRecord, JobFileRecord, JobRecord } from './job-record.js';

/** How many jobs of a caller may run at once, and the role that says so. */
export interface AtOnceLimit {
  readonly limit: number;
  readonly role: string;
  readonly title: string;
}

/** Settings of the job service. */
export interface JobSettings {
  /** How long a finished job and its files are kept (`jobs.resultExpiryMinutes`). */
  readonly resultExpiryMinutes: number;
  /** How often expired jobs are removed (`jobs.cleanupIntervalMinutes`). */
  readonly cleanupIntervalMinutes: number;
  /** How long one attempt may work. */
  readonly limit: WorkLimit;
  /** Jobs that run at once on this server. */
  readonly concurrency: number;
  /** Most jobs that may wait; more are refused with QUEUE_FULL. */
  readonly maxQueued: number;
  /** Most jobs of one owner that may wait (`jobs.maxQueuedPerOwner`); unlimited when missing or 0. */
  readonly maxQueuedPerOwner?: number;
  /** Most jobs of this caller that may wait, as the role says; undefined: no such limit. */
  readonly mostWaitingOf?: (caller: Principal) => number | undefined;
  /** Most jobs of one owner that run at once, on all nodes together, as the caller's role says. */
  readonly atOnce?: {
    /** True if any role has such a limit: a job costs one look-up more then. */
    inUse(): boolean;
    of(caller: Principal): AtOnceLimit | undefined;
  };
  /** How long a job waits for a node that has what it needs, ms (`jobs.waitForNodeMinutes`); default 15 minutes. */
  readonly waitForNodeMs?: number;
  /** How often a job is started before it fails; default 2. */
  readonly attempts?: number;
}

/** Internal intervals of the service, ms. Tests shorten them. */
export interface JobTiming {
  readonly lockLifetimeMs: number;
  readonly touchMs: number;
  readonly pollMs: number;
  /** How long an aborted executor may take to settle. */
  readonly abortGraceMs: number;
  /** How long a finished job waits for a lost store before it gives up saving its result. */
  readonly patienceMs: number;
}

/** The cluster as the job service sees it. A service without a cluster runs every job itself. */
export interface JobCluster {
  /** False on a node that only accepts jobs. */
  readonly runsJobs: boolean;
  /** The store's time; the cluster's heartbeats also set it. */
  readonly clock: SteadyClock;
  readonly leases: Leases;
  /** Returns the needs that this node does not meet. */
  unmetHere(needs: Needs): Needs;
  /** Returns the smallest set of needs that any running node leaves unmet. Rejects with STORE_DOWN. */
  unmetAnywhere(needs: Needs): Promise<Needs>;
  /** Whether all running nodes know jobs whose files are with their record. */
  readAttached(): Promise<boolean>;
  /** Removes nodes that have stopped. */
  sweep(): Promise<void>;
}

export interface JobServiceOptions {
  readonly store: Store;
  /** Inputs and results, where they are not in the store but in a place with a clock and failures of its own. */
  readonly artifacts?: Blobs;
  readonly log: Logger;
  readonly clock: Clock;
  readonly settings: JobSettings;
  readonly execute: JobExecutor;
  /** Encrypts secrets of jobs; the same on every server that shares the store (`loadSecretKey`). */
  readonly secretKey: Buffer;
  /** Where uploads are copied for the executor if the store is not a folder; default: the system's temporary folder. */
  readonly temporaryFolder?: string;
  readonly timing?: Partial<JobTiming>;
  readonly cluster?: JobCluster;
  /** How other nodes hear of changes at once; without one they find them in the store. */
  readonly backplane?: Backplane;
  /** Rejects with STORAGE_FULL if the disk has no space for another job. */
  readonly admit?: () => Promise<void>;
  /** Called with the final record of every complete job, on the server that completed it. Must not throw. */
  readonly onEnd?: (record: JobRecord) => void;
}

/** State shared by the modules of the job service. */
export interface JobContext {
  readonly jobs: Records<JobRecord>;
  readonly files: Records<JobFileRecord>;
  readonly cancels: Records<JobCancelRecord>;
  readonly blobs: Blobs;
  /** Small files that are with the records instead. */
  readonly attached: RecordFiles;
  /** Whether these are in a place of their own. */
  readonly blobsApart: boolean;
  /** Jobs that this process has got with files that are not brought to the disk, and has not run yet. */
  readonly cached: Set<string>;
  readonly changes: JobChanges;
  readonly backplane: Backplane;
  readonly steady: SteadyClock;
  readonly log: Logger;
  readonly clock: Clock;
  readonly settings: JobSettings;
  readonly timing: JobTiming;
  readonly attempts: number;
  readonly onEnd: (record: JobRecord) => void;
}

/**
 * Returns the intervals for a kind of store. With MongoDB, servers detect a dead one by its expired lock; on an
 * embedded store there are no others. What is across a network may be away for minutes.
 */
function timingFor(kind: Store['kind'], blobsApart: boolean, given: Partial<JobTiming> = {}): JobTiming {
  const shared = kind === 'mongodb';
  return {
    lockLifetimeMs: 30_000,
    touchMs: 10_000,
    pollMs: shared ? 1000 : 5000,
    abortGraceMs: 5000,
    patienceMs: shared || blobsApart ? 600_000 : 3000,
    ...given,
  };
}

/** Opens the records and files of the jobs in a store. */
export function openContext(options: JobServiceOptions): JobContext {
  const { store, log, clock, settings, backplane = noBackplane, cluster } = options;
  const jobs = store.records<JobRecord>('jobs', {
    // Each search by two or three fields has its index: with 100,000 waiting jobs it took 0.2 s of the main thread.
    keys: [
      'createdAtMs',
      'expiresAtMs',
      'callbackState',
      'resultKey',
      ['complete', 'createdAtMs'],
      ['status', 'rank'],
      ['status', 'createdAtMs'],
      ['owner', 'createdAtMs'],
      ['owner', 'status', 'fairMs'],
      ['owner', 'status', 'rank'],
    ],
    unique: ['place'],
    attached: options.artifacts === undefined,
  });
  return {
    jobs,
    attached: new RecordFiles(jobs.attached, async () => cluster === undefined || cluster.readAttached()),
    files: store.records<JobFileRecord>('job_files', { keys: ['jobId'] }),
    cancels: store.records<JobCancelRecord>('job_cancels', { keys: ['atMs'] }),
    blobs: options.artifacts ?? store.blobs.area('jobs'),
    blobsApart: options.artifacts !== undefined,
    cached: new Set(),
    changes: new JobChanges((jobId) => backplane.announce('job-changed', jobId)),
    backplane,
    steady: options.cluster?.clock ?? new SteadyClock(),
    log,
    clock,
    settings,
    timing: timingFor(store.kind, options.artifacts !== undefined, options.timing),
    attempts: settings.attempts ?? 2,
    onEnd: options.onEnd ?? (() => undefined),
  };
}
