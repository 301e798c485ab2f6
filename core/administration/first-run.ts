import type { Clock, Logger } from '@quire/registry';
import { isDuplicateRecord, type Identified, type Records } from '../store/index.js';

/** A fact that is settled once for all servers on one store. */
export interface OnceRecord extends Identified {
  /** `firstStart` or `analytics`. */
  readonly id: string;
  /** The choice; null for the first start. */
  readonly value: boolean | null;
  /** ISO instant. */
  readonly at: string;
}

/**
 * What is settled once in a store's life: its first start, and whether analytics are wanted. The choice is only kept:
 * this server sends analytics to nobody, whatever it says.
 */
export class FirstRun {
  #analytics: boolean | undefined;
  #isNew = false;

  constructor(
    private readonly deps: {
      readonly records: Records<OnceRecord>;
      readonly clock: Clock;
      readonly log: Logger;
      /** `system.enableAnalytics`. */ readonly configured: boolean | null;
    },
  ) {}

  /** Notes the first start. A store that is away is no reason not to start. */
  async start(): Promise<void> {
    try {
      this.#isNew = await this.#insert('firstStart', null);
      await this.#read();
    } catch (error) {
      this.deps.log.warn({ err: error }, 'the store could not be asked for its first start');
    }
  }

  /** True during the first life of a server on this store. */
  get isNew(): boolean {
    return this.#isNew;
  }

  /** The settings' word, else the choice made; null while nobody has chosen. Rejects with STORE_DOWN. */
  async analytics(): Promise<boolean | null> {
    return this.deps.configured ?? this.#analytics ?? (await this.#read()) ?? null;
  }

  /** Keeps the choice; false when one was made before, by settings or by somebody. Rejects with STORE_DOWN. */
  async choose(enabled: boolean): Promise<boolean> {
    if (this.deps.configured !== null || !(await this.#insert('analytics', enabled))) return false;
    this.#analytics = enabled;
    return true;
  }

  async #read(): Promise<boolean | undefined> {
    const value = (await this.deps.records.get('analytics'))?.value;
    if (typeof value === 'boolean') this.#analytics = value;
    return this.#analytics;
  }

  async #insert(id: string, value: boolean | null): Promise<boolean> {
    try {
      await this.deps.records.insert({ id, value, at: this.deps.clock.now().toISOString() });
      return true;
    } catch (error) {
      if (isDuplicateRecord(error)) return false;
      throw error;
    }
  }
}
