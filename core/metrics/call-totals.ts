import type { CountedCall, EndpointCount } from './counters.js';
import type { EndpointDays } from './endpoint-days.js';

type Method = CountedCall['method'];

const DAY_MS = 86_400_000;
/** Today, and yesterday: other servers may still write what they counted before midnight. */
const OPEN_DAYS = 2;

/**
 * Calls by method and route of all servers on a store (`premium.enterpriseFeatures.persistentMetrics`): they outlive
 * the servers. What another server counted in the last half minute may be missing.
 */
export class CallTotals {
  #closed: { readonly day: number; readonly sums: Promise<ReadonlyMap<string, number>> } | undefined;

  constructor(
    private readonly deps: {
      readonly days: EndpointDays;
      readonly keepDays: number;
      readonly now: () => Date;
    },
  ) {}

  count(method: Method, pattern: string): void {
    this.deps.days.count(`${method} ${pattern}`);
  }

  /** Returns the calls by route: most first, then by name. Rejects with STORE_DOWN. */
  async all(method: Method): Promise<EndpointCount[]> {
    const { days, keepDays } = this.deps;
    const sums = new Map(await this.#closedSums());
    for (const { endpoint, visits } of await days.since(Math.min(OPEN_DAYS, keepDays)))
      sums.set(endpoint, (sums.get(endpoint) ?? 0) + visits);
    const prefix = `${method} `;
    return [...sums]
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, count]) => ({ endpoint: name.slice(prefix.length), count }))
      .sort((a, b) => b.count - a.count || (a.endpoint < b.endpoint ? -1 : 1));
  }

  /** Returns the calls of a method, or of one route (0 for an unknown one). Rejects with STORE_DOWN. */
  async total(method: Method, endpoint?: string): Promise<number> {
    return (await this.all(method))
      .filter((row) => endpoint === undefined || row.endpoint === endpoint)
      .reduce((sum, { count }) => sum + count, 0);
  }

  /** The sums of the days that no server changes any more, read once a day. */
  #closedSums(): Promise<ReadonlyMap<string, number>> {
    const day = Math.floor(this.deps.now().getTime() / DAY_MS);
    if (this.#closed?.day !== day) {
      const sums = this.deps.days
        .since(this.deps.keepDays, OPEN_DAYS)
        .then((rows) => new Map(rows.map(({ endpoint, visits }) => [endpoint, visits])));
      sums.catch(() => (this.#closed = undefined));
      this.#closed = { day, sums };
    }
    return this.#closed.sums;
  }
}
