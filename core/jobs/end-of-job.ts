import type { JobContext } from './job-options.js';
import type { JobRecord } from './job-record.js';
import type { JobRunner } from './job-runner.js';

export interface EndOfJob {
  readonly jobId: string;
  readonly signal: AbortSignal;
  /** How often the record is read where other servers may run the job, ms; undefined without others. */
  readonly pollMs: number | undefined;
}

/** Waits for the end of a job (`JobService.finished`), and reads its record only when it may have ended. */
export async function endOfJob(
  { jobs, changes }: Pick<JobContext, 'jobs' | 'changes'>,
  runner: Pick<JobRunner, 'isWorking'>,
  { jobId, signal, pollMs }: EndOfJob,
): Promise<JobRecord | undefined> {
  const watcher = changes.watch(jobId);
  const end = (): void => watcher.end();
  signal.addEventListener('abort', end, { once: true });
  try {
    for (;;) {
      const record = await jobs.get(jobId);
      if (record === undefined || record.complete || signal.aborted) return record;
      // Its progress need not be read, and its end is announced.
      do {
        if (!(await watcher.next(pollMs))) return record;
      } while (runner.isWorking(jobId));
    }
  } finally {
    watcher.end();
    signal.removeEventListener('abort', end);
  }
}
