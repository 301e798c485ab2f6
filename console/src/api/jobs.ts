import { call, callJson } from './call.ts';
import { withQuery } from './address.ts';
import { followEvents } from './events.ts';

export interface ResultFile {
  readonly fileId: string;
  readonly fileName: string;
  readonly contentType: string;
  readonly fileSize: number;
}

/** A job as `general/job/{jobId}` returns it. */
export interface Job {
  readonly jobId: string;
  readonly complete: boolean;
  readonly status: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';
  readonly error: string | null;
  readonly createdAt: string;
  readonly completedAt: string | null;
  readonly progress: number;
  readonly step: { readonly index: number; readonly path: string } | null;
  readonly queuePosition: number | null;
  readonly attempts: number;
  readonly notes: readonly string[];
  readonly metadata: Readonly<Record<string, string>>;
  readonly result?: unknown;
  readonly allResultFiles: readonly ResultFile[];
  readonly expiresAt: string | null;
}

/** A job of the list. Times are UTC (RFC 3339). */
export interface ListedJob {
  readonly jobId: string;
  readonly kind: 'operation' | 'pipeline';
  /** Path of the operation, or name of the pipeline. */
  readonly path: string;
  readonly status: Job['status'];
  /** 0 to 100. */
  readonly progress: number;
  readonly step: Job['step'];
  readonly queuePosition: number | null;
  readonly error: string | null;
  readonly startedBy: string | null;
  readonly inputs: readonly string[];
  readonly files: readonly ResultFile[];
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly completedAt: string | null;
  readonly expiresAt: string | null;
}

export interface JobList {
  readonly jobs: readonly ListedJob[];
  readonly next: number | null;
}

/** What of the list to get; `everyone` is for administrators. */
export type JobListQuery = Readonly<{ status?: string | undefined; limit?: number; before?: number; everyone?: true }>;

export function listJobs(query: JobListQuery): Promise<JobList> {
  return callJson<JobList>('general/jobs', { query });
}

/** Reports the list now and after every change, until `signal` is aborted. */
export function followJobList(
  query: JobListQuery,
  signal: AbortSignal,
  changed: (list: JobList) => void,
  connected: (connected: boolean) => void,
): Promise<void> {
  return followEvents(withQuery('general/jobs/events', query), {
    signal,
    connected,
    event: ({ data }) => changed(JSON.parse(data) as JobList),
  });
}

export function getJob(jobId: string): Promise<Job> {
  return callJson<Job>(`general/job/${encodeURIComponent(jobId)}`);
}

/** Stops a job; removes a finished one with its files. */
export async function cancelJob(jobId: string): Promise<void> {
  await call(`general/job/${encodeURIComponent(jobId)}`, { method: 'DELETE' });
}

/** The answer of the operation: its file, or a zip of several. */
export function jobResult(jobId: string, signal?: AbortSignal): Promise<Response> {
  return call(`general/job/${encodeURIComponent(jobId)}/result`, { signal });
}

/** Reports every change of a job until it is complete. Resolves to the finished job. */
export async function followJob(
  jobId: string,
  signal: AbortSignal,
  changed: (job: Job) => void,
  connected?: (connected: boolean) => void,
): Promise<Job> {
  let last: Job | undefined;
  await followEvents(`general/job/${encodeURIComponent(jobId)}/events`, {
    signal,
    event: ({ data }) => changed((last = JSON.parse(data) as Job)),
    ...(connected === undefined ? {} : { connected }),
  });
  return last ?? getJob(jobId);
}
