import { isQuireError, type Logger } from '@quire/registry';
import { noBackplane, pollOrListen, type Backplane } from '../jobs/backplane/index.js';
import { isDuplicateRecord, type Identified, type Records } from '../store/index.js';
import { RightsTable } from './effective-rights.js';
import type { GrantRecord } from './grants.js';
import { builtInRoles, unlimited, type Rights, type Role, type RoleRecord } from './model.js';

/** Counts the changes of roles and grants, so that other servers need to read no more than this to find out. */
interface RevisionRecord extends Identified {
  readonly count: number;
}

const REVISION = 'revision';
/** How often a server asks a shared store whether another server changed a role or a grant. */
const POLL_MS = 2000;
/** How often everything is read again, for a change that was stored but not counted before its server crashed. */
const READ_ALL_MS = 60_000;

export interface RoleBoardDeps {
  readonly roles: Records<RoleRecord>;
  readonly revisions: Records<RevisionRecord>;
  readonly grants: { all(): Promise<readonly GrantRecord[]> };
  readonly log: Logger;
  /** True when other servers use the same store. */
  readonly shared: boolean;
  /** The daily limits of shipped roles hold (`rateLimit`). */
  readonly rateLimit: boolean;
  /** How other servers hear of a change at once. */
  readonly backplane?: Backplane;
  readonly pollMs?: number;
}

/**
 * Roles and grants in memory. A change made here applies at once, one of another server within two seconds, or as soon
 * as the backplane tells.
 */
export class RoleBoard {
  #table: RightsTable;
  #seen = -1;
  #readAt = 0;
  #failing = false;
  #end: (() => void) | undefined;
  #reading: Promise<unknown> = Promise.resolve();

  constructor(private readonly deps: RoleBoardDeps) {
    this.#table = new RightsTable(builtInRoles(deps.rateLimit), []);
  }

  get table(): RightsTable {
    return this.#table;
  }

  /** Reads everything, and keeps asking a shared store. Rejects with STORE_DOWN. */
  async start(): Promise<void> {
    await this.#read();
    if (!this.deps.shared) return;
    const { backplane = noBackplane, pollMs = POLL_MS } = this.deps;
    this.#end = pollOrListen(backplane, 'roles', { ms: pollMs, look: () => void this.#poll() });
  }

  stop(): void {
    this.#end?.();
  }

  /** Call after each change: it applies here when this resolves. */
  async changed(): Promise<void> {
    const { revisions } = this.deps;
    if ((await revisions.update(REVISION, { inc: { count: 1 } })) === undefined)
      await revisions.insert({ id: REVISION, count: 1 }).catch(async (error: unknown) => {
        if (!isDuplicateRecord(error)) throw error;
        await revisions.update(REVISION, { inc: { count: 1 } });
      });
    this.deps.backplane?.announce('roles');
    await this.#read();
  }

  async #poll(): Promise<void> {
    try {
      const count = await this.#count();
      if (count !== this.#seen || Date.now() - this.#readAt >= READ_ALL_MS) await this.#read();
      this.#failing = false;
    } catch (error) {
      // Logged once per outage: every poll would repeat it.
      if (!this.#failing)
        this.deps.log.warn(
          { code: isQuireError(error) ? error.code : 'unknown' },
          'cannot read roles and access grants; the last known ones stay in effect',
        );
      this.#failing = true;
    }
  }

  async #count(): Promise<number> {
    return (await this.deps.revisions.get(REVISION))?.count ?? 0;
  }

  /** One after the other, so that an earlier reading never replaces a later one. */
  async #read(): Promise<void> {
    const mine = this.#reading.then(async () => {
      // Read first: what changes meanwhile is counted again, and found by the next poll.
      const count = await this.#count();
      const [records, grants] = await Promise.all([this.deps.roles.find(), this.deps.grants.all()]);
      this.#table = new RightsTable(rolesOf(records, this.deps.rateLimit), grants);
      this.#seen = count;
      this.#readAt = Date.now();
    });
    this.#reading = mine.catch(() => undefined);
    await mine;
  }
}

/** The shipped roles as they were changed, then the others by name. */
function rolesOf(records: readonly RoleRecord[], rateLimit: boolean): Role[] {
  const stored = new Map(records.map((record) => [record.id, record]));
  const own = builtInRoles(rateLimit).map((role) => {
    const record = role.fixed ? undefined : stored.get(role.name);
    return record === undefined ? role : { ...roleOf(record), builtIn: true };
  });
  const names = new Set(own.map(({ name }) => name));
  const others = records.filter(({ id }) => !names.has(id)).map(roleOf);
  return [...own, ...others.sort((a, b) => (a.name < b.name ? -1 : 1))];
}

function roleOf({ id, title, description, version, rights: stored, changedAt, changedBy }: RoleRecord): Role {
  const rights = JSON.parse(stored) as Rights;
  return {
    name: id,
    title,
    description,
    builtIn: false,
    fixed: false,
    version,
    // A role of an earlier version lacks the limits that came later.
    rights: { ...rights, limits: { ...unlimited, ...rights.limits } },
    changedAt,
    changedBy,
  };
}
