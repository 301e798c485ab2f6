import { randomUUID } from 'node:crypto';
import type { Logger } from '@quire/registry';
import { isDuplicateRecord, type Records } from '../../store/index.js';

/** A numbered slot that one running server holds; its current work is recorded under the slot's id. */
export interface SlotRecord {
  /** `s0`, `s1` … */
  readonly id: string;
  /** Random id of the holding process; '' when free. */
  readonly holder: string;
  /** Last sign of life, store time in ms. */
  readonly seenAtMs: number;
}

export interface SlotDeps {
  readonly records: Records<SlotRecord>;
  /**
   * True when other servers share the store; otherwise this process is its only user, and every earlier holder is dead.
   */
  readonly shared: boolean;
  readonly log: Logger;
  /** Resolves to the time of the store, which all its servers share. */
  now(): Promise<Date>;
  /** Ends what an earlier holder left behind; called before its slot is used again. */
  settle(slot: string): Promise<void>;
  /** How long a silent server counts as running, ms. */
  readonly leaseMs?: number;
  readonly beatMs?: number;
}

/**
 * Gives this process a slot among the servers of one store, and settles what dead servers left behind: at once on an
 * embedded store, after the lease on a shared one.
 */
export class ServerSlot {
  readonly #me = randomUUID();
  readonly #leaseMs: number;
  readonly #beatMs: number;
  #held: Promise<string> | undefined;
  #name = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly deps: SlotDeps) {
    this.#leaseMs = deps.leaseMs ?? 60_000;
    this.#beatMs = deps.beatMs ?? 15_000;
  }

  /**
   * Returns the slot that is held now; takes one on first use. Rejects with STORE_DOWN, and tries again at the next
   * call.
   */
  current(): Promise<string> {
    this.#held ??= this.#claim().catch((error: unknown) => {
      this.#held = undefined;
      throw error;
    });
    return this.#held;
  }

  /** True while this process holds the slot; a server that was silent for too long has lost it. */
  holds(slot: string): boolean {
    return slot === this.#name;
  }

  /** Settles and releases the slot. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    if (this.#name === '') return;
    const id = this.#name;
    await this.deps.settle(id);
    if (this.deps.shared)
      await this.deps.records.update(id, { set: { holder: '', seenAtMs: 0 } }, { holder: this.#me });
  }

  async #claim(): Promise<string> {
    const { shared, settle } = this.deps;
    if (!shared) {
      await settle('s0');
      return (this.#name = 's0');
    }
    for (let number = 0; ; number++) {
      const id = `s${number}`;
      if (!(await this.#takeOver(id))) continue;
      await settle(id);
      this.#timer ??= setInterval(() => void this.#beat(), this.#beatMs).unref();
      return (this.#name = id);
    }
  }

  /** Takes a slot that is free or whose holder is dead; resolves to false when it is neither. */
  async #takeOver(id: string): Promise<boolean> {
    const { records } = this.deps;
    const nowMs = (await this.deps.now()).getTime();
    const record = await records.get(id);
    if (record === undefined) {
      return records.insert({ id, holder: this.#me, seenAtMs: nowMs }).then(
        () => true,
        (error: unknown) => {
          if (isDuplicateRecord(error)) return false;
          throw error;
        },
      );
    }
    if (record.holder !== '' && record.seenAtMs > nowMs - this.#leaseMs) return false;
    return (
      (await records.update(
        id,
        { set: { holder: this.#me, seenAtMs: nowMs } },
        { holder: record.holder, seenAtMs: record.seenAtMs },
      )) !== undefined
    );
  }

  /** Sends a heartbeat, then looks for slots of dead servers. */
  async #beat(): Promise<void> {
    const { records, log, settle } = this.deps;
    try {
      const nowMs = (await this.deps.now()).getTime();
      if ((await records.update(this.#name, { set: { seenAtMs: nowMs } }, { holder: this.#me })) === undefined) {
        log.warn(
          { slot: this.#name },
          'this server was silent for so long that its slot was lost and its unfinished calls were settled',
        );
        this.#name = '';
        this.#held = undefined;
        await this.current();
      }
      for (const { id, holder } of await records.find({}, { atMost: { seenAtMs: nowMs - this.#leaseMs } })) {
        if (id === this.#name || holder === '' || !(await this.#takeOver(id))) continue;
        await settle(id);
        await records.update(id, { set: { holder: '', seenAtMs: 0 } }, { holder: this.#me });
      }
    } catch (error) {
      log.warn({ err: error }, 'the heartbeat of this server could not be written to the store');
    }
  }
}
