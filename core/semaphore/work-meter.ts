import { threadTimes, type ThreadTime } from './processes.js';

/** Where a meter has its times from, in ms. */
export interface MeterSource {
  now(): number;
  /** Times of the threads of these processes, by a name that no other thread has. */
  threads(pids: readonly number[]): ReadonlyMap<string, ThreadTime>;
}

const system: MeterSource = {
  now: () => performance.now(),
  threads: (pids) => new Map(pids.flatMap((pid) => [...threadTimes(pid)])),
};

interface Measured {
  pids(): readonly number[];
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

  constructor(private readonly source: MeterSource = system) {
    this.#started = this.#looked = source.now();
  }

  /** Time since the meter was made, in ms. */
  get total(): number {
    return this.source.now() - this.#started;
  }

  /** True while a program is measured: it may end at any time, so the meter should be looked at often. */
  get hasPrograms(): boolean {
    return this.#programs > 0;
  }

  /** Returns the time that counts as work so far, in ms. */
  look(): number {
    this.#addWait();
    const now = this.source.now();
    const passed = now - this.#looked;
    let [queued, ran] = [0, 0];
    for (const process of this.#processes) {
      for (const [thread, time] of this.source.threads(process.pids())) {
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
  measure(pids: () => readonly number[], program: boolean): () => void {
    this.look();
    const process: Measured = { pids, seen: new Map(this.source.threads(pids())) };
    this.#processes.add(process);
    if (program) this.#programs++;
    return once(() => {
      this.look();
      this.#processes.delete(process);
      if (program) this.#programs--;
    });
  }

  #addWait(): void {
    const now = this.source.now();
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
