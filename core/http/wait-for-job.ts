import { OperationalError } from '@quire/registry';
import { toWire, type JobRecord, type JobService } from '../jobs/index.js';

/** What a wait stands on. */
export interface WaitParts {
  readonly jobs: JobService;
  /** False while the server drains: then nobody is kept waiting. */
  accepting(): boolean;
}

/**
 * The complete record of a job that ends within the time; undefined when it goes on. Whoever leaves meanwhile wants it no more: the job is
 * cancelled, as a direct call would be.
 */
export async function waitForEnd({ jobs, accepting }: WaitParts, jobId: string, ms: number, signal: AbortSignal): Promise<JobRecord | undefined> {
  const over = AbortSignal.timeout(ms);
  for await (const { complete } of jobs.events(jobId, AbortSignal.any([signal, over]))) if (complete || !accepting()) break;
  if (signal.aborted) {
    await jobs.cancel(jobId).catch(() => undefined);
    throw new OperationalError('CANCELLED');
  }
  const record = await jobs.get(jobId);
  return record?.complete === true ? record : undefined;
}

/** Waits until a job is another than the record says, the time is over, or nobody listens any more. */
export async function waitForChange({ jobs, accepting }: WaitParts, record: JobRecord, ms: number, signal: AbortSignal): Promise<void> {
  if (record.complete || ms === 0) return;
  const known = JSON.stringify(toWire(record));
  for await (const wire of jobs.events(record.jobId, AbortSignal.any([signal, AbortSignal.timeout(ms)]))) if (JSON.stringify(wire) !== known || !accepting()) return;
}
