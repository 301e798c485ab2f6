import {
  AccessError,
  InputError,
  type Access,
  type AccessGrants,
  type Clock,
  type GrantedResource,
  type Logger,
  type Principal,
} from '@quire/registry';
import type { Backplane } from '../jobs/backplane/index.js';
import { isDuplicateRecord, type Records, type Store } from '../store/index.js';
import type { RightsHolder } from './effective-rights.js';
import { GrantRecords, type GrantKey, type GrantRecord } from './grants.js';
import { INTERNAL_ROLE, type Rights, type Role, type RoleRecord } from './model.js';
import { exceeding, lackOf, type RightsCall } from './rights.js';
import { RoleBoard } from './role-board.js';

/** What administrators write of a role. */
export interface RoleContent {
  readonly title: string;
  readonly description: string;
  readonly rights: Rights;
}

/** Who may use the portal without a grant (`security.portal.defaultAccess`). */
export type PortalDefault = 'ORG_ALL' | 'ADMINS_AND_TEAM_LEADS' | 'EXPLICIT_ONLY';

export interface RolesDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  readonly rateLimit: boolean;
  /** Role of accounts that are created without one (`security.defaultRole`). */
  readonly defaultRole: string;
  readonly portal: PortalDefault;
  readonly backplane?: Backplane;
  readonly pollMs?: number;
}

/** Roles and access grants: lookups in memory, changes in the store. */
export class Roles implements AccessGrants {
  readonly #records: Records<RoleRecord>;
  readonly #grants: GrantRecords;
  readonly #board: RoleBoard;

