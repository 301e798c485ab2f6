import { createDeflate, deflateSync, type ZlibOptions } from 'node:zlib';
import { ReusedEngine } from './engine.js';

/** Matches end this many bytes before the end of zlib's window (`MIN_LOOKAHEAD`). */
const LOOKAHEAD = 262;
const [LEAST_WINDOW, MOST_WINDOW] = [10, 15] as const;
/** In bytes: above it the engine itself costs little. */
const MOST_BYTES = 64 * 1024;
/** Data that cannot be packed grows by five bytes in 16 KB and six for the stream (`deflateBound`). */
const SCRATCH_BYTES = MOST_BYTES + 1024;

const engines = new Map<string, ReusedEngine>();
let scratch: Buffer | undefined;

/** Deflates as `deflateSync` does, with the same result. `level` is zlib's, 0 to 9. */
export function deflate(data: Uint8Array, level = 6): Buffer {
  return deflateShort(data, { level }) ?? deflateSync(data, { level });
}

/**
 * Deflates with a window and tables that are no larger than the data needs: by default zlib allocates and
 * clears 256 KB, which takes longer than packing a few objects. The result is as small. `level` is zlib's, 0 to 9.
 */
export function deflateFitted(data: Uint8Array, level = 9): Buffer {
  const bits = Math.max(LEAST_WINDOW, Math.ceil(Math.log2(data.length + LOOKAHEAD)));
  if (bits > MOST_WINDOW) return deflate(data, level);
  // The block holds 2 to the power of `memLevel` + 6 symbols: with as many as there are bytes it need not be divided.
  const options = { level, windowBits: bits, memLevel: Math.min(8, bits - 6) };
  return deflateShort(data, options) ?? deflateSync(data, { ...options, chunkSize: 2 ** bits });
}

/** Returns undefined for data that is too long for an engine that is used again. */
function deflateShort(data: Uint8Array, options: ZlibOptions): Buffer | undefined {
  if (data.length > MOST_BYTES) return undefined;
  const key = `${options.level ?? ''} ${options.windowBits ?? ''}`;
  let engine = engines.get(key);
  if (engine === undefined) engines.set(key, (engine = new ReusedEngine(() => createDeflate(options))));
  scratch ??= Buffer.allocUnsafeSlow(SCRATCH_BYTES);
  const done = engine.run(data, scratch);
  return done && Buffer.from(scratch.subarray(0, done.written));
}
