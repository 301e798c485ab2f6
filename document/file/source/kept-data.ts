/** In bytes of decoded data; what exceeds it is decoded again. */
const MAX_KEPT_BYTES = 16 * 1024 * 1024;
/** In bytes: longer streams are read from the file for each reader, so the next one has another array. */
const MAX_STREAM_BYTES = 16 * 1024;

/** What a stream's data inflates to, and how many bytes of it the Flate data takes. */
interface Kept {
  readonly data: Uint8Array;
  readonly read: number;
}

let kept: Map<Uint8Array, Kept> | undefined;
let left = 0;

/** Starts keeping decoded data. A process works on one run at a time. */
export function startKeptData(): void {
  kept = new Map();
  left = MAX_KEPT_BYTES;
}

/** Forgets everything. */
export function endKeptData(): void {
  kept = undefined;
}

/**
 * Keeps a copy of what these bytes of a stream inflate to for the next reader of the same array, as far as there is
 * room.
 */
export function keepInflated(data: Uint8Array, { data: inflated, read }: Kept): void {
  if (kept === undefined || kept.has(data) || data.length >= MAX_STREAM_BYTES || inflated.length > left) return;
  left -= inflated.length;
  kept.set(data, { data: new Uint8Array(inflated), read });
}

/** Removes and returns what was kept for these bytes, if it is not longer than `limit`; the caller may change it. */
export function takeInflated(data: Uint8Array, limit: number): Kept | undefined {
  const inflated = kept?.get(data);
  if (inflated === undefined || inflated.data.length > limit) return undefined;
  kept?.delete(data);
  left += inflated.data.length;
  return inflated;
}
