import { createHash } from 'node:crypto';
import type { Identified } from '../../store/index.js';

/** Most passkeys of one user. */
export const MAX_PASSKEYS = 20;
/** How long a registration or a login may take, minutes; browsers are asked to give up then, too. */
export const CHALLENGE_MINUTES = 5;
/** Logins that may be begun and not finished from one network. */
export const MAX_OPEN_LOGINS = 1000;

/** A passkey as stored (WebAuthn Level 3, 4, credential record). */
export interface PasskeyRecord extends Identified {
  readonly userId: string;
  /** Chosen by the user. */
  readonly name: string;
  /** Base64url. */
  readonly credentialId: string;
  /** `credentialDigest` of the credential id, which may have 1023 bytes; unique. */
  readonly digest: string;
  /** The public key as a COSE key (RFC 9052, 7), base64url. */
  readonly publicKey: string;
  /** Signature counter of the last login; always 0 for passkeys that do not count. */
  readonly counter: number;
  /** The device answered with a counter that had been used before. */
  readonly suspect: boolean;
  readonly transports: readonly string[];
  /** The domain that the passkey was made for. */
  readonly rpId: string;
  /** The user, as devices know them; base64url, 32 bytes that say nothing about the account. */
  readonly userHandle: string;
  /** The passkey may be copied to other devices of the user by its provider. */
  readonly syncable: boolean;
  readonly backedUp: boolean;
  /** Milliseconds since 1970. */
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number | null;
}

/** A passkey as the API lists it. */
export interface PasskeyWire {
  readonly id: string;
  readonly name: string;
  /** ISO instants. */
  readonly created: string;
  readonly lastUsed: string | null;
  readonly rpId: string;
  readonly syncable: boolean;
  readonly backedUp: boolean;
  readonly suspect: boolean;
  readonly transports: readonly string[];
}

/** The site that a passkey is made for or used on. */
export interface RelyingParty {
  /** A domain; browsers accept it on pages of this domain and of its subdomains. */
  readonly id: string;
  /** Scheme, host and port of the pages that may use passkeys. */
  readonly origins: readonly string[];
}

/** A begun registration or login. */
export interface ChallengeRecord extends Identified {
  /** 32 random bytes, base64url. */
  readonly challenge: string;
  readonly rpId: string;
  readonly origins: readonly string[];
  /** Of a registration: whose it is. */
  readonly userId: string | null;
  /** Of a login: the name that was given, in lower case; null for none. */
  readonly nameKey: string | null;
  /** Of a login: keyed digest of the network from which it was begun. */
  readonly network: string | null;
  /** Milliseconds since 1970. */
  readonly expiresAtMs: number;
}

/** Returns the digest by which a passkey is found. */
export function credentialDigest(credentialId: string): string {
  return createHash('sha256').update(Buffer.from(credentialId, 'base64url')).digest('base64url');
}

/** Returns a passkey as the API lists it. */
export function toPasskeyWire(record: PasskeyRecord): PasskeyWire {
  const { id, name, createdAtMs, lastUsedAtMs, rpId, syncable, backedUp, suspect, transports } = record;
  return {
    id,
    name,
    created: new Date(createdAtMs).toISOString(),
    lastUsed: lastUsedAtMs === null ? null : new Date(lastUsedAtMs).toISOString(),
    rpId,
    syncable,
    backedUp,
    suspect,
    transports,
  };
}
