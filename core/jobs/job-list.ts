import type { Where } from '@quire/registry';
import type { JobContext } from './job-options.js';
import { failureMembers, type FailureMembers, type JobRecord } from './job-record.js';
import type { JobStatus, JobStep, ResultFile } from './job-record.js';

/** Which jobs to list. */
export interface JobListQuery {
  /** Owner of the jobs; undefined lists those of everybody. */
  readonly owner?: string;
  readonly status?: JobStatus;
  /** Most jobs that are returned. */
  readonly limit: number;
  /** `next` of the page before. */
  readonly before?: number;
}

/** A job in a list. Times are RFC 3339 instants in UTC. */
export interface ListedJob extends FailureMembers {
  readonly jobId: string;
  readonly kind: JobRecord['kind'];
  readonly path: string;
  readonly status: JobStatus;
  readonly progress: number;
  readonly step: JobStep | null;
  readonly queuePosition: number | null;
  readonly error: string | null;
  /** Name of the account that started it; null while login is off. */
  readonly startedBy: string | null;
  /** Names of the input files. */
  readonly inputs: readonly string[];
  readonly files: readonly ResultFile[];
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly completedAt: string | null;
  readonly expiresAt: string | null;
}

/** A page of jobs, newest first; `next` is the place at which the following page begins, null for the last. */
export interface JobList {
  readonly jobs: readonly ListedJob[];
  readonly next: number | null;
}

/** Lists jobs from the store. `placeOf` returns a waiting job's position in the queue. */
export async function listJobs(
  { jobs }: Pick<JobContext, 'jobs'>,
  { owner, status, limit, before }: JobListQuery,
  placeOf: (record: JobRecord) => Promise<number>,
): Promise<JobList> {
  const where: Where<JobRecord> = {
    ...(owner === undefined ? {} : { owner }),
    ...(status === undefined ? {} : { status }),
  };
  const found = await jobs.find(where, {
    sort: [{ field: 'createdAtMs', order: 'descending' }],
    limit: limit + 1,
    ...(before === undefined ? {} : { atMost: { createdAtMs: before } }),
  });
  const page = found.slice(0, limit);
  const listed = page.map(async (record) => shown(record, record.status === 'queued' ? await placeOf(record) : null));
  return { jobs: await Promise.all(listed), next: found[limit]?.createdAtMs ?? null };
}

function shown(record: JobRecord, queuePosition: number | null): ListedJob {
  const { jobId, kind, path, status, progress, step, error, caller, inputs, allResultFiles } = record;
  return {
    jobId,
    kind,
    path,
    status,
    progress,
    step,
    queuePosition,
    error,
    ...failureMembers(record),
    startedBy: caller === undefined || record.owner === '' ? null : caller.name,
    inputs: record.inputNames ?? inputs.map(({ name }) => name),
    files: allResultFiles,
    createdAt: instant(record.createdAtMs) ?? '',
    startedAt: instant(record.startedAtMs),
    completedAt: instant(record.completedAtMs),
    expiresAt: instant(record.expiresAtMs),
  };
}

function instant(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
