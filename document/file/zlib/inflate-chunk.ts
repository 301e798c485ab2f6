/** Content streams of text inflate to five or six times their length, and seldom to more than this. */
const USUAL_RATIO = 8;
const [LEAST_BYTES, MOST_BYTES] = [1024, 64 * 1024] as const;

/**
 * Returns zlib's `chunkSize` for data of this length: one piece for most streams, because joining two costs a fifth of
 * inflating them, and none much larger than its stream.
 */
export function chunkFor(length: number): number {
  return Math.min(MOST_BYTES, Math.max(LEAST_BYTES, length * USUAL_RATIO));
}
