import { type CMap, identityMap } from './cmap.js';

/** The predefined CMap of this name (ISO 32000-1, table 118), or undefined. */
export function predefinedMap(name: string): CMap | undefined {
  if (name === 'Identity-H' || name === 'Identity-V') return identityMap(name === 'Identity-V');
  return undefined;
}

/** What the CIDs of one of Adobe's character collections stand for; undefined for others. */
export function unicodeOfCids(_registry: string, _ordering: string): ReadonlyMap<number, string> | undefined {
  return undefined;
}
