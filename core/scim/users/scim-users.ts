import { isDeepStrictEqual } from 'node:util';
import { InputError } from '@quire/registry';
import { INTERNAL_ROLE, type AccountServices, type AuthenticationType, type User } from '../../accounts/index.js';
import { isDuplicateRecord } from '../../store/index.js';
import { checkVersion } from '../model/check-version.js';
import { includes, project, type Projection } from '../model/project.js';
import { readResource } from '../model/read-resource.js';
import { userType, type Resource } from '../model/schema.js';
import { applyPatch } from '../patch/apply-patch.js';
import type { PatchOperation } from '../patch/patch-request.js';
import type { ScimCall } from '../scim-call.js';
import type { ScimRecords, ScimUserRecord } from '../scim-records.js';
import type { SubjectLinks } from './subject-links.js';
import { profileAttributes, profileOf } from './user-profile.js';
import { changeAccount, takenAsScim, wantedAccount } from './user-account.js';
import { storedAttributes, userResource, userVersion, writableUser } from './user-resource.js';

export interface ScimUsersDeps {
  readonly accounts: Pick<AccountServices, 'users' | 'teams' | 'profiles'>;
  readonly records: ScimRecords;
  readonly links: SubjectLinks;
  readonly authenticationType: Exclude<AuthenticationType, 'web'>;
  /** `scim.groupRoles` has rules, so the attribute roles has no effect. */
  readonly rolesFollowGroups: boolean;
}

/** Characters of the JSON of attributes that have no other home. */
const LONGEST_ATTRIBUTES = 64 * 1024;
const LONGEST_EXTERNAL_ID = 512;
/** A change that another one comes before is tried again. */
const MOST_TRIES = 20;

interface Found {
  readonly user: User;
  readonly record: ScimUserRecord | undefined;
}

/**
 * Users of SCIM: the accounts that log in with a provider. Accounts with a password are the operator's own and stay out
 * of reach, so that nobody locks the operator out by a mistake at the identity provider.
 */
export class ScimUsers {
  constructor(private readonly deps: ScimUsersDeps) {}

  /** Throws SCIM_UNKNOWN. */
  async get(id: string, call: ScimCall, projection: Projection = {}): Promise<Resource> {
    const { user, record } = await this.#found(id);
    const groups = includes(userType, projection, 'groups') ? await this.deps.records.groupsOf(id) : [];
    return project(userType, userResource(user, record, groups, call.base), projection);
  }

  /** Throws SCIM_TAKEN, SCIM_VALUE_INVALID or USER_CAP_REACHED. */
  async create(body: Resource, call: ScimCall): Promise<Resource> {
    const { accounts, records, links, authenticationType, rolesFollowGroups } = this.deps;
    const resource = readResource(userType, body);
    const wanted = wantedAccount(accounts, resource, rolesFollowGroups);
    const { username, enabled = true, role = accounts.users.defaultRole() } = wanted;
    const externalId = externalIdOf(resource);
    const attributes = boundedAttributes(resource);
    if (externalId !== null && (await records.users.findOne({ externalId })) !== undefined) throw externalIdTaken();
    const given = { username, password: null, role, enabled, authenticationType };
    const user = await takenAsScim(accounts.users.create(given), username);
    try {
      await links.follow(user, null, externalId);
      await records.saveUser(user.id, undefined, externalId, attributes);
    } catch (error) {
      await accounts.users.takeRights(user, 'delete');
      throw isDuplicateRecord(error) ? externalIdTaken() : error;
    }
    await accounts.profiles.follow(user, profileOf(resource));
    call.record(username, `created with the role ${role}${enabled ? '' : ', disabled'}`);
    return this.get(user.id, call);
  }

  /** Replaces all attributes; `active` and `roles` stay where they are left out. */
  replace(id: string, body: Resource, call: ScimCall): Promise<Resource> {
    const resource = readResource(userType, body);
    return this.#change(id, call, () => resource);
  }

