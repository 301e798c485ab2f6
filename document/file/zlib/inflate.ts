import { createInflate } from 'node:zlib';
import { ReusedEngine } from './engine.js';

/** In bytes: nearly all content of pages is shorter. */
const SCRATCH_BYTES = 256 * 1024;
/** Longer data is hardly ever short when it is inflated, and gains nothing. */
const MOST_BYTES = SCRATCH_BYTES / 2;

const engine = new ReusedEngine(() => createInflate());
let scratch: Buffer | undefined;

export interface Inflated {
  /** A view of a buffer that the next call writes to: copy what is to last. */
  readonly data: Uint8Array;
  /** How many bytes the Flate data takes; more may follow. */
  readonly read: number;
}

/**
 * Inflates complete zlib data whose checksum is right (RFC 1950) to at most 256 KB; undefined for all other data, which
 * says nothing about it.
 */
export function inflateShort(data: Uint8Array): Inflated | undefined {
  if (data.length > MOST_BYTES) return undefined;
  scratch ??= Buffer.allocUnsafeSlow(SCRATCH_BYTES);
  const done = engine.run(data, scratch);
  return done && { data: scratch.subarray(0, done.written), read: done.read };
}
