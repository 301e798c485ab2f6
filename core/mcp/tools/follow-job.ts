import { OperationalError } from '@quire/registry';
import type { JobRecord, JobService } from '../../jobs/index.js';
import type { ToolCall } from './tool.js';

export interface FollowDeps {
  jobs(): Promise<JobService>;
  /** False while the server drains; waiting calls are then answered at once. */
  accepting(): boolean;
  /** How long a call waits for its job, in milliseconds. */
  readonly waitMs: number;
}

const DRAIN_LOOK_MS = 200;

/**
 * Waits for a job and reports its progress. Returns its record, complete or not. If the client disconnects or cancels,
 * the job is cancelled, unless `keeps` is set. Undefined for a job that no longer exists.
 */
export async function followJob(
  { jobs: service, accepting, waitMs }: FollowDeps,
  jobId: string,
  { signal, progress, keeps = false }: Pick<ToolCall, 'signal' | 'progress'> & { readonly keeps?: boolean },
): Promise<JobRecord | undefined> {
  const jobs = await service();
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), waitMs);
  const drain = setInterval(() => (accepting() ? undefined : over.abort()), DRAIN_LOOK_MS);
  let reported = -1;
  try {
    for await (const { complete, status, progress: percent } of jobs.events(
      jobId,
      AbortSignal.any([signal, over.signal]),
    )) {
      if (complete) break;
      if (percent > reported) await progress((reported = percent), status === 'queued' ? 'waiting' : 'running');
    }
  } finally {
    clearTimeout(timer);
    clearInterval(drain);
  }
  if (!signal.aborted) return jobs.get(jobId);
  if (!keeps) await jobs.cancel(jobId).catch(() => undefined);
  throw new OperationalError('CANCELLED');
}
