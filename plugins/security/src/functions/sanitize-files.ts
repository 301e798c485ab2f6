import { asArray, asDict, asName, catalogOf, entry, resolve, setEntry } from '@quire/document/file/objects';
import { dictOfHolder, everyObject } from '@quire/document/file/objects';
import { dropAnnotationsAndReferences } from '@quire/document/structure/annotations';
import { readClaims, withdrawClaims } from '@quire/document/structure/metadata';
import type { PageEntry } from '@quire/document/structure/pages';
import { PDFArray, type PDFContext, type PDFObject, PDFStream } from 'pdf-lib';

/**
 * Annotations that are nothing but what they hold: files, sounds, films, artwork in three dimensions (ISO 32000-1,
 * 12.5.6.15 to 13.6).
 */
const KINDS: ReadonlySet<string> = new Set(['FileAttachment', 'Sound', 'Movie', '3D', 'RichMedia']);
/** Trees of files and of what is made of them: media, presentations (ISO 32000-1, table 31). */
const TREES = ['EmbeddedFiles', 'Renditions', 'AlternatePresentations'] as const;
/** What they hold. */
const HELD = ['FS', 'Sound', 'Movie', '3DD', 'RichMediaContent'] as const;

/**
 * Takes every file out of a document in place: those of its list, of annotations, portfolios, media and presentations,
 * those associated with any of its parts, and whatever else a file specification embeds. Its claim to be PDF/A of the
 * level that is for files goes with them. Gives how many there were.
 */
export function dropFiles(context: PDFContext, pages: readonly PageEntry[]): number {
  const catalog = catalogOf(context);
  if (catalog === undefined) return 0;
  const count = filesIn(context);
  const names = asDict(context, entry(catalog, 'Names'));
  for (const key of TREES) if (names !== undefined) setEntry(names, key, undefined);
  setEntry(catalog, 'Collection', undefined);
  if (asName(context, entry(catalog, 'PageMode')) === 'UseAttachments') setEntry(catalog, 'PageMode', undefined);
  dropAnnotationsAndReferences(context, pages, ({ kind }) => KINDS.has(kind));
  for (const holder of everyObject(context)) {
    if (holder instanceof PDFArray) continue;
    const dict = dictOfHolder(holder);
    for (const key of ['EF', 'RF']) setEntry(dict, key, undefined);
    const associated = entry(dict, 'AF');
    // Names of that key are marks of content.
    if (asArray(context, associated) !== undefined || asDict(context, associated) !== undefined)
      setEntry(dict, 'AF', undefined);
    // Packets of forms are often written as if they were files.
    if (holder instanceof PDFStream && asName(context, entry(dict, 'Type')) === 'EmbeddedFile')
      for (const key of ['Type', 'Params']) setEntry(dict, key, undefined);
    // An annotation that no page shows.
    if (KINDS.has(asName(context, entry(dict, 'Subtype')) ?? ''))
      for (const key of HELD) setEntry(dict, key, undefined);
  }
  if (/^4\|F/.test(readClaims(context).get('PDF/A') ?? '')) withdrawClaims(context, ['PDF/A']);
  return count;
}

/** How many files a document holds: embedded ones once each, and what annotations hold without a file's name. */
function filesIn(context: PDFContext): number {
  const files = new Set<PDFObject>();
  for (const holder of everyObject(context)) {
    if (holder instanceof PDFArray) continue;
    const dict = dictOfHolder(holder);
    const [first] = asDict(context, entry(dict, 'EF'))?.values() ?? [];
    const file = resolve(context, first);
    if (file !== undefined) files.add(file);
    for (const key of ['Sound', '3DD']) {
      const held = resolve(context, entry(dict, key));
      if (held instanceof PDFStream) files.add(held);
    }
  }
  return files.size;
}
