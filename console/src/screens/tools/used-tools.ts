import { kept } from '../../app/preferences.ts';

/** Paths of operations, kept in this browser. */
export const favourites = kept<readonly string[]>('favourites', []);
export const recent = kept<readonly string[]>('recent', []);

export function toggleFavourite(path: string): void {
  favourites.value = favourites.value.includes(path)
    ? favourites.value.filter((each) => each !== path)
    : [...favourites.value, path];
}

const MOST_RECENT = 8;

/** Puts an operation first in the list of recent ones. */
export function rememberUse(path: string): void {
  recent.value = [path, ...recent.value.filter((each) => each !== path)].slice(0, MOST_RECENT);
}
