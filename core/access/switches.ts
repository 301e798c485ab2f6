import { isQuireError, type Clock, type Logger } from '@quire/registry';
import type { Identified, Records } from '../store/index.js';

/** What a switch may stand for; the first is nearest to an operation. */
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

/** What the board stands on. */
export interface SwitchBoardDeps {
  readonly records: Records<SwitchRecord>;
  readonly log: Logger;
  readonly clock: Clock;
  /** True when other servers use the same store. */
  readonly shared: boolean;
  /** Milliseconds between two looks at a shared store. */
  readonly pollMs?: number;
}

/**
 * The switches of all servers on one store: kept there, held in memory, so that asking costs nothing. A change made
 * here acts at once, one made by another server within the poll interval.
 */
export class SwitchBoard {
  readonly #parts: SwitchBoardDeps;
  #switches: ReadonlyMap<string, SwitchRecord> = new Map();
  #seen = '';
  #revision = 0;
  #known = false;
  #failing = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: SwitchBoardDeps) {
    this.#parts = deps;
  }

  /** False until the store has answered once: what is off is not known yet. */
  get known(): boolean {
    return this.#known;
  }

  /** Grows with every change. */
  get revision(): number {
    return this.#revision;
  }

  /**
   * Reads the switches and goes on looking while the store is shared. A store that is away is asked again; nothing is
   * thrown.
   */
  async start(): Promise<void> {
    await this.#refresh();
    if (!this.#parts.shared && this.#known) return;
    this.#timer = setInterval(() => void this.#refresh(), this.#parts.pollMs ?? POLL_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  get(kind: SwitchKind, name: string): boolean | undefined {
    return this.#switches.get(`${kind}:${name}`)?.enabled;
  }

  list(): readonly SwitchRecord[] {
    return [...this.#switches.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /**
   * Sets a switch, or takes it away with null. Rejects with STORE_DOWN or STORAGE_FULL, and then nothing has changed.
   */
  async set(kind: SwitchKind, name: string, enabled: boolean | null, changedBy: string): Promise<void> {
    const { records, clock, log } = this.#parts;
    const id = `${kind}:${name}`;
    if (enabled === null) await records.delete(id);
    else await records.put({ id, kind, name, enabled, changedAt: clock.now().toISOString(), changedBy });
    this.#take(await records.find());
    log.info({ kind, name, enabled }, 'an administrator changed a switch');
  }

  async #refresh(): Promise<void> {
    try {
      this.#take(await this.#parts.records.find());
      this.#failing = false;
    } catch (error) {
      // Once per outage: the poll would fill the log.
      if (!this.#failing)
        this.#parts.log.warn(
          { code: isQuireError(error) ? error.code : 'unknown' },
          'the switches of operations cannot be read; those known stay',
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
