import { breathe } from '../../engines/rendering/breathe.js';
import type { PageOrder } from './page-order.js';
import type { SecondThread, Turn } from './second-thread.js';

/** Reads pages in order, by this thread and a second one if there is one. */
export class SharedReading<T> {
  readonly #own = new Map<number, Turn<T>['read']>();

  constructor(
    readonly order: PageOrder,
    readonly second: SecondThread<T> | undefined,
    /** Reads a page in this thread. */
    readonly read: (page: number) => T,
  ) {}

  /** This page and some that follow it. To be called for the pages in order. */
  async from(page: number): Promise<readonly T[]> {
    this.order.used(page);
    for (;;) {
      const known = this.#taken(this.#own, page) ?? this.#taken(this.second?.turns, page);
      if (known !== undefined) return known.map((one, i) => one ?? this.read(page + i));
      const turn = this.order.isFull() ? undefined : this.order.take();
      if (turn !== undefined) this.#own.set(turn[0] ?? 0, turn.map(this.read));
      else if (this.second?.working === true) await this.second.news();
      // The other thread has ended with this page in hand.
      else return [this.read(page)];
      await breathe(undefined);
    }
  }

  /** Ends the second thread. */
  async stop(): Promise<void> {
    await this.second?.stop();
  }

  #taken(turns: Map<number, Turn<T>['read']> | undefined, page: number): Turn<T>['read'] | undefined {
    const found = turns?.get(page);
    turns?.delete(page);
    return found;
  }
}
