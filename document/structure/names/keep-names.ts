import { type PDFContext, type PDFDict, PDFName, type PDFObject, type PDFRef } from 'pdf-lib';
import {
  asDict,
  catalogOf,
  dictOf,
  entry,
  type ObjectCopier,
  readNameTree,
  setEntry,
  writeNameTree,
} from '../../file/objects/index.js';
import { destinationPage, type NamedDestinations } from './destinations.js';

/** Name trees that belong to the document and not to its pages (ISO 32000-1, table 31). */
export const DOCUMENT_NAMES = ['EmbeddedFiles', 'JavaScript', 'Renditions', 'AlternatePresentations', 'AP'] as const;

/** Named destinations with their target pages; those without a target are left out. */
export interface PlacedDestinations {
  readonly strings: readonly PlacedName[];
  readonly names: readonly PlacedName[];
}

interface PlacedName {
  readonly name: string;
  readonly value: PDFObject;
  readonly page: PDFRef;
}

/** Finds the page of every named destination. */
export function placeDestinations(
  context: PDFContext,
  named: NamedDestinations,
  pages: readonly PDFRef[],
): PlacedDestinations {
  const placed = (table: ReadonlyMap<string, PDFObject>): PlacedName[] =>
    [...table].flatMap(([name, value]) => {
      const page = destinationPage(context, named, value, pages);
      return page === undefined ? [] : [{ name, value, page }];
    });
  return { strings: placed(named.strings), names: placed(named.names) };
}

/** Copies the destinations of kept pages, and whole name trees of the given kinds, into the catalog of the result. */
export function keepNames(
  context: PDFContext,
  destinations: PlacedDestinations,
  pages: ReadonlySet<PDFRef>,
  kinds: readonly string[],
  copier: ObjectCopier,
  catalog: PDFDict,
): void {
  const { target } = copier;
  const here = (list: readonly PlacedName[]): [string, PDFObject][] =>
    copied(
      list.flatMap(({ name, value, page }) => (pages.has(page) ? [[name, value] as const] : [])),
      copier,
    );
  const names = dictOf(target, {});
  const strings = here(destinations.strings);
  if (strings.length > 0) setEntry(names, 'Dests', writeNameTree(target, strings));
  const old = here(destinations.names);
  if (old.length > 0) {
    const dests = dictOf(target, {});
    for (const [name, value] of old) dests.set(PDFName.of(name), value);
    setEntry(catalog, 'Dests', target.register(dests));
  }
  const source = catalogOf(context);
  const trees = asDict(context, source === undefined ? undefined : entry(source, 'Names'));
  for (const kind of kinds) {
    const entries = copied(readNameTree(context, trees === undefined ? undefined : entry(trees, kind)), copier);
    if (entries.length > 0) setEntry(names, kind, writeNameTree(target, entries));
  }
  if (names.keys().length > 0) setEntry(catalog, 'Names', names);
}

function copied(entries: Iterable<readonly [string, PDFObject]>, copier: ObjectCopier): [string, PDFObject][] {
  return [...entries].flatMap(([name, value]): [string, PDFObject][] => {
    const copy = copier.copy(value);
    return copy === undefined ? [] : [[name, copy]];
  });
}
