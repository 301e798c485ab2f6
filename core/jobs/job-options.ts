import type { Clock, Logger } from '@quire/registry';
import type { Leases, Needs, SteadyClock } from './cluster/index.js';
import type { Records, Store } from '../store/index.js';
import type { Blobs } from '../store/index.js';
import type { JobChanges } from './job-changes.js';
import type { JobExecutor } from './job-executor.js';
import type { JobCancelRecord, JobFileRecord, JobRecord } from './job-record.js';

/** Settings of the job service. */
export interface JobSettings {
  /** How long a finished job and its files are kept (`jobs.resultExpiryMinutes`). */
  readonly resultExpiryMinutes: number;
  /** How often expired jobs are removed (`jobs.cleanupIntervalMinutes`). */
  readonly cleanupIntervalMinutes: number;
  /** Longest run of one start, ms. */
  readonly timeoutMs: number;
  /** Jobs at work at once on this server. */
  readonly concurrency: number;
  /** Jobs that may wait; more are refused with QUEUE_FULL. */
  readonly maxQueued: number;
  /** Jobs of one owner that may wait (`jobs.maxQueuedPerOwner`); none set when missing or 0. */
  readonly maxQueuedPerOwner?: number;
  /**
   * How long a job waits for a node that has what it needs, ms (`jobs.waitForNodeMinutes`); 15 minutes when missing.
   */
  readonly waitForNodeMs?: number;
  /** How often a job is started before it is given up; 2 when missing. */
  readonly attempts?: number;
}

/** Inner rhythm of the service, ms. Tests shorten it. */
export interface JobTiming {
  readonly lockLifetimeMs: number;
  readonly touchMs: number;
  readonly pollMs: number;
  /** How long an aborted executor may take to settle. */
  readonly abortGraceMs: number;
  /** How long a finished job waits for a lost store before it gives up recording. */
  readonly patienceMs: number;
}

/** The cluster as the job service sees it. A service without one takes every job itself. */
export interface JobCluster {
  /** False on a node that only takes jobs in. */
  readonly runsJobs: boolean;
  /** The store's time; kept by the cluster's heartbeats too. */
  readonly clock: SteadyClock;
  readonly leases: Leases;
  /** The needs that this node does not meet. */
  unmetHere(needs: Needs): Needs;
  /** The needs that keep a job from every living node. Rejects with STORE_DOWN. */
  unmetAnywhere(needs: Needs): Promise<Needs>;
  /** Forgets nodes that are gone. */
  sweep(): Promise<void>;
}

/** What the job service is made of. */
export interface JobServiceOptions {
  readonly store: Store;
  readonly log: Logger;
  readonly clock: Clock;
  readonly settings: JobSettings;
  readonly execute: JobExecutor;
  /** Seals passwords at rest; the same on every server that shares the store (`loadSecretKey`). */
  readonly secretKey: Buffer;
  /** Where uploads are laid out for the executor when the store is no folder; the system's temp folder when missing. */
  readonly temporaryFolder?: string;
  readonly timing?: Partial<JobTiming>;
  readonly cluster?: JobCluster;
  /** Told of every job that is complete, with its last record, by the one server that completed it. Must not throw. */
  readonly onEnd?: (record: JobRecord) => void;
}

/** What the parts of the service share. */
export interface JobContext {
  readonly jobs: Records<JobRecord>;
  readonly files: Records<JobFileRecord>;
  readonly cancels: Records<JobCancelRecord>;
  readonly blobs: Blobs;
  readonly changes: JobChanges;
  readonly steady: SteadyClock;
  readonly log: Logger;
  readonly clock: Clock;
  readonly settings: JobSettings;
  readonly timing: JobTiming;
  readonly attempts: number;
  readonly onEnd: (record: JobRecord) => void;
}

/**
 * The rhythm for this kind of store. With MongoDB other servers must notice a dead one by its lock; embedded there are
 * no others.
 */
export function timingFor(kind: Store['kind'], given: Partial<JobTiming> = {}): JobTiming {
  const shared = kind === 'mongodb';
  return {
    lockLifetimeMs: 30_000,
    touchMs: 10_000,
    pollMs: shared ? 1000 : 5000,
    abortGraceMs: 5000,
    patienceMs: shared ? 600_000 : 3000,
    ...given,
  };
}
