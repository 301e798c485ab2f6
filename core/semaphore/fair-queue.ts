/** Owners whose last turn is remembered, so that memory is bounded. */
const REMEMBERED = 1000;

interface Line<T> {
  readonly owner: string;
  readonly items: T[];
}

/**
 * A queue that gives turns to owners, not to items: next is the owner with the fewest items at work, among equals the
 * one whose last turn is longest ago. The items of one owner keep their order.
 */
export class FairQueue<T> {
  readonly #lines = new Map<string, Line<T>>();
  readonly #atWork = new Map<string, number>();
  /** Owners by their last turn, oldest first; the value is the number of the turn. */
  readonly #turns = new Map<string, number>();
  #turn = 0;

  add(owner: string, item: T): void {
    this.#lineOf(owner).push(item);
  }

  /** Puts an item before the other items of its owner. */
  addFirst(owner: string, item: T): void {
    this.#lineOf(owner).unshift(item);
  }

  /** Removes an item; false if it is not in the queue. */
  remove(item: T): boolean {
    for (const line of this.#lines.values()) {
      const at = line.items.indexOf(item);
      if (at < 0) continue;
      this.#cut(line, at);
      return true;
    }
    return false;
  }

  /** Removes and returns the next item that `admits` accepts; undefined if there is none. */
  take(admits: (item: T) => boolean = () => true): T | undefined {
    let best: { readonly line: Line<T>; readonly at: number } | undefined;
    for (const line of this.#lines.values()) {
      if (best !== undefined && !this.#isBefore(line.owner, best.line.owner)) continue;
      const at = line.items.findIndex(admits);
      if (at >= 0) best = { line, at };
    }
    if (best === undefined) return undefined;
    this.#remember(best.line.owner);
    return this.#cut(best.line, best.at);
  }

  /** Call it when an item of the owner starts to work; call the result once, when it has ended. */
  begin(owner: string): () => void {
    this.#remember(owner);
    this.#atWork.set(owner, this.atWork(owner) + 1);
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      const left = this.atWork(owner) - 1;
      if (left > 0) this.#atWork.set(owner, left);
      else this.#atWork.delete(owner);
    };
  }

  /** Number of items of an owner that are at work. */
  atWork(owner: string): number {
    return this.#atWork.get(owner) ?? 0;
  }

  /**
   * Makes place in a full queue for an item of `owner`: removes and returns the newest item of the owner with the most
   * items, if that owner still has at least as many as `owner` afterwards. `counts` selects the items that fill it.
   */
  pushOut(owner: string, counts: (item: T) => boolean = () => true): T | undefined {
    const sizeOf = ({ items }: Line<T>): number => items.filter(counts).length;
    const own = this.#lines.get(owner);
    const [longest] = [...this.#lines.values()].sort((a, b) => sizeOf(b) - sizeOf(a));
    if (longest === undefined || sizeOf(longest) - 1 < (own === undefined ? 0 : sizeOf(own)) + 1) return undefined;
    return this.#cut(longest, longest.items.findLastIndex(counts));
  }

  /** Every item, the items of each owner in order. */
  items(): T[] {
    return [...this.#lines.values()].flatMap(({ items }) => items);
  }

  get size(): number {
    let size = 0;
    for (const { items } of this.#lines.values()) size += items.length;
    return size;
  }

  #lineOf(owner: string): T[] {
    let line = this.#lines.get(owner);
    if (line === undefined) this.#lines.set(owner, (line = { owner, items: [] }));
    return line.items;
  }

  #remember(owner: string): void {
    this.#turns.delete(owner);
    this.#turns.set(owner, ++this.#turn);
    const [oldest] = this.#turns.keys();
    if (this.#turns.size > REMEMBERED && oldest !== undefined) this.#turns.delete(oldest);
  }

  #cut(line: Line<T>, at: number): T | undefined {
    const [item] = line.items.splice(at, 1);
    if (line.items.length === 0) this.#lines.delete(line.owner);
    return item;
  }

  #isBefore(a: string, b: string): boolean {
    const difference = this.atWork(a) - this.atWork(b);
    return difference === 0 ? (this.#turns.get(a) ?? 0) < (this.#turns.get(b) ?? 0) : difference < 0;
  }
}
