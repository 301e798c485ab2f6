import { dropXmp } from '@quire/document/redaction/document-data';
import { asDict, catalogOf, entry, setEntry } from '@quire/document/file/objects';
import type { OpenedPdf } from '@quire/document/file/open';
import { dictOfHolder, everyObject } from '@quire/document/file/objects';
import { withdrawClaims } from '@quire/document/structure/metadata';
import { PDFArray, type PDFContext } from 'pdf-lib';
import { pruneUnwanted } from './sanitize-actions.js';
import { dropFiles } from './sanitize-files.js';
import { dropFontPrograms } from './sanitize-fonts.js';
import { dropFalseNumbers } from './sanitize-numbers.js';
import { dropPictureFacts } from './sanitize-pictures.js';
import { dropScripts, dropXfaLinks, dropXfaMetadata } from './sanitize-scripts.js';

/** Parts to remove (docs/interface/security.yml, sanitize-pdf). */
export interface Sanitizing {
  readonly scripts: boolean;
  readonly files: boolean;
  readonly xmp: boolean;
  readonly info: boolean;
  readonly links: boolean;
  readonly fonts: boolean;
}

/** Number of removed items, by type. */
export interface Sanitized {
  readonly scripts: number;
  readonly launches: number;
  readonly files: number;
  readonly xmpPackets: number;
  readonly infoEntries: number;
  readonly links: number;
  readonly fonts: number;
}

/**
 * Removes active and private content from an opened document in place, each type from everywhere that the catalog
 * reaches. The document must be rewritten afterwards, without setting its dates and producer. Creates a new file
 * identifier if metadata is removed.
 */
export function sanitizeDocument(
  { document: { context }, pages, decrypted }: OpenedPdf,
  what: Sanitizing,
  signal?: AbortSignal,
): { readonly gone: Sanitized; readonly neededFonts: number } {
  const actions = pruneUnwanted(context, what);
  signal?.throwIfAborted();
  const scripts = actions.scripts + (what.scripts ? dropScripts(context) + dropFalseNumbers(context) : 0);
  const links = actions.links + (what.links ? dropAddresses(context) : 0);
  const files = what.files ? dropFiles(context, pages) : 0;
  signal?.throwIfAborted();
  // Before the XMP metadata is removed, because this removes declarations from it.
  const dropped = what.fonts ? dropFontPrograms(context) : undefined;
  const pictures = what.xmp || what.info ? dropPictureFacts(context, what) : 0;
  const xmpPackets = what.xmp ? dropXmp(context) + (dropXfaMetadata(context) ? 1 : 0) : 0;
  const infoEntries = what.info ? dropFacts(context, decrypted) + pictures : 0;
  return {
    gone: { scripts, launches: actions.launches, files, xmpPackets, infoEntries, links, fonts: dropped?.removed ?? 0 },
    neededFonts: dropped?.needed ?? 0,
  };
}

/**
 * Removes references outside the document that are not actions: the base URI, web capture data, pages of other files.
 */
function dropAddresses(context: PDFContext): number {
  const catalog = catalogOf(context);
  let count = dropXfaLinks(context) ? 1 : 0;
  const drop = (dict: ReturnType<typeof asDict>, key: string): void => {
    if (dict === undefined || entry(dict, key) === undefined) return;
    setEntry(dict, key, undefined);
    count++;
  };
  drop(catalog, 'URI');
  const names = asDict(context, catalog === undefined ? undefined : entry(catalog, 'Names'));
  for (const key of ['IDS', 'URLS']) drop(names, key);
  for (const holder of everyObject(context)) {
    if (holder instanceof PDFArray) continue;
    const dict = dictOfHolder(holder);
    drop(dict, 'SpiderInfo');
    // Only forms can reference pages of other files (ISO 32000-1, 8.10.4); elsewhere the key has another meaning.
    if (entry(dict, 'BBox') !== undefined && asDict(context, entry(dict, 'Ref')) !== undefined) drop(dict, 'Ref');
  }
  return count;
}

/**
 * Removes the information dictionary and private data of programs, and what depends on the dictionary: declarations of
 * print standards, the file identifier. An encrypted document keeps its identifier, because the key depends on it (ISO
 * 32000-1, 7.6.3.3).
 */
function dropFacts(context: PDFContext, locked: boolean): number {
  const count = asDict(context, context.trailerInfo.Info)?.keys().length ?? 0;
  delete context.trailerInfo.Info;
  if (!locked) delete context.trailerInfo.ID;
  withdrawClaims(context, ['PDF/X', 'PDF/VT']);
  for (const holder of everyObject(context)) {
    const dict = holder instanceof PDFArray ? undefined : dictOfHolder(holder);
    if (dict === undefined || entry(dict, 'PieceInfo') === undefined) continue;
    for (const key of ['PieceInfo', 'LastModified']) setEntry(dict, key, undefined);
  }
  return count;
}
