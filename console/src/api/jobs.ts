import { call, callJson } from './call.ts';
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
