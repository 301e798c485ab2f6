import { AccessError, InputError, isQuireError, type Clock } from '@quire/registry';
import { isDuplicateRecord, type Change } from '../store/index.js';
import { publicUser, type AccountRecords, type NewUser, type UserRecord } from './account-records.js';
import {
  INTERNAL_ROLE,
  type AuthenticationType,
  type NameListener,
  type Role,
  type User,
  type UserListener,
  type UserWire,
} from './model.js';
import { checkUsername, nameKey, type KnownRoles, checkRole } from './names.js';
import { checkNewPassword, type PasswordHasher } from './passwords.js';
import type { Teams } from './teams.js';

/** How many users the licence allows. */
export interface UserCap {
  readonly tier: 'free' | 'team' | 'enterprise';
  /** `premium.maxUsers`; below 1: the default of the tier. */
  readonly maxUsers: number;
}

/**
 * Users of the free tier who log in with a password here, unless there were more when accounts were first stored. Those
 * of login providers are not counted there (ADR 0114).
 */
const FREE_USERS = 5;
/** Accounts that one user may have registered and that no administrator has enabled yet. */
export const MAX_REGISTRATIONS = 10;

/** Finds, creates, changes and deletes accounts, within the user limit. */
export class Users {
  readonly #listeners: UserListener[] = [];
  readonly #nameListeners: NameListener[] = [];
  #removing: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly records: AccountRecords,
    private readonly teams: Teams,
    private readonly passwords: PasswordHasher,
    private readonly cap: UserCap,
    private readonly clock: Clock,
    private readonly roles: KnownRoles,
    private readonly mayUsePortal: (user: User) => boolean,
  ) {}

  /** For data that is stored by name: `now` is undefined when the account was deleted. */
  onNameFreed(listener: NameListener): void {
    this.#nameListeners.push(listener);
  }

  onUserChange(listener: UserListener): void {
    this.#listeners.push(listener);
  }

  async byId(id: string): Promise<User | undefined> {
    const record = await this.records.users.get(id);
    return record === undefined ? undefined : publicUser(record);
  }

  async byName(username: string): Promise<User | undefined> {
    const record = await this.recordByName(username);
    return record === undefined ? undefined : publicUser(record);
  }

  /** With the hash and the encrypted secrets, so only for modules in this folder. */
  async recordByName(username: string): Promise<UserRecord | undefined> {
    return this.records.users.findOne({ nameKey: nameKey(username) });
  }

  /** With the hash and the encrypted secrets, so only for modules in this folder. Throws USER_UNKNOWN. */
  async record(id: string): Promise<UserRecord> {
    const record = await this.records.users.get(id);
    if (record === undefined) throw new InputError('USER_UNKNOWN');
    return record;
  }

  /** Returns a user that an administrator may change. Throws USER_UNKNOWN or ACCOUNT_BUILT_IN. */
  async changeable(username: string): Promise<User> {
    const user = await this.byName(username);
    if (user === undefined) throw new InputError('USER_UNKNOWN');
    if (user.role === INTERNAL_ROLE) throw new InputError('ACCOUNT_BUILT_IN');
    return user;
  }

  /** Returns enabled users, of one team or of all, by name; without built-in ones. */
  async list(teamId?: string): Promise<User[]> {
    const found = await this.records.users.find(
      { enabled: true, ...(teamId === undefined ? {} : { teamId }) },
      { sort: [{ field: 'nameKey', order: 'ascending' }] },
    );
    return found.filter(({ role }) => role !== INTERNAL_ROLE).map(publicUser);
  }

  /** Returns all users, including disabled ones, by name; without built-in ones. */
  async everybody(): Promise<User[]> {
    const found = await this.records.users.find({}, { sort: [{ field: 'nameKey', order: 'ascending' }] });
    return found.filter(({ role }) => role !== INTERNAL_ROLE).map(publicUser);
  }

  async toWire(user: User): Promise<UserWire> {
    const team = user.teamId === null ? undefined : await this.teams.byId(user.teamId);
    return {
      id: Number(user.id),
      email: user.username,
      username: user.username,
      displayName: user.displayName,
      pictureVersion: user.pictureVersion,
      role: user.role,
      enabled: user.enabled,
      portalAccess: user.enabled && user.role !== INTERNAL_ROLE && this.mayUsePortal(user),
      teamLead: user.teamLead,
      ...(team === undefined ? {} : { team: { id: Number(team.id), name: team.name } }),
      authenticationType: user.authenticationType,
      app_metadata: { provider: user.authenticationType },
      user_metadata: { firstLogin: user.mustChangePassword },
    };
  }

  /** The role of accounts that nobody chose one for (`security.defaultRole`). Throws ROLE_INVALID. */
  defaultRole(): Role {
    return this.roles.defaultRole();
  }

  /** Whether accounts can have this role now. */
  mayHave(role: Role): boolean {
    return this.roles.isAssignable(role);
  }

  /**
   * Throws USERNAME_INVALID, ROLE_INVALID, PASSWORD_INVALID, TEAM_INVALID, USER_CAP_REACHED or USERNAME_TAKEN.
   */
  async create(given: NewUser): Promise<User> {
    const username = checkUsername(given.username);
    checkRole(given.role, this.roles);
    const password = given.password === null ? null : checkNewPassword(given.password, username);
    const teamId = given.teamId === undefined ? this.teams.defaultId : await this.teams.forPeople(given.teamId);
    if ((await this.recordByName(username)) !== undefined) throw new InputError('USERNAME_TAKEN');
    if (given.pendingBy === undefined) await this.#freeSeat(given.authenticationType);
    const passwordHash = password === null ? null : await this.passwords.hash(password);
    return this.#insert({ ...given, username, teamId }, passwordHash);
  }

  /**
   * Registers a disabled account for another user. Throws as `create` does, and REGISTRATION_LIMIT when the user has
   * registered ten accounts that are not enabled yet; administrators have no limit.
   */
  async register(by: User, username: string, password: string): Promise<User> {
    const limited = by.role !== 'ROLE_ADMIN';
    const isFull = async (most: number): Promise<boolean> =>
      limited && (await this.records.users.count({ pendingBy: by.id })) > most;
    const full = (): AccessError => new AccessError('REGISTRATION_LIMIT', { limit: MAX_REGISTRATIONS });
    if (await isFull(MAX_REGISTRATIONS - 1)) throw full();
    const role = this.roles.defaultRole();
    const user = await this.create({ username, password, role, enabled: false, pendingBy: by.id });
    // Counted after the insert, so that simultaneous calls cannot exceed the limit.
    if (!(await isFull(MAX_REGISTRATIONS))) return user;
    await this.records.users.delete(user.id);
    throw full();
  }

  /** Enables an account, and gives it a seat if it was only registered. Throws USER_UNKNOWN or USER_CAP_REACHED. */
  async enable({ id }: User): Promise<void> {
    for (;;) {
      const { pendingBy = null, seat: had, authenticationType } = await this.record(id);
      const seat = pendingBy === null ? had : await this.#freeSeat(authenticationType);
      try {
        await this.change(id, { enabled: true, seat, pendingBy: null }, true);
        return;
      } catch (error) {
        // Another account took the seat at the same moment; another one may be free.
        if (!isQuireError(error) || error.code !== 'USERNAME_TAKEN' || seat === null) throw error;
      }
    }
  }

  /**
   * Creates an account without the rules for names and passwords and without the user limit: the first administrator
   * and the built-in user. Returns undefined when the name is in use.
   */
  async createOwn(given: NewUser & { readonly teamId: string }): Promise<User | undefined> {
    const record = this.#newRecord(
      await this.records.nextId('user'),
      given,
      given.password === null ? null : await this.passwords.hash(given.password),
      null,
    );
    try {
      return publicUser(await this.records.users.insert(record));
    } catch (error) {
      if (isDuplicateRecord(error)) return undefined;
      throw error;
    }
  }

  /**
   * Changes fields and notifies the listeners. With `endSessions` earlier tokens are no longer valid. Throws
   * USER_UNKNOWN, USERNAME_TAKEN.
   */
  async change(
    id: string,
    set: Partial<Omit<UserRecord, 'id' | 'sessionVersion'>>,
    endSessions = false,
  ): Promise<User> {
    const change: Change<UserRecord> = { set, ...(endSessions ? { inc: { sessionVersion: 1 } } : {}) };
    const before = set.nameKey === undefined ? undefined : await this.records.users.get(id);
    const record = await this.records.users.update(id, change).catch((error: unknown) => {
      throw isDuplicateRecord(error) ? new InputError('USERNAME_TAKEN') : error;
    });
    if (record === undefined) throw new InputError('USER_UNKNOWN');
    await this.#notify(id, set.enabled === false ? 'disabled' : 'changed');
    if (before !== undefined && before.nameKey !== record.nameKey)
      await this.#notifyNameFreed(before.username, record.username);
    return publicUser(record);
  }

  /** Gives an account another name and ends its sessions. Throws USERNAME_INVALID, USERNAME_TAKEN or USER_UNKNOWN. */
  async rename(id: string, next: string): Promise<User> {
    const username = checkUsername(next);
    return this.change(id, { username, nameKey: nameKey(username) }, true);
  }

  /**
   * Removes permissions of a user: `set` changes role or enabled, or deletes the user. Throws ACCOUNT_LAST_ADMIN for
   * the last enabled administrator.
   */
  async takeRights(
    user: User,
    set: Pick<UserRecord, 'role' | 'teamId' | 'teamLead'> | { readonly enabled: boolean } | 'delete',
  ): Promise<void> {
    // One at a time, so that two administrators cannot remove each other at the same moment.
    const mine = this.#removing.then(async () => {
      const keepsAdmin =
        set !== 'delete' && (('role' in set && set.role === 'ROLE_ADMIN') || ('enabled' in set && set.enabled));
      if (
        user.role === 'ROLE_ADMIN' &&
        user.enabled &&
        !keepsAdmin &&
        (await this.records.users.count({ role: 'ROLE_ADMIN', enabled: true })) < 2
      )
        throw new InputError('ACCOUNT_LAST_ADMIN');
      if (set !== 'delete') return void (await this.change(user.id, set, true));
      if (!(await this.records.users.delete(user.id))) throw new InputError('USER_UNKNOWN');
      await this.records.settings.delete(user.id);
      await this.#notify(user.id, 'gone');
      await this.#notifyNameFreed(user.username, undefined);
    });
    this.#removing = mine.catch(() => undefined);
    await mine;
  }

  /** Replaces the free-form settings of a user. */
  async saveSettings(id: string, values: Readonly<Record<string, string>>): Promise<void> {
    await this.records.settings.put({ id, values: JSON.stringify(values) });
  }

  /** Returns those settings as JSON. */
  async settingsOf(id: string): Promise<string> {
    return (await this.records.settings.get(id))?.values ?? '{}';
  }

  /** Returns true until somebody has logged in: the first administrator is the only user and has never logged in. */
  async nobodyCame(): Promise<boolean> {
    return (await this.#people()) === 1 && (await this.everybody()).every(({ lastLogin }) => lastLogin === null);
  }

  /** Returns how many users are allowed; undefined for any number. */
  async limit(): Promise<number | undefined> {
    if (this.cap.tier === 'free')
      return Math.max(FREE_USERS, await this.records.keepFirst('firstUsers', await this.#people()));
    return this.cap.maxUsers > 0 ? this.cap.maxUsers : undefined;
  }

  /** Returns how many accounts, disabled ones included, have each role. */
  async countByRole(): Promise<ReadonlyMap<string, number>> {
    const counts = new Map<string, number>();
    for (const { role } of await this.records.users.find()) counts.set(role, (counts.get(role) ?? 0) + 1);
    return counts;
  }

  /** Throws USER_CAP_REACHED when no further user who logs in like this can be created. */
  async refuseWhenFull(type: AuthenticationType = 'web'): Promise<void> {
    await this.#freeSeat(type);
  }

  /** Returns how many more users who log in with a password can be created; undefined without a limit. */
  async freeSeats(): Promise<number | undefined> {
    const limit = await this.limit();
    return limit === undefined ? undefined : Math.max(0, limit - (await this.#people()));
  }

  async #people(): Promise<number> {
    return (await this.records.users.find()).filter((user) => this.#counts(user)).length;
  }

  /** Whether a user counts for the limit. The free tier limits passwords here, not logins elsewhere. */
  #counts(user: Pick<UserRecord, 'role' | 'pendingBy' | 'authenticationType'>): boolean {
    return hasSeat(user) && (this.cap.tier !== 'free' || user.authenticationType === 'web');
  }

  /**
   * Returns the lowest free seat, or null for users who do not count and without a limit. Users from before the limit
   * have no seat but count too; a user who does not count may have a seat from another tier, which is left out.
   */
  async #freeSeat(type: AuthenticationType = 'web'): Promise<number | null> {
    const limit = await this.limit();
    if (limit === undefined || (this.cap.tier === 'free' && type !== 'web')) return null;
    const all = await this.records.users.find();
    const people = all.filter((user) => this.#counts(user));
    const taken = new Set(people.map(({ seat }) => seat));
    const foreign = new Set(all.filter((user) => !this.#counts(user)).map(({ seat }) => seat));
    let seats = limit - people.filter(({ seat }) => seat === null).length;
    for (let seat = 1; people.length < limit && seats > 0; seat++) {
      if (foreign.has(seat)) continue;
      if (!taken.has(seat)) return seat;
      seats -= 1;
    }
    const who = ' who log in with a password; those of login providers are not counted';
    throw new InputError('USER_CAP_REACHED', { limit, who: this.cap.tier === 'free' ? who : '' });
  }

  async #insert(given: NewUser & { readonly teamId: string }, passwordHash: string | null): Promise<User> {
    const id = await this.records.nextId('user');
    for (;;) {
      const seat = given.pendingBy === undefined ? await this.#freeSeat(given.authenticationType) : null;
      try {
        return publicUser(await this.records.users.insert(this.#newRecord(id, given, passwordHash, seat)));
      } catch (error) {
        if (!isDuplicateRecord(error)) throw error;
        // The name or the seat was taken meanwhile; another seat may be free.
        if ((await this.recordByName(given.username)) !== undefined) throw new InputError('USERNAME_TAKEN');
        if (seat === null) throw error;
      }
    }
  }

  #newRecord(
    id: string,
    given: NewUser & { readonly teamId: string },
    passwordHash: string | null,
    seat: number | null,
  ): UserRecord {
    return {
      id,
      username: given.username,
      nameKey: nameKey(given.username),
      displayName: null,
      pictureVersion: null,
      role: given.role,
      enabled: given.enabled ?? true,
      authenticationType: given.authenticationType ?? 'web',
      teamId: given.teamId,
      teamLead: false,
      mustChangePassword: given.mustChangePassword ?? false,
      setupComplete: false,
      mfaEnabled: false,
      mfaRequired: given.mfaRequired ?? false,
      sessionVersion: 1,
      createdAt: this.clock.now().toISOString(),
      lastLogin: null,
      passwordHash,
      seat,
      pendingBy: given.pendingBy ?? null,
      mfaSecret: null,
      mfaPending: null,
      mfaLastStep: 0,
    };
  }

  async #notifyNameFreed(name: string, now: string | undefined): Promise<void> {
    for (const listener of this.#nameListeners) await listener(name, now);
  }

  async #notify(id: string, what: Parameters<UserListener>[1]): Promise<void> {
    for (const listener of this.#listeners) await listener(id, what);
  }
}

/** Registered accounts that no administrator has enabled, and built-in ones, do not count for the user limit. */
function hasSeat({ role, pendingBy = null }: Pick<UserRecord, 'role' | 'pendingBy'>): boolean {
  return role !== INTERNAL_ROLE && pendingBy === null;
}
