import { InputError } from '@quire/registry';
import type { Login } from './login.js';
import type { AuthenticationType, User } from './model.js';
import { checkRole, type KnownRoles } from './names.js';
import { checkNewPassword, randomPassword, type PasswordHasher } from './passwords.js';
import type { SecondFactor } from './second-factor.js';
import type { Teams } from './teams.js';
import type { Users } from './users.js';

/** A new account as requested by an administrator. */
export interface AccountOrder {
  readonly username: string;
  readonly password?: string | undefined;
  /** Default: the default role. */
  readonly role?: string | undefined;
  readonly teamId?: string | undefined;
  readonly authenticationType: AuthenticationType;
  readonly mustChangePassword: boolean;
  readonly mfaRequired: boolean;
}

/**
 * Changes that administrators make to other accounts. All methods may throw USER_UNKNOWN, ACCOUNT_BUILT_IN or
 * ACCOUNT_OWN.
 */
export class UserAdministration {
  constructor(
    private readonly users: Users,
    private readonly teams: Teams,
    private readonly passwords: PasswordHasher,
    private readonly login: Login,
    private readonly factor: SecondFactor,
    private readonly roles: KnownRoles,
  ) {}

  /** Throws as `Users.create` does, ROLE_INVALID, and PASSWORD_INVALID for a web account without a password. */
  async create({ password, role, authenticationType, ...order }: AccountOrder): Promise<User> {
    const checked = checkRole(role, this.roles);
    if (authenticationType === 'web' && password === undefined)
      throw new InputError('PASSWORD_INVALID', { detail: 'it is missing' });
    return this.users.create({
      ...order,
      role: checked,
      authenticationType,
      password: authenticationType === 'web' ? (password ?? '') : null,
    });
  }

  async changeRole(adminId: string, username: string, role: string, teamId?: string): Promise<void> {
    const user = await this.#other(adminId, username, 'change the role of');
    const checked = checkRole(role, this.roles);
    const team = teamId === undefined ? user.teamId : await this.teams.forPeople(teamId);
    await this.users.takeRights(user, { role: checked, teamId: team, teamLead: user.teamLead && team === user.teamId });
  }

  /**
   * Sets this password, or 12 random hexadecimal characters, and returns it in plain text for the mail. Ends the user's
   * sessions.
   */
  async setPassword(
    adminId: string,
    username: string,
    password: string | 'random',
    mustChange: boolean,
  ): Promise<string> {
    const user = await this.#other(adminId, username, 'set the password of');
    if (user.authenticationType !== 'web')
      throw new InputError('PASSWORD_INVALID', { detail: 'the account does not log in with a password here' });
    const next = password === 'random' ? randomPassword(12) : checkNewPassword(password, user.username);
    await this.users.change(
      user.id,
      { passwordHash: await this.passwords.hash(next), mustChangePassword: mustChange },
      true,
    );
    return next;
  }

  /** Throws USER_CAP_REACHED for a registered account when the user limit leaves no seat. */
  async setEnabled(adminId: string, username: string, enabled: boolean): Promise<void> {
    const user = await this.#other(adminId, username, enabled ? 'enable' : 'disable');
    if (enabled) await this.users.enable(user);
    else await this.users.takeRights(user, { enabled });
  }

  /** Deletes the user; the listeners end its keys and sessions before this resolves. */
  async delete(adminId: string, username: string): Promise<void> {
    await this.users.takeRights(await this.#other(adminId, username, 'delete'), 'delete');
    await this.login.unlock(username);
  }

  async unlock(username: string): Promise<void> {
    await this.users.changeable(username);
    await this.login.unlock(username);
  }

  /** Ends the user's sessions. */
  async clearSecondFactor(username: string): Promise<User> {
    return this.factor.clear((await this.users.changeable(username)).id);
  }

  /**
   * Moves a user into a team; a lead of the old team does not become lead of the new one. Throws TEAM_UNKNOWN or
   * TEAM_INVALID.
   */
  async moveToTeam(userId: string, teamId: string): Promise<void> {
    const user = await this.#byId(userId);
    await this.teams.mustExist(teamId);
    const team = await this.teams.forPeople(teamId);
    await this.users.change(user.id, { teamId: team, teamLead: user.teamLead && user.teamId === team });
  }

  /**
   * Makes a member lead of the team, or a plain member again. Throws TEAM_UNKNOWN, and TEAM_INVALID for a user outside
   * the team.
   */
  async setLead(userId: string, teamId: string, lead: boolean): Promise<void> {
    const user = await this.#byId(userId);
    await this.teams.mustExist(teamId);
    if (user.teamId !== teamId)
      throw new InputError('TEAM_INVALID', { detail: 'The user is not a member of this team' });
    await this.users.change(user.id, { teamLead: lead });
  }

  async #byId(userId: string): Promise<User> {
    const user = await this.users.byId(userId);
    if (user === undefined) throw new InputError('USER_UNKNOWN');
    return this.users.changeable(user.username);
  }

  async #other(adminId: string, username: string, action: string): Promise<User> {
    const user = await this.users.changeable(username);
    if (user.id === adminId) throw new InputError('ACCOUNT_OWN', { action });
    return user;
  }
}
