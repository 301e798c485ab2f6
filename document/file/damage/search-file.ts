import type { LazyDocument, PageTree } from '../reader/index.js';
import { type FileSource, type KnownDamage, noteDamage } from '../source/index.js';
import { type Damage, findDamage, type FindOptions } from './find-damage.js';

/** Searches a file for damage, and remembers what operations that write it must know. */
export function searchFile(
  source: Uint8Array | FileSource,
  lazy: LazyDocument,
  tree: PageTree,
  options: FindOptions & { readonly signed: boolean },
): { readonly found: Damage; readonly known: KnownDamage } {
  const { repaired, lost, streams } = findDamage(lazy, tree, options);
  const known: KnownDamage = {
    streams: streams.map(({ objectNumber, generationNumber }) => [objectNumber, generationNumber]),
    rewrite: repaired.length + lost.length > 0 && !options.signed,
  };
  noteDamage(source, known);
  return { found: { repaired, lost }, known };
}
