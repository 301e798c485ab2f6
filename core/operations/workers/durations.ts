/** Work that recently took less than this is short, in ms. */
export const SHORT_MS = 2000;
/** Work that recently took less than this is over before anybody notices, in ms. */
export const BRIEF_MS = 100;
/** Share of an older, longer duration that remains after a shorter one: a long run is remembered for some calls. */
const REMAINS = 0.8;
/** Kinds of work, and owners of one kind, that are remembered. */
const MOST_KINDS = 1000;
const MOST_OWNERS = 100;

/** How long work took lately, by kind (for example an operation) and owner. */
export class Durations {
  readonly #kinds = new Map<string, Map<string, number>>();

  record(kind: string, owner: string, ms: number): void {
    const owners = this.#kinds.get(kind) ?? new Map<string, number>();
    const before = owners.get(owner) ?? 0;
    owners.delete(owner);
    owners.set(owner, Math.max(ms, REMAINS * before + (1 - REMAINS) * ms));
    forgetOldest(owners, MOST_OWNERS);
    this.#kinds.delete(kind);
    this.#kinds.set(kind, owners);
    forgetOldest(this.#kinds, MOST_KINDS);
  }

  /** Returns how long this kind of work takes this owner, in ms; undefined if it is not known. */
  of(kind: string, owner: string): number | undefined {
    return this.#kinds.get(kind)?.get(owner);
  }

  /** Returns how long this kind of work takes the owner who is fastest with it, in ms; undefined if it is not known. */
  best(kind: string): number | undefined {
    const all = [...(this.#kinds.get(kind)?.values() ?? [])];
    return all.length === 0 ? undefined : Math.min(...all);
  }
}

function forgetOldest(map: Map<string, unknown>, most: number): void {
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
