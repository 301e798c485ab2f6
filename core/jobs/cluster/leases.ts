import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isDuplicateRecord, type Records } from '../../store/index.js';

/** A right that one process of the cluster has for a time. */
export interface LeaseRecord {
  /** What it is for: `upkeep`, or a place of an operation (`operation misc/ocr-pdf 0`). */
  readonly id: string;
  /** Random id of the holding work; '' when free. */
  readonly holder: string;
  /** Store time in ms; from then on anybody may take it. */
  readonly untilMs: number;
}

/** A lease that is held. */
export interface Lease {
  /** Prolongs it; false when it was lost. Rejects with STORE_DOWN. */
  renew(): Promise<boolean>;
  /** Gives it back; never rejects, since it ends by itself. */
  release(): Promise<void>;
}

/** What leases stand on. */
export interface LeaseDeps {
  readonly records: Records<LeaseRecord>;
  /** The store's time in ms. */
  now(): number;
}

const LONGEST_WAIT_MS = 1000;

/** Rights in the store that end by themselves, so that a dead node blocks nobody for longer than a lease lasts. */
export class Leases {
  constructor(private readonly deps: LeaseDeps) {}

  /** Takes a lease that is free or over; undefined when another holds it. Rejects with STORE_DOWN. */
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
   * Waits for one of a number of places and keeps it alive until it is left. Places of dead nodes come free when their
   * lease is over. Rejects with the signal's reason, and with STORE_DOWN.
   */
  async place(name: string, places: number, signal: AbortSignal, lastsMs = 20_000): Promise<() => Promise<void>> {
    // Everybody begins somewhere else, so that many who wait do not ask for the same place.
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
  // A store that is away lets it run out; work at hand goes on, as every result of it is fenced elsewhere.
  const timer = setInterval(() => void lease.renew().catch(() => undefined), lastsMs / 3).unref();
  return async () => {
    clearInterval(timer);
    await lease.release();
  };
}