  patch(id: string, operations: readonly PatchOperation[], call: ScimCall): Promise<Resource> {
    return this.#change(id, call, ({ user, record }) => {
      const after = applyPatch(userType, writableUser(user, record), operations);
      if (after['active'] === undefined)
        throw new InputError('SCIM_READ_ONLY', { attribute: 'active', detail: 'it can be changed and not removed' });
      return after['roles'] === undefined
        ? { ...after, roles: [{ value: this.deps.accounts.users.defaultRole() }] }
        : after;
    });
  }

  /** Deletes the account with everything of it. Throws SCIM_UNKNOWN, SCIM_CHANGED or ACCOUNT_LAST_ADMIN. */
  async remove(id: string, call: ScimCall): Promise<void> {
    const { user, record } = await this.#found(id);
    checkVersion(call.ifMatch, userVersion(user, record));
    await this.deps.accounts.users.takeRights(user, 'delete');
    call.record(user.username, 'deleted with its sessions, API keys, jobs and files');
  }

  /** Returns a user that a group may have. Throws SCIM_VALUE_INVALID. */
  async member(id: string): Promise<User> {
    const user = await this.#managed(id);
    if (user !== undefined) return user;
    const detail = `there is no user with the id "${id.slice(0, 100)}"`;
    throw new InputError('SCIM_VALUE_INVALID', { attribute: 'members', detail });
  }

  async #change(id: string, call: ScimCall, next: (found: Found) => Resource): Promise<Resource> {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const found = await this.#found(id);
      checkVersion(call.ifMatch, userVersion(found.user, found.record));
      if (await this.#write(found, next(found), call)) return this.get(id, call);
    }
    throw new InputError('SCIM_CHANGED');
  }

  /** Returns false when another call changed the attributes meanwhile. */
  async #write({ user, record }: Found, sent: Resource, call: ScimCall): Promise<boolean> {
    const { accounts, links, rolesFollowGroups } = this.deps;
    const before = writableUser(user, record);
    const roles = rolesFollowGroups ? before['roles'] : (sent['roles'] ?? before['roles']);
    const resource = { ...sent, roles };
    const wanted = wantedAccount(this.deps.accounts, resource, rolesFollowGroups);
    const externalId = externalIdOf(resource);
    const attributes = boundedAttributes(resource);
    await this.#refuseTaken(user.id, externalId);
    const changes = await changeAccount(accounts, user, wanted);
    if (changes.length > 0) call.record(wanted.username, changes.join('; '));
    await links.follow(user, record?.externalId ?? null, externalId);
    const names = changedNames(storedAttributes(before), attributes);
    if (externalId !== (record?.externalId ?? null)) names.push('externalId');
    if (names.length === 0) return true;
    const saved = await this.#save(user.id, record, externalId, attributes);
    if (saved && names.some((name) => profileAttributes.has(name)))
      await accounts.profiles.follow((await accounts.users.byId(user.id)) ?? user, profileOf(resource));
    if (saved) call.record(wanted.username, `changed ${names.join(', ')}`);
    return saved;
  }

  #save(id: string, record: ScimUserRecord | undefined, externalId: string | null, attributes: Resource) {
    return this.deps.records.saveUser(id, record, externalId, attributes).catch((error: unknown) => {
      throw isDuplicateRecord(error) ? externalIdTaken() : error;
    });
  }

  async #refuseTaken(id: string, externalId: string | null): Promise<void> {
    if (externalId === null) return;
    const other = await this.deps.records.users.findOne({ externalId });
    if (other !== undefined && other.id !== id) throw externalIdTaken();
  }

  async #found(id: string): Promise<Found> {
    const user = await this.#managed(id);
    if (user === undefined) throw new InputError('SCIM_UNKNOWN', { resource: 'user', id: id.slice(0, 100) });
    return { user, record: await this.deps.records.users.get(id) };
  }

  async #managed(id: string): Promise<User | undefined> {
    const user = await this.deps.accounts.users.byId(id);
    return user !== undefined && isManaged(user) ? user : undefined;
  }
}

/** Whether SCIM may see and change an account. */
export function isManaged({ authenticationType, role }: User): boolean {
  return authenticationType !== 'web' && role !== INTERNAL_ROLE;
}

function changedNames(before: Resource, after: Resource): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.filter((name) => !isDeepStrictEqual(before[name], after[name]));
}

function externalIdOf({ externalId }: Resource): string | null {
  if (typeof externalId !== 'string' || externalId === '') return null;
  if (externalId.length <= LONGEST_EXTERNAL_ID) return externalId;
  const detail = `it is longer than ${LONGEST_EXTERNAL_ID} characters`;
  throw new InputError('SCIM_VALUE_INVALID', { attribute: 'externalId', detail });
}

function boundedAttributes(resource: Resource): Resource {
  const attributes = storedAttributes(resource);
  const { length } = JSON.stringify(attributes);
  if (length <= LONGEST_ATTRIBUTES) return attributes;
  const largest = Object.entries(attributes).sort(([, a], [, b]) => sizeOf(b) - sizeOf(a))[0]?.[0] ?? '';
  throw new InputError('SCIM_VALUE_INVALID', {
    attribute: largest.slice(0, 100),
    detail: `all attributes together have ${length} characters as JSON; at most ${LONGEST_ATTRIBUTES} are kept`,
  });
}

function sizeOf(value: unknown): number {
  return JSON.stringify(value).length;
}

function externalIdTaken(): InputError {
  return new InputError('SCIM_TAKEN', { attribute: 'externalId', detail: 'another user has it' });
}
