import { isQuireError, type Clock, type Logger } from '@quire/registry';
import { noBackplane, pollOrListen, type Backplane } from '../jobs/backplane/index.js';
import type { Identified, Records } from '../store/index.js';

/** Targets of a switch; the first is the most specific. */
export const switchKinds = ['operation', 'plugin', 'category'] as const;
export type SwitchKind = (typeof switchKinds)[number];

/** A switch that an administrator has set at run time. */
export interface SwitchRecord extends Identified {
  /** `<kind>:<name>`. */
  readonly id: string;
  readonly kind: SwitchKind;
  /** Path of the operation (`general/rotate-pdf`), package name of the plugin, or first path segment. */
  readonly name: string;
  readonly enabled: boolean;
  /** ISO instant. */
  readonly changedAt: string;
  /** Name of the administrator. */
  readonly changedBy: string;
}

/** How often a server asks a shared store for switches that another server changed. */
const POLL_MS = 2000;

export interface SwitchBoardDeps {
  readonly records: Records<SwitchRecord>;
  readonly log: Logger;
  readonly clock: Clock;
  /** True when other servers use the same store. */
  readonly shared: boolean;
  /** How other servers hear of a change at once. */
  readonly backplane?: Backplane;
  /** Milliseconds between two reads of a shared store. */
  readonly pollMs?: number;
}

/**
 * The switches of all servers on one store, cached in memory. A change made here applies at once, one made by another
 * server within the poll interval, or as soon as the backplane tells.
 */
export class SwitchBoard {
  readonly #parts: SwitchBoardDeps;
  #switches: ReadonlyMap<string, SwitchRecord> = new Map();
  #seen = '';
  #revision = 0;
  #known = false;
  #failing = false;
  #end: (() => void) | undefined;

  constructor(deps: SwitchBoardDeps) {
    this.#parts = deps;
  }

  /** False until the store has answered once: until then it is unknown what is switched off. */
  get known(): boolean {
    return this.#known;
  }

  /** Grows with every change. */
  get revision(): number {
    return this.#revision;
  }

  /**
   * Reads the switches and, when the store is shared, keeps polling it. Retries while the store is unreachable; does
   * not throw.
   */
  async start(): Promise<void> {
    await this.#refresh();
    if (!this.#parts.shared && this.#known) return;
    const { backplane = noBackplane, pollMs = POLL_MS } = this.#parts;
    this.#end = pollOrListen(backplane, 'switches', { ms: pollMs, look: () => void this.#refresh() });
  }

  stop(): void {
    this.#end?.();
  }

  get(kind: SwitchKind, name: string): boolean | undefined {
    return this.#switches.get(`${kind}:${name}`)?.enabled;
  }

  list(): readonly SwitchRecord[] {
    return [...this.#switches.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** Sets a switch, or removes it with null. Rejects with STORE_DOWN or STORAGE_FULL; nothing has changed then. */
  async set(kind: SwitchKind, name: string, enabled: boolean | null, changedBy: string): Promise<void> {
    const { records, clock, log } = this.#parts;
    const id = `${kind}:${name}`;
    if (enabled === null) await records.delete(id);
    else await records.put({ id, kind, name, enabled, changedAt: clock.now().toISOString(), changedBy });
    this.#parts.backplane?.announce('switches');
    this.#take(await records.find());
    log.info({ kind, name, enabled }, 'an administrator changed a switch');
  }

  async #refresh(): Promise<void> {
    try {
      this.#take(await this.#parts.records.find());
      this.#failing = false;
    } catch (error) {
      // Logged once per outage: every poll would repeat it.
      if (!this.#failing)
        this.#parts.log.warn(
          { code: isQuireError(error) ? error.code : 'unknown' },
          'cannot read the switches of operations; the last known ones stay in effect',
        );
      this.#failing = true;
    }
  }

  #take(found: readonly SwitchRecord[]): void {
    const switches = new Map(found.map((record) => [record.id, record]));
    const seen = JSON.stringify(
      [...switches.values()].map(({ id, enabled, changedAt }) => [id, enabled, changedAt]).sort(),
    );
    if (this.#known && seen === this.#seen) return;
    this.#known = true;
    this.#seen = seen;
    this.#switches = switches;
    this.#revision++;
  }
}
