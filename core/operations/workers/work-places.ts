import { BRIEF_MS, Durations, SHORT_MS } from './durations.js';

/** Work that waits for a worker or uses one. */
export interface Work {
  /** Whose turn it takes. */
  readonly owner: string;
  /** What is done, for example the path of an operation. */
  readonly kind: string;
  /** No open connection waits for it. */
  readonly background: boolean;
  /** It may run longer than direct calls usually may. */
  readonly declaredLong: boolean;
}

export interface PlaceSettings {
  readonly size: number;
  /** Workers that background work leaves free for direct calls. */
  readonly reserved: number;
  /** Workers that long work leaves free for short work. */
  readonly keptForShort: number;
}

interface Running extends Work {
  readonly startedAt: number;
  /** It was known to be short when it started. */
  readonly short: boolean;
}

/**
 * Decides what may start on a free worker, so that neither jobs nor long calls occupy all of them. Work is short if it
 * lately was for its owner. The first call of an owner may use the kept worker too, unless such work is known to be
 * long.
 */
export class WorkPlaces {
  readonly #running = new Set<Running>();
  readonly #durations = new Durations();

  constructor(private readonly settings: PlaceSettings) {}

  /** How many of the reserved workers background work has now: direct calls may have as many more. */
  get lent(): number {
    return Math.max(0, this.#inBackground - this.#forBackground);
  }

  /**
   * True if the work may start on a free worker now. It is always true while nothing is running. Background work may
   * have the reserved workers for moments in which no direct call waits (`directWaits`).
   */
  admits(work: Work, directWaits = false): boolean {
    const { size, keptForShort } = this.settings;
    const running = [...this.#running];
    if (work.background && this.#inBackground >= this.#forBackground && (directWaits || !this.#isBrief(work)))
      return false;
    if (this.#isShort(work) || this.#isNewcomer(work)) return true;
    const long = count(running, (one) => !one.short || performance.now() - one.startedAt >= SHORT_MS);
    if (long < Math.max(1, size - keptForShort)) return true;
    // Jobs may occupy all workers but the reserved ones, which then are for any direct call.
    return !work.background && running.every(({ background }) => background);
  }

  /**
   * Call it when the work starts; call the result once, when it has ended. Work that was aborted or refused soon does
   * not show that such work is short.
   */
  begin(work: Work): (succeeded: boolean) => void {
    const running: Running = { ...work, startedAt: performance.now(), short: this.#isShort(work) };
    this.#running.add(running);
    return (succeeded) => {
      const ms = performance.now() - running.startedAt;
      if (this.#running.delete(running) && (succeeded || ms >= SHORT_MS))
        this.#durations.record(work.kind, work.owner, ms);
    };
  }

  #isShort({ owner, kind }: Work): boolean {
    const known = this.#durations.of(kind, owner);
    if (known === undefined || known >= SHORT_MS) return false;
    const now = performance.now();
    return ![...this.#running].some(
      (one) => one.owner === owner && one.kind === kind && now - one.startedAt >= SHORT_MS,
    );
  }

  get #inBackground(): number {
    return count([...this.#running], ({ background }) => background);
  }

  get #forBackground(): number {
    return Math.max(1, this.settings.size - this.settings.reserved);
  }

  #isBrief({ owner, kind }: Work): boolean {
    return (this.#durations.of(kind, owner) ?? Infinity) < BRIEF_MS;
  }

  #isNewcomer({ owner, kind, background, declaredLong }: Work): boolean {
    if (background || declaredLong || this.#durations.of(kind, owner) !== undefined) return false;
    return (this.#durations.best(kind) ?? 0) < SHORT_MS && ![...this.#running].some((one) => one.owner === owner);
  }
}

function count(running: readonly Running[], counts: (one: Running) => boolean): number {
  return running.filter(counts).length;
}
