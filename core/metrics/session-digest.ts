import { hash, randomBytes } from 'node:crypto';

/** Converts a caller's identifier (an account, a browser id, an address) to a number that distinguishes callers. */
export type SessionDigest = (mark: string) => number;

/** Longer identifiers are cut: no browser sends them, and hashing must cost the same for everybody. */
const LONGEST_MARK = 256;

/**
 * Creates a digest with a random secret: 48 bits of SHA-256, so that the kept numbers identify nobody and nobody can
 * choose identifiers with given numbers. The secret lives as long as the process, like the counters.
 */
export function sessionDigest(): SessionDigest {
  const secret = randomBytes(32).toString('hex');
  return (mark) => hash('sha256', secret + mark.slice(0, LONGEST_MARK), 'buffer').readUIntBE(0, 6);
}
