import { createHash } from 'node:crypto';
import { InputError } from '@quire/registry';
import type { ChallengeRecord } from './model.js';

/** What an answer of a passkey must fit to. */
export type Expected = Pick<ChallengeRecord, 'challenge' | 'rpId' | 'origins'>;

/** The kinds of answers (WebAuthn Level 3, 5.8.1). */
export type AnswerType = 'webauthn.create' | 'webauthn.get';

const LONGEST_SHOWN = 100;
/** Bits of the flags in authenticator data (WebAuthn Level 3, 6.1). */
const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
/** Bytes of the hash of the RP id, the flags and the counter. */
const SHORTEST_DATA = 37;

/**
 * Checks what the browser says about an answer, so that each fault has its own error (WebAuthn Level 3, 7.1 and 7.2).
 * Throws PASSKEY_INVALID, PASSKEY_CHALLENGE_INVALID or PASSKEY_SITE_INVALID.
 */
export function checkClientData(clientDataJSON: string, expectedType: AnswerType, expected: Expected): void {
  const { type, challenge, origin, crossOrigin, topOrigin } = parsed(clientDataJSON);
  if (type !== expectedType)
    throw invalid(expectedType === 'webauthn.get' ? 'it is not the answer to a login' : 'it is not a new passkey');
  if (challenge !== expected.challenge) throw new InputError('PASSKEY_CHALLENGE_INVALID', { other: true });
  if (crossOrigin === true || topOrigin !== undefined) throw new InputError('PASSKEY_SITE_INVALID', { framed: true });
  if (typeof origin !== 'string' || !expected.origins.includes(origin))
    throw new InputError('PASSKEY_SITE_INVALID', {
      found: shown(typeof origin === 'string' ? origin : 'an unknown site'),
      allowed: expected.origins.join(', '),
    });
}

/**
 * Checks the part of authenticator data that every answer has: it is for this site, and the device has verified the
 * user, with a PIN, a fingerprint or a face. Throws PASSKEY_INVALID or PASSKEY_SITE_INVALID.
 */
export function checkAuthenticatorData(data: Uint8Array, { rpId }: Expected): void {
  if (data.length < SHORTEST_DATA) throw invalid('the data of the device are cut off');
  const hash = createHash('sha256').update(rpId).digest();
  if (!hash.equals(data.subarray(0, hash.length))) throw new InputError('PASSKEY_SITE_INVALID', { rpId });
  const flags = data[hash.length] ?? 0;
  if ((flags & USER_PRESENT) === 0) throw invalid('nobody was present at the device');
  if ((flags & USER_VERIFIED) === 0)
    throw invalid('the device did not verify you with a PIN, a fingerprint or your face; set one up on it');
}

/** PASSKEY_INVALID with a reason. */
export function invalid(detail: string): InputError {
  return new InputError('PASSKEY_INVALID', { detail });
}

function parsed(clientDataJSON: string): Readonly<Record<string, unknown>> {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'));
    if (typeof data === 'object' && data !== null) return data as Readonly<Record<string, unknown>>;
  } catch {
    // Not JSON.
  }
  throw invalid('clientDataJSON is not a JSON object');
}

function shown(text: string): string {
  const plain = text.replace(/[^\x20-\x7e]/g, '?');
  return plain.length > LONGEST_SHOWN ? `${plain.slice(0, LONGEST_SHOWN)}…` : plain;
}
