/**
 * Deliveries that share a turn: those of an owner or, while login is off and all callers are one owner, those to a
 * receiver.
 */
export interface Group {
  readonly owner: string;
  /** Scheme, host and port of the receiver; set only if the owner is ''. */
  readonly to?: string;
}

/** Attempts under way at once. */
const MOST_AT_ONCE = 16;
/** Attempts of one group under way at once. */
const MOST_OF_GROUP = 4;
/** Places reserved for groups with no attempt under way: groups with slow receivers cannot fill them. */
const FIRST_PLACES = 4;

/**
 * Divides the limited number of simultaneous attempts among groups. The next place goes to the group with the fewest
 * attempts under way that was served longest ago, so that slow receivers and long queues delay others by at most one
 * attempt.
 */
export class Turns {
  /**
   * Groups that may have something to send. `servedAt` is the turn in which the group was served last; `wished` is true
   * if it may have got something since the last look.
   */
  readonly #waiting = new Map<string, { readonly group: Group; servedAt: number; wished: boolean }>();
  readonly #active = new Map<string, number>();
  #places = 0;
  #turn = 0;

  /** Marks the group as possibly having something to send. */
  wait(group: Group): void {
    const key = keyOf(group);
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) this.#waiting.set(key, { group, servedAt: 0, wished: true });
    else waiting.wished = true;
  }

  /** Call before the group's deliveries are read from the store. */
  look(group: Group): void {
    const waiting = this.#waiting.get(keyOf(group));
    if (waiting !== undefined) waiting.wished = false;
  }

  /** Removes a group for which nothing was found. Returns false when `wait` was called for it since the look. */
  rest(group: Group): boolean {
    const key = keyOf(group);
    return this.#waiting.get(key)?.wished !== true && this.#waiting.delete(key);
  }

  /** Returns the group whose turn it is; undefined when no group waits or no place is free. */
  next(): Group | undefined {
    if (this.#places >= MOST_AT_ONCE) return undefined;
    const open = this.#places < MOST_AT_ONCE - FIRST_PLACES;
    let best: { readonly group: Group; readonly servedAt: number; readonly active: number } | undefined;
    for (const [key, { group, servedAt }] of this.#waiting) {
      const active = this.#active.get(key) ?? 0;
      if (active > 0 && (!open || active >= MOST_OF_GROUP)) continue;
      if (best === undefined || active < best.active || (active === best.active && servedAt < best.servedAt))
        best = { group, servedAt, active };
    }
    return best?.group;
  }

  /** Takes a place for the group; the returned function frees it. */
  take(group: Group): () => void {
    const key = keyOf(group);
    const waiting = this.#waiting.get(key);
    this.#turn += 1;
    if (waiting !== undefined) waiting.servedAt = this.#turn;
    this.#places += 1;
    this.#active.set(key, (this.#active.get(key) ?? 0) + 1);
    return () => {
      this.#places -= 1;
      const left = (this.#active.get(key) ?? 1) - 1;
      if (left === 0) this.#active.delete(key);
      else this.#active.set(key, left);
    };
  }
}

/** Returns the group of a delivery. */
export function groupOf({ owner, to }: { readonly owner: string; readonly to: string }): Group {
  return owner === '' ? { owner, to } : { owner };
}

function keyOf({ owner, to }: Group): string {
  return JSON.stringify([owner, to]);
}
