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

/** Counts all jobs in the store. */
export async function readJobStatistics(context: JobContext): Promise<JobStatistics> {
  const records = await context.jobs.find();
  const active = records
    .filter((record) => !record.complete)
    .map((record) => record.createdAtMs)
    .sort((a, b) => a - b);
  const times = records
    .filter((record) => record.complete && record.startedAtMs !== null)
    .map((record) => (record.completedAtMs ?? 0) - (record.startedAtMs ?? 0));
  const successfulJobs = records.filter((record) => record.status === 'succeeded').length;
  const completedJobs = records.length - active.length;
  const timeText = (at: number | undefined): string | null => (at === undefined ? null : localDateTime(new Date(at)));
  return {
    totalJobs: records.length,
    activeJobs: active.length,
    completedJobs,
    successfulJobs,
    failedJobs: completedJobs - successfulJobs,
    fileResultJobs: records.filter((record) => record.allResultFiles.length > 0).length,
    oldestActiveJobTime: timeText(active[0]),
    newestActiveJobTime: timeText(active.at(-1)),
    averageProcessingTimeMs:
      times.length > 0 ? Math.round(times.reduce((sum, time) => sum + time, 0) / times.length) : 0,
  };
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
