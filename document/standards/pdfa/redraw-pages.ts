import { PDFDict, PDFNumber } from 'pdf-lib';
import { arrayOf, asArray, catalogOf, entry, ObjectCopier, setEntry } from '../../file/objects/index.js';
import { type OpenedPdf, withPdf, writePdf } from '../../file/open/index.js';
import { pageBox } from '../../structure/pages/index.js';
import { dropTags } from '../../structure/tags/index.js';

/** Entries to hide from a program that redraws pages: it would draw them, or fail on them. */
const HIDDEN_ENTRIES = [
  'AcroForm',
  'Outlines',
  'Names',
  'Dests',
  'OpenAction',
  'StructTreeRoot',
  'MarkInfo',
  'Collection',
  'AF',
  'PageLabels',
  'Metadata',
  'OutputIntents',
  'Threads',
  'AA',
  'PieceInfo',
] as const;

/**
 * Writes a copy of a document with page content only: no annotations, no rotation, the whole media box visible, user
 * units of a point, and nothing outside of the pages. Throws the errors of `withPdf`.
 */
export async function writeBarePages(path: string, copy: string): Promise<void> {
  await withPdf({ path }, {}, (opened) => {
    const {
      document: { context },
      pages,
    } = opened;
    const catalog = catalogOf(context);
    for (const key of HIDDEN_ENTRIES) if (catalog !== undefined) setEntry(catalog, key, undefined);
    for (const page of pages) {
      const box = arrayOf(
        context,
        pageBox(context, page, 'MediaBox').map((value) => PDFNumber.of(value)),
      );
      for (const key of [
        'Annots',
        'AA',
        'UserUnit',
        'TrimBox',
        'BleedBox',
        'ArtBox',
        'Thumb',
        'B',
        'Metadata',
        'PieceInfo',
        'StructParents',
      ])
        setEntry(page.dict, key, undefined);
      setEntry(page.dict, 'MediaBox', box);
      setEntry(page.dict, 'CropBox', box);
      setEntry(page.dict, 'Rotate', PDFNumber.of(0));
    }
    writePdf(opened, copy, { mode: 'rewrite', stamp: false, protection: 'none' });
  });
}

/**
 * Replaces the content of a document's pages by the content that a program redrew (`writeBarePages`), in place:
 * annotations, links, fields, bookmarks, labels and boxes stay; tags and layers are removed, since the new content does
 * not refer to them. Returns false, and changes nothing, where the pages do not correspond.
 */
export function takeDrawnPages(opened: OpenedPdf, drawn: OpenedPdf): boolean {
  const {
    document: { context },
    pages,
  } = opened;
  const from = drawn.document.context;
  if (drawn.pages.length !== pages.length || new Set(pages.map(({ dict }) => dict)).size !== pages.length) return false;
  const copier = new ObjectCopier(from, context);
  for (const [i, page] of pages.entries()) {
    const source = drawn.pages[i]!;
    const [left, bottom] = pageBox(context, page, 'MediaBox');
    const [drawnLeft, drawnBottom] = pageBox(from, source, 'MediaBox');
    const contents = copier.copy(entry(source.dict, 'Contents'));
    const streams = contents === undefined ? [] : (asArray(context, contents)?.asArray() ?? [contents]);
    const [dx, dy] = [left - drawnLeft, bottom - drawnBottom];
    // Programs put the corner of the page at the origin.
    const moved =
      dx === 0 && dy === 0
        ? streams
        : [
            context.register(context.stream(`q 1 0 0 1 ${dx} ${dy} cm\n`)),
            ...streams,
            context.register(context.stream('\nQ')),
          ];
    setEntry(page.dict, 'Contents', arrayOf(context, moved));
    setEntry(
      page.dict,
      'Resources',
      copier.copy(source.inherited.get('Resources') ?? entry(source.dict, 'Resources')) ?? context.obj({}),
    );
    setEntry(page.dict, 'Group', copier.copy(entry(source.dict, 'Group')));
    for (const key of ['Thumb', 'PieceInfo', 'LastModified']) setEntry(page.dict, key, undefined);
  }
  copier.drain();
  dropTags(
    context,
    pages.map(({ dict }) => dict),
  );
  const catalog = catalogOf(context);
  if (catalog !== undefined) setEntry(catalog, 'OCProperties', undefined);
  for (const { dict } of pages)
    for (const value of asArray(context, entry(dict, 'Annots'))?.asArray() ?? []) {
      const annotation = context.lookup(value);
      if (annotation instanceof PDFDict) setEntry(annotation, 'OC', undefined);
    }
  return true;
}
