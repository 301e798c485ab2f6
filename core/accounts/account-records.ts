import type { Identified, Records, Store } from '../store/index.js';
import type { AuthenticationType, Role, User } from './model.js';

/** An account as stored. Secrets are only hashed or encrypted. */
export interface UserRecord extends Omit<User, 'displayName' | 'pictureVersion'> {
  /** Missing in records of versions before 1.8. */
  readonly displayName?: string | null;
  readonly pictureVersion?: string | null;
  /** The name in a form that ignores case; no two accounts share it. */
  readonly nameKey: string;
  /** Null if the account has no password here: it is built in, or logs in elsewhere. */
  readonly passwordHash: string | null;
  /**
   * The account's seat under the user limit; null without a limit. Unique, so that two simultaneous calls cannot both
   * create the last user.
   */
  readonly seat: number | null;
  /**
   * The id of the user who registered this account, until an administrator enables it: it has no seat until then. Null
   * or absent for all other accounts.
   */
  readonly pendingBy?: string | null;
  /** Encrypted TOTP secrets: the active one, and the one of an unfinished enrolment. */
  readonly mfaSecret: string | null;
  readonly mfaPending: string | null;
  /** Time step of the last code that was accepted; codes of this and earlier steps are rejected (RFC 6238, 5.2). */
  readonly mfaLastStep: number;
}

/** A team as stored; its members name it in their own records. */
export interface TeamRecord extends Identified {
  readonly name: string;
  readonly nameKey: string;
  /** True for teams that the server creates; they cannot be renamed or deleted. */
  readonly system: boolean;
}

/** An invite as stored, without the token. */
export interface InviteRecord extends Identified {
  /** Keyed digest of the token; only the invited person has the token itself. */
  readonly tokenDigest: string;
  readonly email: string | null;
  /**
   * The mail address while the invite is open, so that there is only one open invite per address; null for an invite
   * that has no address or was used.
   */
  readonly openFor: string | null;
  readonly role: Role;
  readonly teamId: string;
  readonly createdBy: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly usedAt: number | null;
}

/** A link that resets a password, as stored, without the token. */
export interface PasswordResetRecord extends Identified {
  /** Keyed digest of the token; only the mail has the token itself. */
  readonly tokenDigest: string;
  readonly userId: string;
  /** The link works while this is the user's `sessionVersion`. */
  readonly sessionVersion: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly usedAt: number | null;
  /** When the record can be deleted: it counts for the limit of mails until then. */
  readonly sweepAt: number;
}

/** Wrong attempts for one user name, from one network or from all networks that the user has not logged in from. */
export interface AttemptRecord extends Identified {
  /** Digest of the user name; absent for attempts that do not belong to a name. */
  readonly group?: string;
  readonly failures: number;
  /** The failures count until then; milliseconds since 1970. */
  readonly until: number;
}

/** An address from which a user logged in; others cannot lock the user out there. Keyed digests only. */
export interface LoginAddressRecord extends Identified {
  /** Digest of the name; the record's id is the digest of name and address. */
  readonly name: string;
  readonly until: number;
}

/** Free-form settings of one user; the record's id is the user's. */
export interface UserSettingsRecord extends Identified {
  readonly values: string;
}

interface NumberRecord extends Identified {
  readonly last: number;
}

/** All record sets of the accounts. */
export interface AccountRecords {
  readonly users: Records<UserRecord>;
  readonly teams: Records<TeamRecord>;
  readonly invites: Records<InviteRecord>;
  readonly resets: Records<PasswordResetRecord>;
  readonly attempts: Records<AttemptRecord>;
  readonly addresses: Records<LoginAddressRecord>;
  readonly settings: Records<UserSettingsRecord>;
  /** Returns the next id: 1, 2, 3 …, never the same one twice. */
  nextId(kind: 'user' | 'team' | 'invite'): Promise<string>;
  /** Stores the first value that is passed for this name, for ever, and returns it. */
  keepFirst(name: string, value: number): Promise<number>;
}

/** Opens all record sets of the accounts. */
export function openAccountRecords(store: Store): AccountRecords {
  const numbers = store.records<NumberRecord>('accountNumbers');
  const keepFirst = async (name: string, value: number): Promise<number> => {
    const present = await numbers.get(name);
    if (present !== undefined) return present.last;
    await numbers.insert({ id: name, last: value }).catch(async (error: unknown) => {
      if ((await numbers.get(name)) === undefined) throw error;
    });
    return (await numbers.get(name))?.last ?? value;
  };
  return {
    users: store.records<UserRecord>('users', { keys: ['teamId'], unique: ['nameKey', 'seat'] }),
    teams: store.records<TeamRecord>('teams', { unique: ['nameKey'] }),
    invites: store.records<InviteRecord>('invites', { unique: ['tokenDigest', 'openFor'] }),
    resets: store.records<PasswordResetRecord>('passwordResets', {
      keys: ['userId', 'sweepAt'],
      unique: ['tokenDigest'],
    }),
    attempts: store.records<AttemptRecord>('loginAttempts', { keys: ['until', 'group'] }),
    addresses: store.records<LoginAddressRecord>('loginAddresses', { keys: ['name', 'until'] }),
    settings: store.records<UserSettingsRecord>('userSettings'),
    keepFirst,
    async nextId(kind) {
      const counted =
        (await numbers.update(kind, { inc: { last: 1 } })) ??
        (await keepFirst(kind, 0), await numbers.update(kind, { inc: { last: 1 } }));
      if (counted === undefined) throw new Error(`the counter of ${kind} ids does not exist`);
      return String(counted.last);
    },
  };
}

/** Returns the account without its secrets. */
export function publicUser(record: UserRecord): User {
  const {
    id,
    username,
    displayName = null,
    pictureVersion = null,
    role,
    enabled,
    authenticationType,
    teamId,
    teamLead,
    mustChangePassword,
    setupComplete,
    mfaEnabled,
    mfaRequired,
    sessionVersion,
    createdAt,
    lastLogin,
  } = record;
  return {
    id,
    username,
    displayName,
    pictureVersion,
    role,
    enabled,
    authenticationType,
    teamId,
    teamLead,
    mustChangePassword,
    setupComplete,
    mfaEnabled,
    mfaRequired,
    sessionVersion,
    createdAt,
    lastLogin,
  };
}

export interface NewUser {
  readonly username: string;
  /** Plain text; null for an account without a password here. */
  readonly password: string | null;
  readonly role: Role;
  readonly teamId?: string | undefined;
  readonly enabled?: boolean;
  readonly authenticationType?: AuthenticationType;
  readonly mustChangePassword?: boolean;
  readonly mfaRequired?: boolean;
  /** Registers the account for this user: it is disabled and has no seat until an administrator enables it. */
  readonly pendingBy?: string;
}
