import { deflateSync } from 'node:zlib';

/** Matches end this many bytes before the end of zlib's window (`MIN_LOOKAHEAD`). */
const LOOKAHEAD = 262;
const [LEAST_WINDOW, MOST_WINDOW] = [10, 15] as const;

/**
 * Deflates at level 9 with a window and tables that are no larger than the data needs: by default zlib allocates and
 * clears 256 KB, which takes longer than packing a few objects. The result is as small.
 */
export function deflateFitted(data: Uint8Array): Buffer {
  const bits = Math.max(LEAST_WINDOW, Math.ceil(Math.log2(data.length + LOOKAHEAD)));
  if (bits > MOST_WINDOW) return deflateSync(data, { level: 9 });
  // The block holds 2 to the power of `memLevel` + 6 symbols: with as many as there are bytes it need not be divided.
  return deflateSync(data, { level: 9, windowBits: bits, memLevel: Math.min(8, bits - 6), chunkSize: 2 ** bits });
}
