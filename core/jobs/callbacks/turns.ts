/** Who waits for deliveries to be sent: an owner, or, while login is off and all callers are one, a receiver. */
export interface Group {
  readonly owner: string;
  /** Scheme, host and port of the receiver; only where the owner is ''. */
  readonly to?: string;
}

/** Attempts under way at once. */
const MOST_AT_ONCE = 16;
/** Of one group. */
const MOST_OF_GROUP = 4;
/** Places for groups that have none yet: those with slow receivers cannot fill them. */
const FIRST_PLACES = 4;

/**
 * Shares the places at which call-backs are sent. The next one goes to whoever has fewest and was served longest ago,
 * so that slow receivers and long queues of some keep nobody else waiting for more than one attempt.
 */
export class Turns {
  /** Groups that may have something to send, with the turn at which they were served last. */
  readonly #waiting = new Map<string, { readonly group: Group; servedAt: number; wished: boolean }>();
  readonly #active = new Map<string, number>();
  #places = 0;
  #turn = 0;

  /** The group may have something to send. */
  wait(group: Group): void {
    const key = keyOf(group);
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) this.#waiting.set(key, { group, servedAt: 0, wished: true });
    else waiting.wished = true;
  }

  /** What the group has is about to be looked up. */
  look(group: Group): void {
    const waiting = this.#waiting.get(keyOf(group));
    if (waiting !== undefined) waiting.wished = false;
  }

  /** Nothing was found for the group. False when it has got something since the look. */
  rest(group: Group): boolean {
    const key = keyOf(group);
    return this.#waiting.get(key)?.wished !== true && this.#waiting.delete(key);
  }

  /** Whose turn it is; undefined when there is no place for anybody who waits. */
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

  /** Takes a place for the group; gives it back when called. */
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

/** The group that a delivery waits in. */
export function groupOf({ owner, to }: { readonly owner: string; readonly to: string }): Group {
  return owner === '' ? { owner, to } : { owner };
}

function keyOf({ owner, to }: Group): string {
  return JSON.stringify([owner, to]);
}
