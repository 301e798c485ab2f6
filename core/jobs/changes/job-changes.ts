import type { Records } from '../../store/index.js';
import type { JobRecord } from '../job-record.js';

/** `next` resolves at the next change or after `pollMs`; it resolves to false when the watcher has ended. */
export interface Watcher {
  next(pollMs: number | undefined): Promise<boolean>;
  end(): void;
}

interface Entry {
  /** Undefined: every job. */
  readonly jobId: string | undefined;
  changed: boolean;
  ended: boolean;
  wake: (() => void) | undefined;
}

/**
 * Notifies watchers in this process when a job changes, and `announce` for those in other processes. Changes in quick
 * succession are merged into one.
 */
export class JobChanges {
  readonly #entries = new Set<Entry>();
  readonly #announce: (jobId: string) => void;
  #onEnded: ((jobId: string) => void) | undefined;

  constructor(announce: (jobId: string) => void = () => undefined) {
    this.#announce = announce;
  }

  /** Watches one job, or all without an id. */
  watch(jobId?: string): Watcher {
    const entry: Entry = { jobId, changed: false, ended: false, wake: undefined };
    this.#entries.add(entry);
    return {
      next: (pollMs) => this.#next(entry, pollMs),
      end: () => {
        entry.ended = true;
        this.#entries.delete(entry);
        entry.wake?.();
      },
    };
  }

  /** Reports that this job has changed. */
  notify(jobId: string): void {
    this.changedElsewhere(jobId);
    this.#announce(jobId);
  }

  /** Reports a change of this job that another process has announced. */
  changedElsewhere(jobId: string): void {
    for (const entry of this.#entries) if (entry.jobId === undefined || entry.jobId === jobId) this.#wake(entry);
  }

  /** Reports that positions in the queue may have changed, because this job did. */
  notifyAll(jobId: string): void {
    this.wakeAll();
    this.#announce(jobId);
  }

  /** Lets every watcher in this process look. */
  wakeAll(): void {
    for (const entry of this.#entries) this.#wake(entry);
  }

  /**
   * Registers one listener for jobs with a callback that end in this process. Some may be missed, so it must also
   * search the store.
   */
  onEnded(listener: (jobId: string) => void): void {
    this.#onEnded = listener;
  }

  /** Reports that this job, which has a callback, may have ended. */
  ended(jobId: string): void {
    this.#onEnded?.(jobId);
  }

  endAll(): void {
    for (const entry of this.#entries) {
      entry.ended = true;
      this.#entries.delete(entry);
      entry.wake?.();
    }
  }

  #wake(entry: Entry): void {
    entry.changed = true;
    entry.wake?.();
  }

  async #next(entry: Entry, pollMs: number | undefined): Promise<boolean> {
    if (!entry.changed && !entry.ended) {
      await new Promise<void>((resolve) => {
        const timer = pollMs === undefined ? undefined : setTimeout(resolve, pollMs);
        entry.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      entry.wake = undefined;
    }
    entry.changed = false;
    return !entry.ended;
  }
}

interface EndOfJob {
  readonly jobId: string;
  readonly signal: AbortSignal;
  /** How often the record is read where other servers may run the job, ms; undefined without others. */
  pollMs(): number | undefined;
  /** True while it runs in this process. */
  isWorking(): boolean;
}

/** Waits for the end of a job (`JobService.finished`), and reads its record only when it may have ended. */
export async function endOfJob(
  { jobs, changes }: { readonly jobs: Pick<Records<JobRecord>, 'get'>; readonly changes: JobChanges },
  { jobId, signal, pollMs, isWorking }: EndOfJob,
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
        if (!(await watcher.next(pollMs()))) return record;
      } while (isWorking());
    }
  } finally {
    watcher.end();
    signal.removeEventListener('abort', end);
  }
}
