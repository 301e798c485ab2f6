import { type PDFContext, PDFDict, PDFName, PDFRawStream, PDFRef } from 'pdf-lib';
import { ContentReader, packedStream, pageContent } from '@quire/document/content';
import { invert, uprightPage } from '@quire/document/structure/geometry';
import { ObjectCopier, catalogOf, dictOf, entry, resolve, setEntry } from '@quire/document/file/objects';
import type { OpenedPdf } from '@quire/document/file/open';
import { boxOf, insertPage, pageAttribute } from '@quire/document/structure/pages';
import { dropTags } from '@quire/document/structure/tags';
import { readAnnotations } from '@quire/document/structure/annotations';
import { withdrawClaims } from '@quire/document/structure/metadata';
import { InputError } from '@quire/registry/errors';
import { type AppearanceStream, AppearanceEditor } from './edit-appearances.js';

/** An appearance that can be drawn, with its BBox. */
interface BoxedAppearance extends AppearanceStream {
  readonly box: readonly [number, number, number, number];
}

/** Ghostscript replaces a smaller page size by its default; nothing of such a page could be seen. */
const MIN_SIDE = 1;

/**
 * Appends a page for each annotation appearance, in place, so that a program that converts pages converts appearances
 * as well. Returns the new page count.
 */
export function appendAppearances(opened: OpenedPdf): number {
  const {
    document: { context },
    pages,
  } = opened;
  const appearances = appearancesOf(opened);
  for (const [
    i,
    {
      stream,
      box: [left, bottom, right, top],
    },
  ] of appearances.entries()) {
    const form = PDFDict.fromMapWithContext(new Map(stream.dict.entries()), context);
    for (const key of ['Matrix', 'OC', 'StructParents', 'StructParent']) setEntry(form, key, undefined);
    setEntry(form, 'Type', PDFName.of('XObject'));
    setEntry(form, 'Subtype', PDFName.of('Form'));
    const page = context.register(
      context.obj({
        Type: 'Page',
        MediaBox: [left, bottom, right, top],
        Contents: context.register(context.stream('/A Do')),
      }),
    );
    const dict = resolve(context, page);
    if (dict instanceof PDFDict)
      setEntry(
        dict,
        'Resources',
        dictOf(context, { XObject: dictOf(context, { A: context.register(PDFRawStream.of(form, stream.contents)) }) }),
      );
    insertPage(context, pages.length + i, page);
  }
  return pages.length + appearances.length;
}

/**
 * Copies the content of pages and appearances from a converted copy that `appendAppearances` prepared, in place. Pages
 * are upright in the copy and are rotated back. Everything else stays: bookmarks, links, form fields, page labels,
 * attachments, metadata. Tags and layers are removed, because the copy lacks them, and so are declarations and output
 * intents about colours. Throws DOCUMENT_UNPROCESSABLE if the copy has a different page count.
 */
export function takeConverted(opened: OpenedPdf, converted: OpenedPdf): void {
  const {
    document: { context },
    pages,
  } = opened;
  const appearances = appearancesOf(opened);
  const wanted = pages.length + appearances.length;
  if (converted.pages.length !== wanted)
    throw new InputError('DOCUMENT_UNPROCESSABLE', {
      field: 'fileInput',
      program: 'ghostscript',
      detail: `it returned ${converted.pages.length} pages instead of ${wanted}`,
    });
  const copier = new ObjectCopier(converted.document.context, context);
  const contentAt = (
    index: number,
    matrix: string,
  ): { content: Uint8Array; resources: PDFDict | PDFRef | undefined; group: ReturnType<ObjectCopier['copy']> } => {
    const page = converted.pages[index];
    if (page === undefined) throw new RangeError('the page counts were compared before');
    const { bytes } = pageContent(converted.document.context, page);
    const resources = copier.copy(pageAttribute(page, 'Resources'));
    return {
      content: Buffer.concat([Buffer.from(`q ${matrix} cm\n`), bytes, Buffer.from('\nQ')]),
      resources: resources instanceof PDFDict || resources instanceof PDFRef ? resources : undefined,
      group: copier.copy(entry(page.dict, 'Group')),
    };
  };
  for (const [i, page] of pages.entries()) {
    const { matrix } = uprightPage(context, page, 'MediaBox');
    const { content, resources, group } = contentAt(i, matrixText(invert(matrix) ?? matrix));
    setEntry(page.dict, 'Contents', packedStream(context, dictOf(context, {}), content));
    setEntry(page.dict, 'Resources', resources ?? dictOf(context, {}));
    setEntry(page.dict, 'Group', group);
    setEntry(page.dict, 'Thumb', undefined);
  }
  for (const [
    i,
    {
      ref,
      stream,
      box: [left, bottom],
    },
  ] of appearances.entries()) {
    const { content, resources, group } = contentAt(pages.length + i, `1 0 0 1 ${left} ${bottom}`);
    const dict = PDFDict.fromMapWithContext(new Map(stream.dict.entries()), context);
    setEntry(dict, 'Resources', resources ?? dictOf(context, {}));
    setEntry(dict, 'Group', group);
    const written = resolve(context, packedStream(context, dict, content));
    if (written instanceof PDFRawStream) context.assign(ref, written);
  }
  copier.drain();
  dropTags(
    context,
    pages.map(({ dict }) => dict),
  );
  dropColourFacts(context, opened);
}

/** Removes entries about the old colours, and about layers unless annotations use them. */
function dropColourFacts(context: PDFContext, { pages }: OpenedPdf): void {
  const catalog = catalogOf(context);
  if (catalog === undefined) return;
  setEntry(catalog, 'OutputIntents', undefined);
  const layered = pages.some(({ dict }) =>
    readAnnotations(context, dict).some(({ dict: annotation }) => entry(annotation, 'OC') !== undefined),
  );
  if (!layered) setEntry(catalog, 'OCProperties', undefined);
  withdrawClaims(context, ['PDF/A', 'PDF/X', 'PDF/E', 'PDF/VT', 'PDF/UA', 'WTPDF']);
}

/** Every visible appearance of the document's annotations, in an order that depends only on the document. */
function appearancesOf({ document: { context }, pages }: OpenedPdf): BoxedAppearance[] {
  const editor = new AppearanceEditor(context, new ContentReader(context));
  return pages.flatMap(({ dict }) =>
    readAnnotations(context, dict).flatMap(({ dict: annotation }) =>
      [...editor.streams(annotation)].flatMap((appearance) => {
        const box = boxOf(context, entry(appearance.stream.dict, 'BBox'));
        const seen = box !== undefined && box[2] - box[0] >= MIN_SIDE && box[3] - box[1] >= MIN_SIDE;
        return seen ? [{ ...appearance, box }] : [];
      }),
    ),
  );
}

function matrixText(matrix: readonly number[]): string {
  return matrix.map((value) => String(Math.round(value * 1e6) / 1e6)).join(' ');
}
