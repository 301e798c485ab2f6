import { localDateTime, type JobStatus } from './job-record.js';
import type { JobContext } from './job-options.js';

/** Counts of all known jobs (contract: `admin/job/stats`). */
export interface JobStatistics {
  readonly totalJobs: number;
  readonly activeJobs: number;
  /** Includes failed and cancelled ones. */
  readonly completedJobs: number;
  readonly failedJobs: number;
  readonly successfulJobs: number;
  readonly fileResultJobs: number;
  /** Local time with its offset (`localDateTime`). */
  readonly oldestActiveJobTime: string | null;
  readonly newestActiveJobTime: string | null;
  readonly averageProcessingTimeMs: number;
}

/** Counts of the queue (contract: `admin/job/queue/stats`). */
export interface QueueStatistics {
  readonly queuedJobs: number;
  readonly queueCapacity: number;
  /** Accepted since this server started. */
  readonly totalQueuedJobs: number;
  /** Refused since this server started. */
  readonly rejectedJobs: number;
  /** How full the queue is: WARNING from half full, CRITICAL when full. */
  readonly resourceStatus: 'OK' | 'WARNING' | 'CRITICAL';
}

/** Counts all jobs in the store; of the finished ones, which expire, it reads each. */
export async function readJobStatistics({ jobs }: JobContext): Promise<JobStatistics> {
  const finished = await readFinished(jobs);
  const [active, oldest, newest] = await Promise.all([
    jobs.count({ complete: false }),
    activeTime(jobs, 'ascending'),
    activeTime(jobs, 'descending'),
  ]);
  return {
    totalJobs: active + finished.count,
    activeJobs: active,
    completedJobs: finished.count,
    successfulJobs: finished.succeeded,
    failedJobs: finished.count - finished.succeeded,
    fileResultJobs: finished.withFiles,
    oldestActiveJobTime: oldest,
    newestActiveJobTime: newest,
    averageProcessingTimeMs: finished.started > 0 ? Math.round(finished.ms / finished.started) : 0,
  };
}

async function readFinished(
  jobs: JobContext['jobs'],
): Promise<Record<'count' | 'succeeded' | 'withFiles' | 'started' | 'ms', number>> {
  const sum = { count: 0, succeeded: 0, withFiles: 0, started: 0, ms: 0 };
  const fields = ['status', 'startedAtMs', 'completedAtMs', 'allResultFiles'] as const;
  for await (const job of jobs.scan({ complete: true }, fields)) {
    sum.count += 1;
    if (job.status === 'succeeded') sum.succeeded += 1;
    if (job.allResultFiles.length > 0) sum.withFiles += 1;
    if (job.startedAtMs === null) continue;
    sum.started += 1;
    sum.ms += (job.completedAtMs ?? 0) - job.startedAtMs;
  }
  return sum;
}

async function activeTime(jobs: JobContext['jobs'], order: 'ascending' | 'descending'): Promise<string | null> {
  const found = await jobs.findOne({ complete: false }, { sort: [{ field: 'createdAtMs', order }] });
  return found === undefined ? null : localDateTime(new Date(found.createdAtMs));
}

/**
 * For monitoring: the number of jobs in each state, and how long the oldest one has been waiting (0 when none waits).
 */
export interface JobStates {
  readonly byState: Readonly<Record<JobStatus, number>>;
  readonly oldestQueuedMs: number;
}

/** Counts by index without reading the jobs, because monitoring asks every few seconds. */
export async function readJobStates(context: JobContext): Promise<JobStates> {
  const states = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const satisfies readonly JobStatus[];
  const counts = await Promise.all(
    states.map(async (status) => [status, await context.jobs.count({ status })] as const),
  );
  const oldest = await context.jobs.findOne(
    { status: 'queued' },
    { sort: [{ field: 'createdAtMs', order: 'ascending' }] },
  );
  return {
    byState: Object.fromEntries(counts) as Record<JobStatus, number>,
    oldestQueuedMs: oldest === undefined ? 0 : Math.max(0, context.clock.now().getTime() - oldest.createdAtMs),
  };
}

/** Returns the state of the queue from its counters. */
export function queueStatistics(
  queuedJobs: number,
  queueCapacity: number,
  totalQueuedJobs: number,
  rejectedJobs: number,
): QueueStatistics {
  const resourceStatus = queuedJobs >= queueCapacity ? 'CRITICAL' : queuedJobs * 2 >= queueCapacity ? 'WARNING' : 'OK';
  return { queuedJobs, queueCapacity, totalQueuedJobs, rejectedJobs, resourceStatus };
}
