import { OperationalError } from '@quire/registry';
import { toWire, type JobRecord, type JobService, type JobWire } from '../../jobs/index.js';

/** What a wait stands on. */
export interface WaitDeps {
  readonly jobs: JobService;
  /** False while the server drains: then nobody is kept waiting. */
  accepting(): boolean;
}

const DRAIN_LOOK_MS = 200;

/**
 * The complete record of a job that ends within the time; undefined when it goes on. Whoever leaves meanwhile wants it
 * no more: the job is cancelled, as a direct call would be.
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

/** Waits until a job is another than the record says, the time is over, or nobody listens any more. */
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
  // An answer now is worth more than a connection that the shutdown cuts.
  const drain = setInterval(() => (accepting() ? undefined : end()), DRAIN_LOOK_MS);
  try {
    for await (const wire of jobs.events(jobId, AbortSignal.any([signal, over.signal]))) if (found(wire)) return;
  } finally {
    clearTimeout(timer);
    clearInterval(drain);
  }
}
