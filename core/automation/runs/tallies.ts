/** Counts of this process, for metrics. */
export interface Tally {
  readonly runs: number;
  readonly failures: number;
}

export class Tallies {
  readonly #counts = new Map<string, { runs: number; failures: number }>();

  add(automationId: string, what: keyof Tally): void {
    const counts = this.#counts.get(automationId) ?? { runs: 0, failures: 0 };
    counts[what] += 1;
    this.#counts.set(automationId, counts);
  }

  /** By the id of the automation. */
  all(): ReadonlyMap<string, Tally> {
    return this.#counts;
  }

  forget(automationId: string): void {
    this.#counts.delete(automationId);
  }
}
