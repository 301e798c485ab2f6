import type { Principal } from '@quire/registry';

/** Roles of the contract (`docs/interface/auth.yml`, roles and limits). */
export const roles = [
  'ROLE_ADMIN',
  'ROLE_USER',
  'ROLE_PRO_USER',
  'ROLE_LIMITED_API_USER',
  'ROLE_EXTRA_LIMITED_API_USER',
  'ROLE_WEB_ONLY_USER',
  'ROLE_DEMO_USER',
  'ROLE_BACKEND_API_USER',
] as const;
export type Role = (typeof roles)[number];

/** The role that no administrator can give: loopback calls and the global key run under it. */
export const INTERNAL_ROLE: Role = 'ROLE_BACKEND_API_USER';
/** The built-in user behind the global key. */
export const API_USER = 'CUSTOM_API_USER';

/** How a user proves who they are; only `web` has a password here. */
export const authenticationTypes = ['web', 'oauth2', 'saml2'] as const;
export type AuthenticationType = (typeof authenticationTypes)[number];

/** An account, without its secrets. */
export interface User {
  /** A decimal number as text, from 1 up, never given twice. */
  readonly id: string;
  /** As it was written; compared without regard to case. */
  readonly username: string;
  readonly role: Role;
  readonly enabled: boolean;
  readonly authenticationType: AuthenticationType;
  readonly teamId: string | null;
  readonly teamLead: boolean;
  /** True until the user has set a password of their own: an administrator or the server made the present one up. */
  readonly mustChangePassword: boolean;
  readonly setupComplete: boolean;
  /** A second factor is asked for at login. */
  readonly mfaEnabled: boolean;
  /** An administrator wants a second factor; clients send the user to enrolment. */
  readonly mfaRequired: boolean;
  /**
   * Goes into session tokens; a token with another number is no longer good (password, name, role changed, or account
   * disabled).
   */
  readonly sessionVersion: number;
  /** ISO instants. */
  readonly createdAt: string;
  readonly lastLogin: string | null;
}

/** A user as the API shows it (`docs/interface/auth.yml`, user object). */
export interface UserWire {
  readonly id: number;
  readonly email: string;
  readonly username: string;
  readonly role: string;
  readonly enabled: boolean;
  readonly portalAccess: boolean;
  readonly teamLead: boolean;
  readonly team?: { readonly id: number; readonly name: string };
  readonly authenticationType: AuthenticationType;
  readonly app_metadata: { readonly provider: string };
  readonly user_metadata: { readonly firstLogin: boolean };
}

/** What a person hands in to log in. */
export interface LoginAttempt {
  readonly username: string;
  readonly password: string;
  readonly mfaCode?: string | undefined;
  /**
   * Where the attempt comes from; a lock brought about from elsewhere does not hold for an address the user logged in
   * from before.
   */
  readonly address: string;
}

/** Why a login was refused. `mfaRequired` and later only after a right password. */
export type LoginRefusal = 'wrong' | 'locked' | 'disabled' | 'mfaRequired' | 'mfaInvalid' | 'mfaReused';

/**
 * Told when an account is deleted (`gone`) or anything that decides what it may do has changed. Awaited before the call
 * is answered.
 */
export type UserListener = (userId: string, what: 'gone' | 'changed') => void | Promise<void>;

/**
 * Told when a name is no longer that of its user (`UserNames` of the registry). Awaited before the call is answered.
 */
export type NameListener = (name: string, now: string | undefined) => Promise<void>;

/** What the guard, sessions and keys need of the accounts. Rejects with STORE_DOWN when the store does not answer. */
export interface Accounts {
  byId(id: string): Promise<User | undefined>;
  byName(username: string): Promise<User | undefined>;
  /**
   * Password, second factor, lock and state in one call, so that neither can be guessed past the lock; notes the login
   * when it succeeds.
   */
  authenticate(attempt: LoginAttempt): Promise<{ readonly user: User } | { readonly refused: LoginRefusal }>;
  /** The user object, with the name of the team. */
  toWire(user: User): Promise<UserWire>;
  /** For caches, keys and sessions. */
  onUserChange(listener: UserListener): void;
}

/** The caller that a recognised user is. Does not look at `enabled`: the recogniser has. */
export function principalOf(user: User, via: Principal['via'], keyId?: string): Principal {
  return {
    id: user.id,
    name: user.username,
    role: user.role === 'ROLE_ADMIN' ? 'admin' : 'user',
    roles: [user.role],
    via,
    ...(keyId === undefined ? {} : { keyId }),
    ...(user.teamId === null ? {} : { teamId: user.teamId }),
    ...(user.teamLead ? { teamLead: true as const } : {}),
  };
}
