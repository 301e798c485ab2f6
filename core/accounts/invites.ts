import { randomUUID } from 'node:crypto';
import { InputError, isQuireError, type Clock } from '@quire/registry';
import { isDuplicateRecord } from '../store/index.js';
import type { ServerSecret } from '../secrets/index.js';
import type { AccountRecords, InviteRecord } from './account-records.js';
import type { User } from './model.js';
import { checkRole, isMailAddress, nameKey, type KnownRoles } from './names.js';
import { checkNewPassword } from './passwords.js';
import type { Teams } from './teams.js';
import type { Users } from './users.js';

/** Longest validity of an invite: a year. */
export const MAX_INVITE_HOURS = 8760;

/** An invite as requested by an administrator. */
export interface InviteOrder {
  readonly email?: string | undefined;
  /** Default: the default role. */
  readonly role?: string | undefined;
  readonly teamId?: string | undefined;
  readonly hours: number;
  /** User name of the administrator. */
  readonly createdBy: string;
}

/** Invites: whoever has the token can create one account with the role and team that an administrator chose. */
export class Invites {
  constructor(
    private readonly records: AccountRecords,
    private readonly users: Users,
    private readonly teams: Teams,
    private readonly secret: ServerSecret,
    private readonly clock: Clock,
    private readonly roles: KnownRoles,
  ) {}

  /**
   * Creates an invite and returns it with its token, which is not stored. Throws INVITE_INVALID, ROLE_INVALID,
   * TEAM_INVALID, USER_CAP_REACHED or INVITE_TAKEN.
   */
  async create({
    email: given,
    role,
    teamId,
    hours,
    createdBy,
  }: InviteOrder): Promise<{ invite: InviteRecord; token: string }> {
    const email = given === undefined ? null : mailName(given);
    if (!Number.isInteger(hours) || hours < 1 || hours > MAX_INVITE_HOURS)
      throw new InputError('INVITE_INVALID', { detail: `An invite is valid for 1 to ${MAX_INVITE_HOURS} hours` });
    const checked = checkRole(role, this.roles);
    const team = teamId === undefined ? this.teams.defaultId : await this.teams.forPeople(teamId);
    await this.users.refuseWhenFull();
    if (email !== null && (await this.users.byName(email)) !== undefined)
      throw new InputError('INVITE_TAKEN', { detail: 'A user with this mail address already exists' });
    const token = randomUUID();
    const now = this.clock.now().getTime();
    const invite: InviteRecord = {
      id: await this.records.nextId('invite'),
      tokenDigest: this.#digest(token),
      email,
      openFor: email,
      role: checked,
      teamId: team,
      createdBy,
      createdAt: now,
      expiresAt: now + hours * 3_600_000,
      usedAt: null,
    };
    await this.#insert(invite);
    return { invite, token };
  }

  /** Returns unused invites that have not expired, oldest first. */
  async list(): Promise<InviteRecord[]> {
    const now = this.clock.now().getTime();
    return (
      await this.records.invites.find({ usedAt: null }, { sort: [{ field: 'createdAt', order: 'ascending' }] })
    ).filter(({ expiresAt }) => expiresAt > now);
  }

  /**
   * Returns the invite of a token. Throws INVITE_UNKNOWN for one that is unknown, used or expired, or whose user exists
   * already.
   */
  async open(token: string): Promise<InviteRecord> {
    const invite =
      token.length > 100
        ? undefined
        : await this.records.invites.findOne({ tokenDigest: this.#digest(token), usedAt: null });
    if (invite === undefined || invite.expiresAt <= this.clock.now().getTime()) throw new InputError('INVITE_UNKNOWN');
    if (invite.email !== null && (await this.users.byName(invite.email)) !== undefined)
      throw new InputError('INVITE_UNKNOWN');
    return invite;
  }

  /**
   * Creates the account; only one of two simultaneous calls does. Throws INVITE_UNKNOWN as `open` does, INVITE_INVALID,
   * PASSWORD_INVALID, USER_CAP_REACHED or USERNAME_TAKEN.
   */
  async accept(token: string, given: string | undefined, password: string): Promise<User> {
    const invite = await this.open(token);
    const email = invite.email ?? mailName(given ?? '');
    checkNewPassword(password, email);
    const used = await this.records.invites.update(
      invite.id,
      { set: { usedAt: this.clock.now().getTime(), openFor: null } },
      { usedAt: null },
    );
    if (used === undefined) throw new InputError('INVITE_UNKNOWN');
    try {
      // The team may have been deleted since.
      const teamId = (await this.teams.byId(invite.teamId)) === undefined ? undefined : invite.teamId;
      return await this.users.create({ username: email, password, role: invite.role, teamId });
    } catch (error) {
      await this.records.invites
        .update(invite.id, { set: { usedAt: null, openFor: invite.openFor } })
        .catch((reopening: unknown) => {
          // A newer invite for the address is open now; this one stays closed.
          if (!isDuplicateRecord(reopening)) throw reopening;
        });
      throw error;
    }
  }

  /** Returns how many open invites have each role. */
  async countByRole(): Promise<ReadonlyMap<string, number>> {
    const counts = new Map<string, number>();
    for (const { role } of await this.list()) counts.set(role, (counts.get(role) ?? 0) + 1);
    return counts;
  }

  /** Throws INVITE_UNKNOWN. */
  async revoke(id: string): Promise<void> {
    if (!(await this.records.invites.delete(id))) throw new InputError('INVITE_UNKNOWN');
  }

  /** Deletes used and expired invites; returns their number. */
  async cleanUp(): Promise<number> {
    const now = this.clock.now().getTime();
    return (
      (await this.records.invites.deleteMany({}, { atMost: { usedAt: now } })) +
      (await this.records.invites.deleteMany({}, { atMost: { expiresAt: now } }))
    );
  }

  async #insert(invite: InviteRecord): Promise<void> {
    const insert = () => this.records.invites.insert(invite);
    try {
      await insert();
    } catch (error) {
      if (!isDuplicateRecord(error) || invite.openFor === null) throw error;
      // Another open invite has the address; if it has expired, remove it.
      const other = await this.records.invites.findOne({ openFor: invite.openFor });
      if (other !== undefined && other.expiresAt > invite.createdAt)
        throw new InputError('INVITE_TAKEN', { detail: 'There is an open invite for this mail address' });
      if (other !== undefined) await this.records.invites.delete(other.id, { usedAt: null });
      await insert().catch((again: unknown) => {
        throw isDuplicateRecord(again)
          ? new InputError('INVITE_TAKEN', { detail: 'There is an open invite for this mail address' })
          : again;
      });
    }
  }

  #digest(token: string): string {
    return this.secret.digest('invite', token);
  }
}

/** Returns the address in the form used for comparing names. Throws INVITE_INVALID. */
function mailName(given: string): string {
  const email = nameKey(given);
  if (!isMailAddress(email))
    throw new InputError('INVITE_INVALID', {
      detail: email === '' ? 'The mail address is missing' : 'The mail address is not valid',
    });
  return email;
}

/** Returns true for an error whose message may be shown to the administrator: everything except a defect. */
export function isTellable(error: unknown): error is Error {
  return isQuireError(error) && error.row.family !== 'defect' && error.row.family !== 'startup';
}
