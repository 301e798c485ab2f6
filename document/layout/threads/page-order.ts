/** Pages of one turn: each turn costs a message between the threads. */
const PAGES_PER_TURN = 8;
/** Pages that a thread may be ahead of what is written: what it has read waits in memory. */
const MOST_AHEAD = 128;
const NEXT = 0;
const WRITTEN = 1;

/** Gives out the pages of a document to several threads, from the first on, each once. */
export class PageOrder {
  readonly #numbers: Int32Array;

  constructor(
    readonly pages: number,
    /** Shared by the threads. */
    readonly memory: SharedArrayBuffer = new SharedArrayBuffer(8),
  ) {
    this.#numbers = new Int32Array(memory);
  }

  /** The pages (0-based) that this thread reads next; undefined when all are given out. */
  take(): readonly number[] | undefined {
    const first = Atomics.add(this.#numbers, NEXT, PAGES_PER_TURN);
    if (first >= this.pages) return undefined;
    return Array.from({ length: Math.min(PAGES_PER_TURN, this.pages - first) }, (_, i) => first + i);
  }

  /** Reports that all pages before this one are written. */
  written(before: number): void {
    Atomics.store(this.#numbers, WRITTEN, before);
    Atomics.notify(this.#numbers, WRITTEN);
  }

  /** Stops the thread until this page is among the next that are written. */
  awaitTurn(page: number): void {
    for (let written = this.#written(); page > written + MOST_AHEAD; written = this.#written())
      Atomics.wait(this.#numbers, WRITTEN, written);
  }

  #written(): number {
    return Atomics.load(this.#numbers, WRITTEN);
  }
}
