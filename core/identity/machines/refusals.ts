import type { Logger } from '@quire/registry';

/** How often the same refusal is logged, ms: clients repeat their calls. */
const QUIET_MS = 60_000;
const MOST_KNOWN = 1000;

/** Tells the administrator about refused machines; each refusal once a minute. */
export class Refusals {
  readonly #logged = new Map<string, number>();

  constructor(
    private readonly log: Logger,
    private readonly now: () => number,
  ) {}

  /** `id`: what makes two refusals the same; without what callers choose freely. */
  note(facts: Readonly<Record<string, unknown>>, message: string, id = JSON.stringify([message, facts])): void {
    const now = this.now();
    if (now - (this.#logged.get(id) ?? -Infinity) < QUIET_MS) return;
    if (this.#logged.size >= MOST_KNOWN) this.#logged.clear();
    this.#logged.set(id, now);
    this.log.warn(facts, message);
  }
}
