import type { JobRecord } from './job-record.js';

/** Shortest time between two writes of progress, ms. */
const everyMs = 300;

/** Receives the executor's progress and writes it to the record now and then. */
export interface LocalProgress {
  readonly progress: (done: number, total: number) => void;
  readonly step: (index: number, path: string) => void;
  /** Stops writing; resolves when the last write has finished. */
  end(): Promise<void>;
}

/** Collects progress and writes the newest value, never two writes at once. A running job stays below 100. */
export function localProgress(write: (fields: Partial<JobRecord>) => Promise<void>): LocalProgress {
  let pending: Partial<JobRecord> = {};
  let writing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  // A job that ends before the first write is not slowed down by one.
  let lastAt = performance.now();
  const flush = (): void => {
    timer = undefined;
    if (ended || writing || Object.keys(pending).length === 0) return;
    const fields = pending;
    pending = {};
    lastAt = performance.now();
    writing = write(fields).finally(() => {
      writing = undefined;
      schedule();
    });
  };
  const schedule = (): void => {
    if (ended || timer || writing || Object.keys(pending).length === 0) return;
    timer = setTimeout(flush, Math.max(0, everyMs - (performance.now() - lastAt)));
  };
  return {
    progress: (done, total) => {
      const percent = total > 0 ? Math.floor((100 * done) / total) : 0;
      pending = { ...pending, progress: Math.min(99, Math.max(0, Number.isFinite(percent) ? percent : 0)) };
      schedule();
    },
    step: (index, path) => {
      pending = { ...pending, step: { index, path } };
      schedule();
    },
    end: async () => {
      ended = true;
      clearTimeout(timer);
      await writing?.catch(() => undefined);
    },
  };
}
