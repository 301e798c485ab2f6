import { OperationalError } from '@quire/registry';
import { toWire, type JobRecord, type JobService, type JobWire } from '../../jobs/index.js';

export interface WaitDeps {
  readonly jobs: JobService;
  /** False while the server drains; waiting calls are then answered at once. */
  accepting(): boolean;
}

const DRAIN_LOOK_MS = 200;

/**
 * Returns the complete record of a job that ends within the time, undefined if it is still running. If the client
 * disconnects while waiting, the job is cancelled as a direct call would be.
 */
export async function waitForEnd(
  deps: WaitDeps,
  jobId: string,
  ms: number,
  signal: AbortSignal,
): Promise<JobRecord | undefined> {
  const { jobs } = deps;
  await follow(deps, jobId, ms, signal, ({ complete }) => complete);
  if (signal.aborted) {
    await jobs.cancel(jobId).catch(() => undefined);
    throw new OperationalError('CANCELLED');
  }
  const record = await jobs.get(jobId);
  return record?.complete === true ? record : undefined;
}

/** Waits until the job differs from the record, the time is over, or the client disconnects. */
export async function waitForChange(deps: WaitDeps, record: JobRecord, ms: number, signal: AbortSignal): Promise<void> {
  if (record.complete || ms === 0) return;
  const known = JSON.stringify(toWire(record));
  await follow(deps, record.jobId, ms, signal, (wire) => JSON.stringify(wire) !== known);
}

async function follow(
  { jobs, accepting }: WaitDeps,
  jobId: string,
  ms: number,
  signal: AbortSignal,
  found: (wire: JobWire) => boolean,
): Promise<void> {
  const over = new AbortController();
  const end = (): void => over.abort();
  const timer = setTimeout(end, ms);
  // Answer early during a shutdown; otherwise the connection would be cut without an answer.
  const drain = setInterval(() => (accepting() ? undefined : end()), DRAIN_LOOK_MS);
  try {
    for await (const wire of jobs.events(jobId, AbortSignal.any([signal, over.signal]))) if (found(wire)) return;
  } finally {
    clearTimeout(timer);
    clearInterval(drain);
  }
}
