import { createInflate } from 'node:zlib';
import { ReusedEngine, type Written } from './engine.js';

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
  const output = (scratch ??= Buffer.allocUnsafeSlow(SCRATCH_BYTES));
  const done = run(data, output);
  return done && { data: output.subarray(0, done.written), read: done.read };
}

/** True for data that `inflateShort` inflates; false says nothing about it. */
export const isSoundShort = (data: Uint8Array): boolean =>
  run(data, (scratch ??= Buffer.allocUnsafeSlow(SCRATCH_BYTES))) !== undefined;

/**
 * Inflates the first `most` bytes of zlib data, at most 256 KB, or all if there are fewer, without looking at what
 * follows; undefined where that is not possible. The data is a view as that of `inflateShort`.
 */
export function inflateBeginning(data: Uint8Array, most: number): Uint8Array | undefined {
  const output = (scratch ??= Buffer.allocUnsafeSlow(SCRATCH_BYTES)).subarray(0, most);
  const done = engine.begin(data, output);
  return done && output.subarray(0, done.written);
}

const run = (data: Uint8Array, output: Buffer): Written | undefined =>
  data.length > MOST_BYTES ? undefined : engine.run(data, output);
