import { finishExport } from '@quire/document/engines/printing';
import { asDict, asNumber, catalogOf, dictOf, entry, setEntry } from '@quire/document/file/objects';
import { withPdf } from '@quire/document/file/open';
import { changeInfo } from '@quire/document/structure/metadata';
import { explicitDestination, readNamedDestinations } from '@quire/document/structure/names';
import { type OutlineItem, writeOutlines } from '@quire/document/structure/outlines';
import { type PDFContext, PDFHexString, PDFName, PDFString } from 'pdf-lib';
import type { Book } from './book.js';
import type { PlacedEntry } from './compose-book.js';

/** Returns the page number (1-based) of each named destination of a printed book. Throws the codes of `withPdf`. */
export function placesOf(path: string): Promise<Map<string, number>> {
  return withPdf({ path }, { repair: false }, ({ document: { context }, pages }) => {
    const named = readNamedDestinations(context);
    const numbers = new Map(pages.map(({ ref }, i) => [ref.toString(), i + 1]));
    const found = new Map<string, number>();
    for (const [name, value] of [...named.names, ...named.strings]) {
      const number = numbers.get(explicitDestination(context, named, value)?.asArray()[0]?.toString() ?? '');
      if (number !== undefined) found.set(name, number);
    }
    return found;
  });
}

/**
 * Adds to a printed book what the browser does not write: its outline, authors, language and reading direction. Throws
 * the codes of `finishExport`.
 */
export function finishBook(
  source: string,
  target: string,
  book: Book,
  entries: readonly PlacedEntry[],
  now: Date,
): Promise<void> {
  return finishExport(source, target, now, ({ document: { context } }) => {
    const catalog = catalogOf(context);
    if (catalog === undefined) return;
    const named = readNamedDestinations(context);
    const items = (list: readonly PlacedEntry[]): OutlineItem[] =>
      list.flatMap(({ title, id, children }) => {
        const dest = id === undefined ? undefined : explicitDestination(context, named, PDFName.of(id));
        const below = items(children);
        if (dest === undefined && below.length === 0) return [];
        const dict = dictOf(context, {
          Title: PDFHexString.fromText(title.replace(/\p{Surrogate}/gu, '\ufffd')),
          Dest: dest ?? firstDest(below),
        });
        return [{ dict, open: false, children: below }];
      });
    const outline = writeOutlines(context, items(entries));
    // Without a table of contents of its own, the headings that the browser found do.
    if (outline !== undefined) setEntry(catalog, 'Outlines', outline);
    if (asNumber(context, entry(asDict(context, entry(catalog, 'Outlines')) ?? catalog, 'Count')) !== undefined)
      setEntry(catalog, 'PageMode', PDFName.of('UseOutlines'));
    changeInfo(context, {
      Title: book.title === '' ? undefined : book.title,
      Author: book.authors.length === 0 ? undefined : book.authors.join(', '),
      Creator: undefined,
    });
    if (book.language !== undefined) setEntry(catalog, 'Lang', PDFString.of(book.language));
    if (book.rightToLeft) turnRightToLeft(context);
  });
}

/** An entry that only holds others leads where the first of them does. */
function firstDest(items: readonly OutlineItem[]) {
  const dict = items[0]?.dict;
  return dict === undefined ? undefined : entry(dict, 'Dest');
}

function turnRightToLeft(context: PDFContext): void {
  const catalog = catalogOf(context);
  if (catalog === undefined) return;
  const preferences = asDict(context, entry(catalog, 'ViewerPreferences')) ?? dictOf(context, {});
  setEntry(preferences, 'Direction', PDFName.of('R2L'));
  setEntry(catalog, 'ViewerPreferences', preferences);
}
