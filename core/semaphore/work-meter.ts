import type { ThreadTime } from './processes.js';

/** Returns the times of a program's threads by a name that no other thread has. */
export type ReadTimes = () => ReadonlyMap<string, ThreadTime>;

interface Measured {
  readonly read: ReadTimes;
  readonly seen: Map<string, ThreadTime>;
}

const unborn: ThreadTime = { ran: 0, queued: 0 };

/**
 * Measures how long something has worked: time passes, but for the time in which it waits for its turn, and in which
 * its processes are ready to run and get no processor. Time in which one of its threads ran always counts.
 */
export class WorkMeter {
  readonly #started: number;
  readonly #processes = new Set<Measured>();
  /** Programs that work now: while one does, nothing waits for its turn alone. */
  #programs = 0;
  #waits = 0;
  #waitsSince = 0;
  /** Time of waiting since the last look. */
  #waited = 0;
  #looked: number;
  #counted = 0;

  /** `now`: the time in ms. */
  constructor(private readonly now: () => number = () => performance.now()) {
    this.#started = this.#looked = now();
  }

  /** Time since the meter was made, in ms. */
  get total(): number {
    return this.now() - this.#started;
  }

  /** True while a program is measured: it may end at any time, so the meter should be looked at often. */
  get hasPrograms(): boolean {
    return this.#programs > 0;
  }

  /** Returns the time that counts as work so far, in ms. */
  look(): number {
    this.#addWait();
    const now = this.now();
    const passed = now - this.#looked;
    let [queued, ran] = [0, 0];
    for (const process of this.#processes) {
      for (const [thread, time] of process.read()) {
        const before = process.seen.get(thread) ?? unborn;
        process.seen.set(thread, time);
        queued += Math.max(0, time.queued - before.queued);
        ran = Math.max(ran, time.ran - before.ran);
      }
    }
    this.#counted += passed - Math.min(this.#waited + queued, Math.max(0, passed - ran));
    this.#looked = now;
    this.#waited = 0;
    return this.#counted;
  }

  /** Call it when the work begins to wait for its turn, and the result when it has it. */
  wait(): () => void {
    this.#addWait();
    this.#waits++;
    return once(() => {
      this.#addWait();
      this.#waits--;
    });
  }

  /**
   * Measures processes until the result is called. `program`: they do the work for which a turn was waited for;
   * otherwise they may wait for others themselves.
   */
  measure(read: ReadTimes, program: boolean): () => void {
    this.look();
    const process: Measured = { read, seen: new Map(read()) };
    this.#processes.add(process);
    if (program) this.#programs++;
    return once(() => {
      this.look();
      this.#processes.delete(process);
      if (program) this.#programs--;
    });
  }

  #addWait(): void {
    const now = this.now();
    if (this.#waits > 0 && this.#programs === 0) this.#waited += now - this.#waitsSince;
    this.#waitsSince = now;
  }
}

function once(act: () => void): () => void {
  let done = false;
  return () => {
    if (!done) act();
    done = true;
  };
}
