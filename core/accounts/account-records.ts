import type { Identified, Records, Store } from '../store/index.js';
import type { AuthenticationType, Role, User } from './model.js';

/** An account as it is kept. Secrets lie here only hashed or sealed. */
export interface UserRecord extends User {
  /** The name without regard to case; no two accounts share it. */
  readonly nameKey: string;
  /** Null when the account has no password here: built in, or logging in elsewhere. */
  readonly passwordHash: string | null;
  /**
   * The place under the user cap that this account takes; null without a cap. Unique, so that two creations at once
   * cannot both take the last.
   */
  readonly seat: number | null;
  /** Sealed TOTP secrets: the one in force, and one whose enrolment has begun. */
  readonly mfaSecret: string | null;
  readonly mfaPending: string | null;
  /** Time step of the last code that was taken; codes of it and of earlier steps are refused (RFC 6238, 5.2). */
  readonly mfaLastStep: number;
}

/** A team as it is kept; members name it in their own records. */
export interface TeamRecord extends Identified {
  readonly name: string;
  readonly nameKey: string;
  /** Made by the server; cannot be renamed or deleted. */
  readonly system: boolean;
}

/** An invite as it is kept: without the token. */
export interface InviteRecord extends Identified {
  /** Keyed digest of the token; the token itself is with the invited person alone. */
  readonly tokenDigest: string;
  readonly email: string | null;
  /**
   * The address while the invite is open, so that there is one open invite per address; null for one without an address
   * or one that was used.
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

/** Wrong attempts of one name, from one address that the user knows or from anywhere else. */
export interface AttemptRecord extends Identified {
  readonly failures: number;
  /** Milliseconds since 1970; the failures count until then. */
  readonly until: number;
}

/** An address from which somebody logged in under a name: others cannot lock it out. Keyed digests only. */
export interface LoginAddressRecord extends Identified {
  /** Digest of the name; the id is the digest of name and address. */
  readonly name: string;
  readonly until: number;
}

/** Free-form settings of one user; the id is the user's. */
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
  readonly attempts: Records<AttemptRecord>;
  readonly addresses: Records<LoginAddressRecord>;
  readonly settings: Records<UserSettingsRecord>;
  /** The next id of a kind: 1, 2, 3 …, never one that was given before. */
  nextId(kind: 'user' | 'team' | 'invite'): Promise<string>;
  /** Keeps the first value that is given under this name for ever, and gives it. */
  keepFirst(name: string, value: number): Promise<number>;
}

/** Opens every record set of the accounts. */
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
    attempts: store.records<AttemptRecord>('loginAttempts', { keys: ['until'] }),
    addresses: store.records<LoginAddressRecord>('loginAddresses', { keys: ['name', 'until'] }),
    settings: store.records<UserSettingsRecord>('userSettings'),
    keepFirst,
    async nextId(kind) {
      const counted =
        (await numbers.update(kind, { inc: { last: 1 } })) ??
        (await keepFirst(kind, 0), await numbers.update(kind, { inc: { last: 1 } }));
      if (counted === undefined) throw new Error(`the counter of ${kind} ids is gone`);
      return String(counted.last);
    },
  };
}

/** The account without what only this room may see. */
export function publicUser(record: UserRecord): User {
  const {
    id,
    username,
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

/** What a new account needs to be told. */
export interface NewUser {
  readonly username: string;
  /** Readable; null for an account without a password here. */
  readonly password: string | null;
  readonly role: Role;
  readonly teamId?: string | undefined;
  readonly enabled?: boolean;
  readonly authenticationType?: AuthenticationType;
  readonly mustChangePassword?: boolean;
  readonly mfaRequired?: boolean;
}
