import { Gate } from '../../semaphore/index.js';

/** The part of one job in the runs of its automation. */
export interface Lane {
  /** Waits until another run may begin; call the result when it has ended. */
  enter(signal: AbortSignal): Promise<() => void>;
  /** The job has no more runs. */
  close(): void;
}

/** Runs at once for each job: while the files of some steps are handed over, other workers are not idle. */
const AT_ONCE = 4;

/**
 * Runs of jobs of the same name, in the order in which the jobs came. Side by side, such jobs would end at the same
 * time, and no worker had anything to do while their results are stored and the next jobs begin.
 */
export class RunLanes {
  readonly #gates = new Map<string, { readonly gate: Gate; jobs: number }>();

  open(name: string): Lane {
    const shared = this.#gates.get(name) ?? { gate: new Gate(0), jobs: 0 };
    this.#gates.set(name, shared);
    shared.jobs += 1;
    const narrow = Array.from({ length: AT_ONCE }, () => shared.gate.widen());
    return {
      enter: (signal) => shared.gate.enter(signal),
      close: () => {
        for (const one of narrow) one();
        shared.jobs -= 1;
        if (shared.jobs === 0) this.#gates.delete(name);
      },
    };
  }
}
