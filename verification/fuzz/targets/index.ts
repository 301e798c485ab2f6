import { cms } from './cms.js';
import { document } from './document.js';
import { fonts } from './fonts.js';
import { http } from './http.js';
import { mail } from './mail.js';
import type { FuzzTarget } from './target.js';
import { zip } from './zip.js';

export type { FuzzTarget } from './target.js';

/** What can be fuzzed, by name. */
export const targets: Readonly<Record<string, FuzzTarget>> = { document, cms, zip, mail, fonts, http };

/** Returns a target; throws with the known names for another one. */
export function targetOf(name: string): FuzzTarget {
  const found = targets[name];
  if (found !== undefined) return found;
  throw new Error(`unknown target "${name}" (known: ${Object.keys(targets).join(', ')})`);
}