  constructor(private readonly deps: RolesDeps) {
    const { store, clock } = deps;
    this.#records = store.records('roles');
    this.#grants = new GrantRecords(
      store.records('access_grants', {
        keys: ['principalId'],
        unique: [['resourceType', 'resourceId', 'principalType', 'principalId']],
      }),
      store.records('access_grant_numbers'),
      clock,
    );
    this.#board = new RoleBoard({
      ...deps,
      roles: this.#records,
      grants: this.#grants,
      revisions: store.records('role_revisions'),
      shared: store.kind === 'mongodb',
    });
  }

  /** Reads roles and grants. Rejects with STORE_DOWN. */
  async start(): Promise<void> {
    await this.#board.start();
    if (this.#table.role(this.deps.defaultRole) === undefined)
      this.deps.log.warn(
        { role: this.deps.defaultRole },
        'security.defaultRole names a role that does not exist: accounts cannot be created without naming a role',
      );
  }

  stop(): void {
    this.#board.stop();
  }

  get #table() {
    return this.#board.table;
  }

  /** All roles but the one of the server itself. */
  list(): Role[] {
    return this.#table.roles.filter(({ name }) => name !== INTERNAL_ROLE);
  }

  /** Throws ROLE_UNKNOWN. */
  get(name: string): Role {
    const role = name === INTERNAL_ROLE ? undefined : this.#table.role(name);
    if (role === undefined) throw new InputError('ROLE_UNKNOWN', { name: name.slice(0, 100) });
    return role;
  }

  titleOf(name: string): string {
    return this.#table.role(name)?.title ?? name;
  }

  /** Whether accounts may be given this role. */
  isAssignable(name: string): boolean {
    return name !== INTERNAL_ROLE && this.#table.role(name) !== undefined;
  }

  /** `security.defaultRole`, whether it exists or not. */
  get defaultName(): string {
    return this.deps.defaultRole;
  }

  /** The role of new accounts that nobody chose one for. Throws ROLE_INVALID if it does not exist. */
  defaultRole(): string {
    const { defaultRole } = this.deps;
    if (this.isAssignable(defaultRole)) return defaultRole;
    const detail = `The default role ${defaultRole} (security.defaultRole) does not exist on this server`;
    throw new InputError('ROLE_INVALID', { detail });
  }

  /** The rights of an account now: of the role, and what is granted to the user and the team. */
  rightsOf(holder: RightsHolder): Rights {
    return this.#table.rightsOf(holder);
  }

  /** Returns what the caller lacks for a call, as a noun; undefined if nothing. */
  lack(holder: RightsHolder, access: Access | undefined, call: RightsCall): string | undefined {
    return lackOf(this.rightsOf(holder), access, call);
  }

  /**
   * Throws RIGHTS_EXCEEDED, beginning with `action`, when `wanted` has something that the caller does not have: rights
   * that would be given, or those of an account that would be taken over.
   */
  refuseBeyond(caller: RightsHolder, wanted: Rights, action: string): void {
    const detail = exceeding(wanted, this.rightsOf(caller));
    if (detail !== undefined) throw new AccessError('RIGHTS_EXCEEDED', { action, detail });
  }

  /** Throws ROLE_TAKEN. */
  async create(name: string, content: RoleContent, by: string): Promise<Role> {
    if (this.#table.role(name) !== undefined) throw new InputError('ROLE_TAKEN', { name });
    try {
      await this.#records.insert(this.#record(name, content, 1, by));
    } catch (error) {
      throw isDuplicateRecord(error) ? new InputError('ROLE_TAKEN', { name }) : error;
    }
    await this.#board.changed();
    return this.get(name);
  }

  /** Replaces a role that has this version. Throws ROLE_UNKNOWN, ROLE_FIXED or ROLE_CHANGED. */
  async change(name: string, version: number, content: RoleContent, by: string): Promise<Role> {
    const role = this.get(name);
    if (role.fixed)
      throw new InputError('ROLE_FIXED', { name, action: 'changed', detail: 'full administrators keep every right' });
    if (role.version !== version || !(await this.#replace(name, version, content, by)))
      throw new InputError('ROLE_CHANGED', { name, version: await this.#versionNow(name), sent: version });
    await this.#board.changed();
    return this.get(name);
  }

  /**
   * Deletes a role that nobody has; `holders` counts them. Throws ROLE_UNKNOWN, ROLE_FIXED for those of the server, and
   * ROLE_IN_USE.
   */
  async delete(name: string, holders: (name: string) => Promise<number>): Promise<void> {
    const role = this.get(name);
    if (role.builtIn)
      throw new InputError('ROLE_FIXED', { name, action: 'deleted', detail: 'it comes with the server' });
    if (name === this.deps.defaultRole)
      throw new InputError('ROLE_IN_USE', { name, detail: 'it is the role of new accounts (security.defaultRole)' });
    await refuseUsed(name, holders);
    const record = await this.#records.get(name);
    await this.#records.delete(name);
    await this.#board.changed();
    try {
      // Somebody may have got it meanwhile.
      await refuseUsed(name, holders);
    } catch (error) {
      if (record !== undefined) await this.#records.put(record);
      await this.#board.changed();
      throw error;
    }
  }

  /** The grants of one resource. */
  grantsOn(resourceType: GrantedResource, resourceId: string): GrantRecord[] {
    return byNumber(
      this.#table.grants().filter((one) => one.resourceType === resourceType && one.resourceId === resourceId),
    );
  }

  /** The grants to one user or team; those of a user's team are not included. */
  grantsTo(principalType: GrantKey['principalType'], principalId: string): GrantRecord[] {
    return byNumber(
      this.#table.grants().filter((one) => one.principalType === principalType && one.principalId === principalId),
    );
  }

  async give(key: GrantKey, permission: GrantRecord['permission'], by: string): Promise<GrantRecord> {
    const grant = await this.#grants.give(key, permission, by);
    await this.#board.changed();
    return grant;
  }

  /** Throws GRANT_UNKNOWN. */
  grant(id: string): Promise<GrantRecord> {
    return this.#grants.get(id);
  }

  /** Throws GRANT_UNKNOWN. */
  async takeBack(id: string): Promise<void> {
    await this.#grants.takeBack(id);
    await this.#board.changed();
  }

  permissionOf(resource: GrantedResource, id: string, caller: Principal): 'USE' | 'MANAGE' | undefined {
    const given = this.#table
      .grantsTo(caller)
      .filter(({ resourceType, resourceId }) => resourceType === resource && resourceId === id);
    if (given.length === 0) return undefined;
    return given.some(({ permission }) => permission === 'MANAGE') ? 'MANAGE' : 'USE';
  }

  async forget(resourceType: GrantedResource, resourceId: string): Promise<void> {
    await this.#forget({ resourceType, resourceId });
  }

  /** Takes every grant to a user or team back that no longer exists. */
  async forgetHolder(principalType: GrantKey['principalType'], principalId: string): Promise<void> {
    await this.#forget({ principalType, principalId });
  }

  /** Whether an account may use the portal (`docs/interface/identity.yml`, access grants). */
  mayUsePortal(holder: RightsHolder & { readonly teamLead?: boolean }): boolean {
    const { portal } = this.deps;
    if (portal === 'ORG_ALL' || this.rightsOf(holder).areas === null) return true;
    if (portal === 'ADMINS_AND_TEAM_LEADS' && holder.teamLead === true) return true;
    return this.#table.grantsTo(holder).some(({ resourceType }) => resourceType === 'PORTAL');
  }

  async #forget(gone: Parameters<GrantRecords['forget']>[0]): Promise<void> {
    if ((await this.#grants.forget(gone)) > 0) await this.#board.changed();
  }

  async #replace(name: string, version: number, content: RoleContent, by: string): Promise<boolean> {
    const record = this.#record(name, content, version + 1, by);
    const { id: _, ...set } = record;
    if ((await this.#records.update(name, { set }, { version })) !== undefined) return true;
    // A shipped role has no record before its first change.
    if (version !== 0) return false;
    return this.#records.insert(record).then(
      () => true,
      (error: unknown) => {
        if (isDuplicateRecord(error)) return false;
        throw error;
      },
    );
  }

  async #versionNow(name: string): Promise<number> {
    return (await this.#records.get(name))?.version ?? 0;
  }

  #record(id: string, { title, description, rights }: RoleContent, version: number, changedBy: string): RoleRecord {
    const changedAt = this.deps.clock.now().toISOString();
    return { id, title, description, version, rights: JSON.stringify(rights), changedAt, changedBy };
  }
}

async function refuseUsed(name: string, holders: (name: string) => Promise<number>): Promise<void> {
  const count = await holders(name);
  if (count === 0) return;
  const detail = count === 1 ? 'one account or open invite has it' : `${count} accounts and open invites have it`;
  throw new InputError('ROLE_IN_USE', { name, detail });
}

function byNumber(grants: readonly GrantRecord[]): GrantRecord[] {
  return [...grants].sort((a, b) => Number(a.id) - Number(b.id));
}
