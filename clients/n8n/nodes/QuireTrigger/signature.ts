import { createHmac, timingSafeEqual } from 'node:crypto';

/** Standard Webhooks 1.0: a message that is older, or from the future, is not accepted. */
const TOLERANCE_SECONDS = 300;

/** The headers of a call-back that are read here. */
export type SignedHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Returns the bytes of a key in the form `whsec_…`; undefined for anything else. */
export function keyOf(secret: string): Buffer | undefined {
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret.trim())?.[1];
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64');
}

/**
 * Returns whether one of the signatures is that of this body with this key, and the message is recent (Standard
 * Webhooks 1.0: HMAC-SHA256 of `id.timestamp.body`).
 */
export function isSigned(headers: SignedHeaders, body: Buffer, key: Buffer, now: Date): boolean {
  const id = headers['webhook-id'];
  const time = headers['webhook-timestamp'];
  const signatures = headers['webhook-signature'];
  if (typeof id !== 'string' || typeof time !== 'string' || typeof signatures !== 'string') return false;
  const age = Math.abs(now.getTime() / 1000 - Number(time));
  if (!(age <= TOLERANCE_SECONDS)) return false;
  const wanted = createHmac('sha256', key).update(`${id}.${time}.`).update(body).digest();
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64');
    return signature.startsWith('v1,') && given.length === wanted.length && timingSafeEqual(given, wanted);
  });
}
