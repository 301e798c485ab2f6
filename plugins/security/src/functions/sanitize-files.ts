import { asArray, asDict, asName, catalogOf, entry, resolve, setEntry } from '@quire/document/file/objects';
import { dictOfHolder, everyObject } from '@quire/document/file/objects';
import { dropAnnotationsAndReferences } from '@quire/document/structure/annotations';
import { readClaims, withdrawClaims } from '@quire/document/structure/metadata';
import type { PageEntry } from '@quire/document/structure/pages';
import { PDFArray, type PDFContext, type PDFObject, PDFStream } from 'pdf-lib';

/**
 * Annotations that only exist for their content: files, sounds, movies, 3D artwork (ISO 32000-1, 12.5.6.15 to 13.6).
 */
const KINDS: ReadonlySet<string> = new Set(['FileAttachment', 'Sound', 'Movie', '3D', 'RichMedia']);
/** Name trees of files and of media and presentations that use them (ISO 32000-1, table 31). */
const TREES = ['EmbeddedFiles', 'Renditions', 'AlternatePresentations'] as const;
/** Keys of the content of such annotations. */
const HELD = ['FS', 'Sound', 'Movie', '3DD', 'RichMediaContent'] as const;

/**
 * Removes every file from a document in place: those of EmbeddedFiles, of annotations, portfolios, media and
 * presentations, associated files of any object, and everything else that a file specification embeds. A declaration of
 * a PDF/A level that is meant for files is removed as well. Returns the number of files.
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
    // In property lists the same key holds names of marked content.
    if (asArray(context, associated) !== undefined || asDict(context, associated) !== undefined)
      setEntry(dict, 'AF', undefined);
    // XFA packets are often written like embedded files.
    if (holder instanceof PDFStream && asName(context, entry(dict, 'Type')) === 'EmbeddedFile')
      for (const key of ['Type', 'Params']) setEntry(dict, key, undefined);
    // An annotation that no page shows.
    if (KINDS.has(asName(context, entry(dict, 'Subtype')) ?? ''))
      for (const key of HELD) setEntry(dict, key, undefined);
  }
  if (/^4\|F/.test(readClaims(context).get('PDF/A') ?? '')) withdrawClaims(context, ['PDF/A']);
  return count;
}

/** Number of files in a document: each embedded file once, plus annotation content without a file specification. */
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
