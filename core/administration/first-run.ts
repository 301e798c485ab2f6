import type { Clock, Logger } from '@quire/registry';
import { isDuplicateRecord, type Identified, type Records } from '../store/index.js';

/** A fact that is decided once for all servers on one store. */
export interface OnceRecord extends Identified {
  /** `firstStart`, `analytics` or `setup`. */
  readonly id: string;
  /** The choice, or whether the first steps are done; null for the first start. */
  readonly value: boolean | null;
  /** ISO instant. */
  readonly at: string;
}

/**
 * Decides once per store: its first start, whether an administrator has gone through the first steps, and the analytics
 * choice. The choice is only stored: this server never sends analytics.
 */
export class FirstRun {
  #analytics: boolean | undefined;
  #isNew = false;
  #setUp = false;

  constructor(
    private readonly deps: {
      readonly records: Records<OnceRecord>;
      readonly clock: Clock;
      readonly log: Logger;
      /** The setting `system.enableAnalytics`. */ readonly configured: boolean | null;
    },
  ) {}

  /** Records the first start. The server starts even if the store is unavailable. */
  async start(): Promise<void> {
    try {
      this.#isNew = await this.#insert('firstStart', null);
      if (this.#isNew) await this.#insert('setup', false);
      await this.#read();
    } catch (error) {
      this.deps.log.warn({ err: error }, 'the store could not be read for its first start');
    }
  }

  /** True until the first restart of a server on this store. */
  get isNew(): boolean {
    return this.#isNew;
  }

  /**
   * True until an administrator has gone through the first steps of a new server, or skipped them. Stores that are
   * older than these steps count as set up. Rejects with STORE_DOWN.
   */
  async needsSetup(): Promise<boolean> {
    if (!this.#setUp) this.#setUp = (await this.deps.records.get('setup'))?.value !== false;
    return !this.#setUp;
  }

  /** Marks the first steps as done, for all servers on the store. Rejects with STORE_DOWN. */
  async finishSetup(): Promise<void> {
    const at = this.deps.clock.now().toISOString();
    const done = await this.deps.records.update('setup', { set: { value: true, at } });
    if (done === undefined) await this.#insert('setup', true);
    this.#setUp = true;
  }

  /** Returns the setting, else the stored choice; null before a choice. Rejects with STORE_DOWN. */
  async analytics(): Promise<boolean | null> {
    return this.deps.configured ?? this.#analytics ?? (await this.#read()) ?? null;
  }

  /** Stores the choice; returns false if it was made before, in the settings or by a call. Rejects with STORE_DOWN. */
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
