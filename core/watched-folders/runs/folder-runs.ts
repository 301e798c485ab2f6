import type { RunPlaces } from './run-places.js';

/** A run that can begin. */
export interface PlannedRun {
  /** True if no other run of this folder may run at the same time. */
  readonly alone: boolean;
  /** When its pipeline and account were read, monotonic ms. */
  readonly plannedAt: number;
  /** `leave` gives its place back, as soon as its job has ended. */
  run(leave: () => void): Promise<void>;
  /** Called when it has ended, or will not start. */
  done(): void;
}

export interface FolderRunsOptions {
  readonly places: RunPlaces;
  /** A run that has waited longer must be planned again, ms. */
  readonly planMs?: number;
  readonly stopping: AbortSignal;
  /** Called when runs that have waited for too long must be planned again. */
  outdated(): void;
  /** Called when no run is planned or has begun. */
  idle(): void;
  succeeded(): Promise<void>;
  /** Called when a run failed because of a problem of the folder; nothing is planned any more then. */
  failed(error: unknown): Promise<unknown>;
}

const PLAN_MS = 30_000;

/** The runs of a folder: those that are planned, and those that have begun. */
export class FolderRuns {
  #planned: PlannedRun[] = [];
  readonly #begun = new Map<PlannedRun, Promise<void>>();
  readonly #begin = (): void => this.#beginNext();

  constructor(private readonly options: FolderRunsOptions) {}

  /** Runs that have not begun. */
  get waiting(): number {
    return this.#planned.length;
  }

  /** True while a run has begun. */
  get busy(): boolean {
    return this.#begun.size > 0;
  }

  /** True while a run that must be alone is planned or has begun. */
  get worksAlone(): boolean {
    return [...this.#planned, ...this.#begun.keys()].some(({ alone }) => alone);
  }

  add(runs: readonly PlannedRun[]): void {
    this.#planned.push(...runs);
    this.#beginNext();
  }

  /** Begins no more runs, and resolves when those that have begun have ended. */
  async close(): Promise<void> {
    this.#forget();
    await Promise.all(this.#begun.values());
  }

  #beginNext(): void {
    const { places, stopping, outdated, planMs = PLAN_MS } = this.options;
    for (let next = this.#planned[0]; next !== undefined; next = this.#planned[0]) {
      if (stopping.aborted) return;
      if (this.busy && (next.alone || this.worksAlone)) return;
      // Thousands of runs may wait for hours. Meanwhile the pipeline may have changed, or the account lost its
      // permissions.
      if (performance.now() - next.plannedAt > planMs) {
        this.#forget();
        return outdated();
      }
      const leave = places.take(this.#begin);
      if (leave === undefined) return;
      this.#planned.shift();
      this.#begun.set(next, this.#execute(next, leave));
    }
  }

  /** Never rejects: a failure empties the plan. */
  async #execute(next: PlannedRun, leave: () => void): Promise<void> {
    const { stopping, succeeded, failed, idle } = this.options;
    let failure: { readonly error: unknown } | undefined;
    try {
      await next.run(leave);
    } catch (error) {
      failure = { error };
      this.#forget();
    }
    next.done();
    leave();
    if (failure === undefined) await succeeded();
    else if (!stopping.aborted) await failed(failure.error);
    this.#begun.delete(next);
    if (this.#planned.length > 0) this.#beginNext();
    else if (!this.busy) idle();
  }

  #forget(): void {
    for (const { done } of this.#planned.splice(0)) done();
  }
}
