import { createHash, randomBytes } from 'node:crypto';

/** Turns a caller's mark (an account, a browser id, an address) into a number that tells callers apart. */
export type SessionDigest = (mark: string) => number;

/** Longer marks are cut: no browser sends them, and hashing must cost the same for everybody. */
const LONGEST_MARK = 256;

/**
 * Makes a digest with a secret of its own: 48 bits of SHA-256, so that what is kept in memory names nobody and nobody
 * can choose marks that fall on given numbers. The secret dies with the process, as the counters do.
 */
export function sessionDigest(): SessionDigest {
  const secret = randomBytes(32);
  return (mark) => createHash('sha256').update(secret).update(mark.slice(0, LONGEST_MARK)).digest().readUIntBE(0, 6);
}
