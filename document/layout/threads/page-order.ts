/** How pages are shared out. */
export interface TurnSizes {
  /** Pages of one turn: each turn costs a message between the threads. */
  readonly perTurn: number;
  /** Pages that may be read ahead of what is used: they wait in memory. */
  readonly ahead: number;
}

const NEXT = 0;
const USED = 1;

/** Gives out the pages of a document to several threads, in order, each once. */
export class PageOrder {
  readonly #numbers: Int32Array;

  constructor(
    readonly pages: number,
    readonly sizes: TurnSizes,
    /** Shared by the threads. */
    readonly memory: SharedArrayBuffer = new SharedArrayBuffer(8),
  ) {
    this.#numbers = new Int32Array(memory);
  }

  /** Begins with this page (0-based); to be called before any is given out. */
  startAt(page: number): void {
    Atomics.store(this.#numbers, NEXT, page);
    this.used(page);
  }

  /** The pages (0-based) that this thread reads next; undefined when all are given out. */
  take(): readonly number[] | undefined {
    const { perTurn } = this.sizes;
    const first = Atomics.add(this.#numbers, NEXT, perTurn);
    if (first >= this.pages) return undefined;
    return Array.from({ length: Math.min(perTurn, this.pages - first) }, (_, i) => first + i);
  }

  /** True when so many pages are given out that more of them would fill the memory. */
  isFull(): boolean {
    return Atomics.load(this.#numbers, NEXT) > Atomics.load(this.#numbers, USED) + this.sizes.ahead;
  }

  /** Reports that all pages before this one are used. */
  used(before: number): void {
    Atomics.store(this.#numbers, USED, before);
    Atomics.notify(this.#numbers, USED);
  }

  /** Stops the thread until this page is among the next that are used. */
  awaitTurn(page: number): void {
    for (let used = this.#used(); page > used + this.sizes.ahead; used = this.#used())
      Atomics.wait(this.#numbers, USED, used);
  }

  #used(): number {
    return Atomics.load(this.#numbers, USED);
  }
}
