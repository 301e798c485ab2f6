import type { JsonValue } from './connection-types.js';

/** Levels that JSON of clients and documents may have: what walks it does so by recursion. */
export const MOST_LEVELS = 100;

/** True where lists and objects lie deeper in each other than `levels`. Takes no stack itself. */
export function isDeeper(value: JsonValue | undefined, levels = MOST_LEVELS): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? [one] : []));
    if (depth >= levels && level.length > 0) return true;
    level = level.flatMap((one) => Object.values(one as object) as unknown[]);
  }
  return false;
}
