import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isDuplicateRecord, type Records } from '../../store/index.js';

/** A time-limited right of one process in the cluster. */
export interface LeaseRecord {
  /** Purpose: `upkeep`, or a place of an operation (`operation misc/ocr-pdf 0`). */
  readonly id: string;
  /** Random id of the holder; '' when free. */
  readonly holder: string;
  /** Store time in ms; from then on any process may take it. */
  readonly untilMs: number;
}

export interface Lease {
  /** Extends the lease; resolves to false when it was lost. Rejects with STORE_DOWN. */
  renew(): Promise<boolean>;
  /** Gives the lease back; never rejects, because the lease expires by itself. */
  release(): Promise<void>;
}

export interface LeaseDeps {
  readonly records: Records<LeaseRecord>;
  /** The store's time in ms. */
  now(): number;
}

const LONGEST_WAIT_MS = 1000;

/** Leases in the store. They expire by themselves, so a dead node blocks others only until its lease expires. */
export class Leases {
  constructor(private readonly deps: LeaseDeps) {}

  /**
   * Takes a lease that is free or expired; resolves to undefined when another process holds it. Rejects with
   * STORE_DOWN.
   */
  async take(id: string, lastsMs: number): Promise<Lease | undefined> {
    const { records, now } = this.deps;
    const holder = randomUUID();
    const fresh = { holder, untilMs: now() + lastsMs };
    const found = await records.get(id);
    if (found === undefined) {
      try {
        await records.insert({ id, ...fresh });
      } catch (error) {
        if (isDuplicateRecord(error)) return undefined;
        throw error;
      }
    } else {
      if (found.holder !== '' && found.untilMs > now()) return undefined;
      if ((await records.update(id, { set: fresh }, { holder: found.holder, untilMs: found.untilMs })) === undefined)
        return undefined;
    }
    return {
      renew: async () => (await records.update(id, { set: { untilMs: now() + lastsMs } }, { holder })) !== undefined,
      release: async () =>
        void (await records.update(id, { set: { holder: '', untilMs: 0 } }, { holder }).catch(() => undefined)),
    };
  }

  /**
   * Waits for one of a number of places and renews its lease until the returned function is called. Places of dead
   * nodes become free when their lease expires. Rejects with the signal's reason, and with STORE_DOWN.
   */
  async place(name: string, places: number, signal: AbortSignal, lastsMs = 20_000): Promise<() => Promise<void>> {
    // Start at a random place, so that many waiting processes do not all try the same one.
    const first = Math.floor(Math.random() * places);
    for (let round = 0; ; round++) {
      for (let number = 0; number < places; number++) {
        signal.throwIfAborted();
        const lease = await this.take(`${name} ${(first + number) % places}`, lastsMs);
        if (lease !== undefined) return keep(lease, lastsMs);
      }
      await delay(Math.min(LONGEST_WAIT_MS, 50 * 2 ** Math.min(round, 5)) * (0.5 + Math.random() / 2), undefined, {
        signal,
      }).catch(() => undefined);
      signal.throwIfAborted();
    }
  }
}

function keep(lease: Lease, lastsMs: number): () => Promise<void> {
  // While the store is unreachable the lease may expire; the work continues, because its results are checked against
  // the record anyway.
  const timer = setInterval(() => void lease.renew().catch(() => undefined), lastsMs / 3).unref();
  return async () => {
    clearInterval(timer);
    await lease.release();
  };
}
