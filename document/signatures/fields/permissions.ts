import { type PDFContext, PDFDict } from 'pdf-lib';
import { asDict, asName, asNumber, catalogOf, elements, entry, setEntry } from '../../file/objects/index.js';

/**
 * What a certifying signature still allows (ISO 32000-1, table 254): 1 nothing, 2 filling in forms, 3 annotations too.
 */
export type ModificationLevel = 1 | 2 | 3;

/** Gives what the document's certifying signature allows, or undefined when none says (ISO 32000-1, 12.8.4). */
export function readDocMdp(context: PDFContext): ModificationLevel | undefined {
  const catalog = catalogOf(context);
  const permissions = asDict(context, catalog === undefined ? undefined : entry(catalog, 'Perms'));
  const signature = asDict(context, permissions === undefined ? undefined : entry(permissions, 'DocMDP'));
  if (signature === undefined) return undefined;
  for (const value of elements(context, entry(signature, 'Reference'))) {
    const reference = asDict(context, value);
    if (reference === undefined || asName(context, entry(reference, 'TransformMethod')) !== 'DocMDP') continue;
    const parameters = asDict(context, entry(reference, 'TransformParams'));
    const level = parameters === undefined ? undefined : asNumber(context, entry(parameters, 'P'));
    return level === 1 || level === 3 ? level : 2;
  }
  return 2;
}

/**
 * Drops what speaks of signatures over the whole document, in place: certification, usage rights, what they are
 * validated by. A document whose bytes are rewritten has broken them, and viewers warn of rights that do not hold.
 * Gives whether there was any.
 */
export function dropPermissions(context: PDFContext): boolean {
  const catalog = catalogOf(context);
  if (!(catalog instanceof PDFDict)) return false;
  const keys = ['Perms', 'DSS', 'Legal'].filter((key) => entry(catalog, key) !== undefined);
  for (const key of keys) setEntry(catalog, key, undefined);
  return keys.length > 0;
}
