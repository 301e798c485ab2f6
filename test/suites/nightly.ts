/**
 * Whether this is the nightly run (verification/nightly/long-tests.sh), which does in full what `npm test` does in
 * part.
 */
export const isNightly = process.env['QUIRE_LONG_TESTS'] === '1';

/** In the nightly run all values; else every `stride`-th, beginning with the one at `start`. */
export function sampleOf<T>(values: readonly T[], stride: number, start = 0): readonly T[] {
  return isNightly ? values : values.filter((_value, i) => i % stride === start % stride);
}
