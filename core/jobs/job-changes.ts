/**
 * One watcher: `next` resolves at the next change, after `pollMs`, or when the watcher ends; false when it has ended.
 */
export interface Watcher {
  next(pollMs: number | undefined): Promise<boolean>;
  end(): void;
}

interface Entry {
  readonly jobId: string;
  changed: boolean;
  ended: boolean;
  wake: (() => void) | undefined;
}

/** Tells watchers in this process that a job has changed. Changes in quick succession are seen as one. */
export class JobChanges {
  readonly #entries = new Set<Entry>();
  #onEnded: ((jobId: string) => void) | undefined;

  watch(jobId: string): Watcher {
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

  /** Says that this job has changed. */
  notify(jobId: string): void {
    for (const entry of this.#entries) if (entry.jobId === jobId) this.#wake(entry);
  }

  /** Says that places in the queue may have changed. */
  notifyAll(): void {
    for (const entry of this.#entries) this.#wake(entry);
  }

  /**
   * Tells one listener which jobs that call back have ended in this process, most of the time; it must look for the
   * others itself.
   */
  onEnded(listener: (jobId: string) => void): void {
    this.#onEnded = listener;
  }

  /** Says that this job, which calls back, may have ended. */
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
