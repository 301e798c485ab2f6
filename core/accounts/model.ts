import type { AccountDuty, Principal } from '@quire/registry';
import { ADMIN_ROLE } from '../roles/index.js';

export { INTERNAL_ROLE } from '../roles/index.js';

/** Name of a role (`core/roles`): those of the server, and those that administrators have made. */
export type Role = string;

/** The built-in user for the global key. */
export const API_USER = 'CUSTOM_API_USER';

/** How a user logs in; only `web` accounts have a password here. */
export const authenticationTypes = ['web', 'oauth2', 'saml2'] as const;
export type AuthenticationType = (typeof authenticationTypes)[number];

/** An account, without its secrets. */
export interface User {
  /** A decimal number as text, from 1 up; never used twice. */
  readonly id: string;
  /** As it was entered; compared without regard to case. */
  readonly username: string;
  /** The person's name, as a login provider or SCIM says it; to be shown, and never to find anybody by. */
  readonly displayName: string | null;
  /** Of the picture (`Pictures`); null while there is none. */
  readonly pictureVersion: string | null;
  readonly role: Role;
  readonly enabled: boolean;
  readonly authenticationType: AuthenticationType;
  readonly teamId: string | null;
  readonly teamLead: boolean;
  /**
   * True until the users choose their own password, because an administrator or the server set the current one. Until
   * then they can do nothing else.
   */
  readonly mustChangePassword: boolean;
  readonly setupComplete: boolean;
  /** The login asks for a second factor. */
  readonly mfaEnabled: boolean;
  /** An administrator requires a second factor: until it is set up, the user can do nothing else. */
  readonly mfaRequired: boolean;
  /**
   * Included in session tokens; a token with another number is no longer valid (password, name or role changed, or
   * account disabled).
   */
  readonly sessionVersion: number;
  /** ISO instants. */
  readonly createdAt: string;
  readonly lastLogin: string | null;
}

/** How a session began. */
export type LoginMethod = 'password' | 'passkey' | 'provider';

/** What a session keeps of the login provider that it began at. */
export interface ProviderSession {
  readonly issuer: string;
  /** Of the provider's session (OpenID Connect Front-Channel Logout 1.0, 3); undefined when it names none. */
  readonly sid: string | undefined;
  /** Names the session when the user logs out at the provider; undefined where there is none. */
  readonly idToken: string | undefined;
}

/**
 * Returns what the user must do before anything else; undefined if nothing. Only `web` accounts have such duties. A
 * session that began with a passkey needs no second factor: the device has the key and has verified its user.
 */
export function dutyOf(user: User, method?: LoginMethod): AccountDuty | undefined {
  if (user.authenticationType !== 'web') return undefined;
  if (user.mustChangePassword) return 'password';
  return user.mfaRequired && !user.mfaEnabled && method !== 'passkey' ? 'secondFactor' : undefined;
}

/** A user as the API returns it (`docs/interface/auth.yml`, user object). */
export interface UserWire {
  readonly id: number;
  readonly email: string;
  readonly username: string;
  readonly displayName: string | null;
  readonly pictureVersion: string | null;
  readonly role: string;
  readonly enabled: boolean;
  readonly portalAccess: boolean;
  readonly teamLead: boolean;
  readonly team?: { readonly id: number; readonly name: string };
  readonly authenticationType: AuthenticationType;
  readonly app_metadata: { readonly provider: string };
  readonly user_metadata: { readonly firstLogin: boolean };
}

export interface LoginAttempt {
  readonly username: string;
  readonly password: string;
  readonly mfaCode?: string | undefined;
  /**
   * IP address of the attempt. Attempts from other addresses do not lock an address from which the user has logged in
   * before.
   */
  readonly address: string;
}

/**
 * Why a login was refused. `mfaRequired` and the following are only returned after a right password; `passkeyCopied`:
 * the passkey has counted its uses from a lower number than before.
 */
export type LoginRefusal =
  | 'wrong'
  | 'locked'
  | 'disabled'
  | 'mfaRequired'
  | 'mfaInvalid'
  | 'mfaReused'
  | 'passkeyWrong'
  | 'passkeyCopied';

/** The result of a login. `seconds`: how long the name is locked for this address. */
export type LoginOutcome = { readonly user: User } | { readonly refused: LoginRefusal; readonly seconds?: number };

/**
 * Called when an account is deleted (`gone`) or disabled, or when something else changed that affects its permissions.
 * Awaited before the call that made the change returns.
 */
export type UserListener = (userId: string, what: 'gone' | 'disabled' | 'changed') => void | Promise<void>;

/**
 * Called when a name no longer belongs to its user (`UserNames` of the registry). Awaited before the call that made the
 * change returns.
 */
export type NameListener = (name: string, now: string | undefined) => Promise<void>;

/**
 * The account services that the guard, sessions and keys use. Rejects with STORE_DOWN when the store is unreachable.
 */
export interface Accounts {
  byId(id: string): Promise<User | undefined>;
  byName(username: string): Promise<User | undefined>;
  /**
   * Checks password, second factor, lock and state in one call, so that no part can be guessed around the lock; records
   * the login if it succeeds.
   */
  authenticate(attempt: LoginAttempt): Promise<LoginOutcome>;
  /** True if the user has logged in from the network of this address in the last 90 days. */
  isKnown(username: string, address: string): Promise<boolean>;
  /** Returns the user object, with the name of the team. */
  toWire(user: User): Promise<UserWire>;
  /** Used by caches, keys and sessions. */
  onUserChange(listener: UserListener): void;
}

/** Returns the caller for an authenticated user. Does not check `enabled`: the authentication has done that. */
export function principalOf(
  user: User,
  via: Principal['via'],
  credential: { [M in 'keyId' | 'scope' | 'sessionId']?: Principal[M] | undefined } = {},
): Principal {
  return {
    id: user.id,
    name: user.username,
    role: user.role === ADMIN_ROLE ? 'admin' : 'user',
    roles: [user.role],
    via,
    ...(credential.keyId === undefined ? {} : { keyId: credential.keyId }),
    ...(credential.scope === undefined ? {} : { scope: credential.scope }),
    ...(credential.sessionId === undefined ? {} : { sessionId: credential.sessionId }),
    ...(user.teamId === null ? {} : { teamId: user.teamId }),
    ...(user.teamLead ? { teamLead: true as const } : {}),
  };
}
