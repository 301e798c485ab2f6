import { OperationalError } from '@quire/registry/errors';
import { FairQueue } from './fair-queue.js';
import { currentOwner } from './owner.js';
import { waitForTurn } from './work-clock.js';

interface Waiting {
  go(): void;
  refuse(error: Error): void;
}

/**
 * Lets a number of callers through at once; the others wait in a line of bounded length, in which owners take turns
 * (`onBehalfOf`).
 */
export class Gate {
  #free: number;
  readonly #line = new FairQueue<Waiting>();
  /** Places that are withdrawn when their caller leaves. */
  #surplus = 0;

  /** `longest`: how many may wait. */
  constructor(
    places: number,
    private readonly longest = Infinity,
  ) {
    this.#free = places;
  }

  get waiting(): number {
    return this.#line.size;
  }

  /**
   * Waits for a place; call the result to leave. Rejects with QUEUE_FULL when the line is full, and with the signal's
   * reason when it is aborted first. In a full line, an owner with fewer callers takes the last place of the owner with
   * the most.
   */
  async enter(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    const owner = currentOwner();
    if (this.#free > 0) this.#free--;
    else await this.#wait(owner, signal).finally(waitForTurn());
    const end = this.#line.begin(owner);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      end();
      if (this.#surplus > 0) {
        this.#surplus--;
        return;
      }
      const next = this.#line.take();
      // The place passes on without becoming free, so nobody can slip in between.
      if (next === undefined) this.#free++;
      else next.go();
    };
  }

  /** Lets one more caller through at once until the result is called; who is inside then may stay. */
  widen(): () => void {
    const next = this.#line.take();
    if (next === undefined) this.#free++;
    else next.go();
    let closed = false;
    return () => {
      if (closed) return;
      closed = true;
      if (this.#free > 0) this.#free--;
      else this.#surplus++;
    };
  }

  #wait(owner: string, signal: AbortSignal | undefined): Promise<void> {
    if (this.#line.size >= this.longest) {
      const full = new OperationalError('QUEUE_FULL', { seconds: Math.min(60, Math.max(1, this.#line.size)) });
      const out = this.#line.pushOut(owner);
      if (out === undefined) throw full;
      out.refuse(full);
    }
    return new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        this.#line.remove(waiting);
        reject(signal?.reason as Error);
      };
      const settled = (): void => signal?.removeEventListener('abort', leave);
      const waiting: Waiting = {
        go: () => {
          settled();
          resolve();
        },
        refuse: (error) => {
          settled();
          reject(error);
        },
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.#line.add(owner, waiting);
    });
  }
}
