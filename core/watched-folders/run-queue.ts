/** A run in the queue of its folder. */
export interface QueuedRun {
  /** True if no other run of this folder may run at the same time. */
  readonly alone: boolean;
  /** When its pipeline and account were read, monotonic ms. */
  readonly plannedAt: number;
  run(): Promise<void>;
  /** Called when it has ended, or will not start. */
  done(): void;
}

export interface RunQueueOptions {
  /** Runs of this folder at once. */
  readonly parallel: number;
  /** A run that has waited longer must be planned again, ms. */
  readonly planMs?: number;
  readonly stopping: AbortSignal;
  /** Waits for a free place among the runs of all folders; call the result to free it. */
  place(signal: AbortSignal): Promise<() => void>;
  /** Returns true once the folder is no longer watched. */
  closed(): boolean;
  /** Called when the queue was emptied because its runs must be planned again. */
  outdated(): void;
  /** Called when nothing runs any more. */
  idle(): void;
  succeeded(): Promise<void>;
  /** Called when a run failed because of a problem of the folder; the queue is empty then. */
  failed(error: unknown): Promise<unknown>;
}

const PLAN_MS = 30_000;

/** The waiting runs of a folder, and the lanes that execute them. */
export class RunQueue {
  readonly #waiting: QueuedRun[] = [];
  readonly #lanes = new Set<Promise<void>>();

  constructor(private readonly options: RunQueueOptions) {}

  get waiting(): number {
    return this.#waiting.length;
  }

  /** True while a lane is running. */
  get busy(): boolean {
    return this.#lanes.size > 0;
  }

  /** True while a run that must be alone waits or runs. */
  get worksAlone(): boolean {
    return this.#waiting.some(({ alone }) => alone);
  }

  add(runs: readonly QueuedRun[]): void {
    this.#waiting.push(...runs);
    const most = runs.some(({ alone }) => alone) ? 1 : Math.min(this.options.parallel, this.#waiting.length);
    while (this.#lanes.size < most) {
      const lane: Promise<void> = this.#work().finally(() => {
        this.#lanes.delete(lane);
        if (this.#lanes.size === 0) this.options.idle();
      });
      this.#lanes.add(lane);
    }
  }

  /** Resolves when the lanes that are running now have ended. */
  async finished(): Promise<void> {
    await Promise.all(this.#lanes);
  }

  /** Executes runs until none waits. Never rejects: a failure empties the queue. */
  async #work(): Promise<void> {
    const { stopping, closed, outdated, failed } = this.options;
    try {
      while (this.#waiting.length > 0 && !stopping.aborted && !closed()) {
        // Thousands of runs may wait for hours. Meanwhile the pipeline may have changed, or the account lost its
        // permissions.
        if (performance.now() - (this.#waiting[0]?.plannedAt ?? 0) > (this.options.planMs ?? PLAN_MS)) {
          this.#clear();
          return outdated();
        }
        await this.#workOnNext();
      }
    } catch (error) {
      this.#clear();
      if (!stopping.aborted) await failed(error);
    }
  }

  async #workOnNext(): Promise<void> {
    const { stopping, place, closed, succeeded } = this.options;
    const leave = await place(stopping);
    // Another lane may have emptied the queue while this one waited.
    const next = closed() ? undefined : this.#waiting[0];
    try {
      if (next !== undefined && next.alone) {
        await next.run();
        this.#waiting.shift();
      } else if (next !== undefined) {
        this.#waiting.shift();
        await next.run();
      }
      await succeeded();
    } finally {
      next?.done();
      leave();
    }
  }

  #clear(): void {
    for (const { done } of this.#waiting.splice(0)) done();
  }
}
