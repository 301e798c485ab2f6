import { randomUUID } from 'node:crypto';
import type { Clock } from '@quire/registry';
import type { ServerSecret } from '../../secrets/index.js';
import type { Identified, Records, Store } from '../../store/index.js';
import type { TrialReport } from './trial-report.js';
import type { TrialSetup } from './trial-setup.js';

interface TrialRecord extends Identified {
  /** Digest of the session that began it. */
  readonly owner: string;
  /** The setup, sealed: it has the client secret. */
  readonly setup: string;
  /** The report, sealed, once the provider has sent the browser back. */
  readonly report: string | null;
  readonly expiresAtMs: number;
}

/** How long an administrator may take, from the beginning until the report is read, ms. */
const LIFE_MS = 15 * 60_000;
const SETUPS = 'setups of trial logins';
const REPORTS = 'reports of trial logins';
const OWNERS = 'owners of trial logins';

/**
 * Trial logins that have begun. Their record is in the store, since the provider may send the browser to another node;
 * its content is sealed, is read once, by the session that began the trial, and is deleted after a quarter of an hour.
 */
export class LoginTrials {
  readonly #records: Records<TrialRecord>;

  constructor(
    store: Pick<Store, 'records'>,
    private readonly secret: ServerSecret,
    private readonly clock: Clock,
  ) {
    this.#records = store.records<TrialRecord>('login_trials', { keys: ['expiresAtMs'] });
  }

  /** Returns the id of a new trial. */
  async begin(sessionId: string, setup: TrialSetup): Promise<string> {
    const now = this.clock.now().getTime();
    await this.#records.deleteMany({}, { atMost: { expiresAtMs: now } });
    const id = randomUUID();
    await this.#records.insert({
      id,
      owner: this.#owner(sessionId),
      setup: this.secret.seal(SETUPS, id, setup),
      report: null,
      expiresAtMs: now + LIFE_MS,
    });
    return id;
  }

  /** Returns what a trial logs in with; undefined when it is over. */
  async setup(id: string): Promise<TrialSetup | undefined> {
    const found = await this.#current(id);
    return found?.report === null ? (this.secret.open(SETUPS, id, found.setup) as TrialSetup) : undefined;
  }

  /** Stores the report of a trial, once. */
  async finish(id: string, report: TrialReport): Promise<void> {
    await this.#records.update(id, { set: { report: this.secret.seal(REPORTS, id, report) } }, { report: null });
  }

  /**
   * Returns the report, and forgets it; `waiting` while the provider has not sent the browser back, undefined for an
   * unknown trial, one that is over, and one of another session.
   */
  async take(id: string, sessionId: string): Promise<TrialReport | 'waiting' | undefined> {
    const found = await this.#current(id);
    if (found?.owner !== this.#owner(sessionId)) return undefined;
    if (found.report === null) return 'waiting';
    if (!(await this.#records.delete(id))) return undefined;
    return this.secret.open(REPORTS, id, found.report) as TrialReport;
  }

  async #current(id: string): Promise<TrialRecord | undefined> {
    const found = await this.#records.get(id);
    return found !== undefined && found.expiresAtMs > this.clock.now().getTime() ? found : undefined;
  }

  #owner(sessionId: string): string {
    return this.secret.digest(OWNERS, sessionId);
  }
}
