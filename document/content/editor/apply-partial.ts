import type { PDFDocument } from 'pdf-lib';
import { ContentEditor, ContentReader } from '../index.js';
import { PageContent } from '../drawing/index.js';
import type { OpenedPdf } from '../../file/open/index.js';
import { readNamedDestinations } from '../../structure/names/index.js';
import { type BuildOptions, finishPages } from './build-document.js';
import { DocumentFonts } from './changes/document-fonts.js';
import { type AnnotationEditing, editAnnotations } from './changes/edit-annotations.js';
import { editFields } from './changes/edit-fields.js';
import { editMetadata } from './changes/edit-metadata.js';
import { editPage, type PageEditing } from './changes/edit-page.js';
import { FontIds } from './font-ids.js';
import { pageSpace } from './page-space.js';
import { RawReader } from './raw-reader.js';
import { AnnotationTeller } from './reading/read-annotations.js';
import { tellMetadata } from './reading/read-metadata.js';
import type { JsonDocument } from './read-json.js';
import { PageReader } from './reading/read-page.js';

/**
 * Applies a JSON document with some pages to an opened document (`docs/interface/convert.yml`, partial). Pages without
 * a number or beyond the document are skipped; of two with one number the last counts. False if there was nothing to
 * do. Throws the codes of `buildDocument`.
 */
export async function applyPartial(
  { document, pages }: Pick<OpenedPdf, 'pages'> & { readonly document: PDFDocument },
  json: JsonDocument,
  { signal, onPage, ownFont }: BuildOptions = {},
): Promise<boolean> {
  const places = new Map<number, number>();
  for (let index = 0; index < json.pageCount; index++) {
    const { pageNumber } = json.page(index);
    if (pageNumber !== undefined && pages[pageNumber - 1] !== undefined) places.set(pageNumber - 1, index);
  }
  if (places.size === 0 && json.formFields.length === 0) return false;
  const { context } = document;
  const raw = new RawReader(context, json.shared);
  const reader = new ContentReader(context);
  const ids = new FontIds(context);
  const editor = new ContentEditor(reader, { prune: true });
  const fonts = new DocumentFonts(document, reader, ids, json.fonts, raw, pages, ownFont);
  const editing: PageEditing = {
    context,
    reader: new PageReader(reader, ids),
    editor,
    content: new PageContent(context),
    fonts,
  };
  const refs = pages.map(({ ref }) => ref);
  const annotations: AnnotationEditing = {
    context,
    raw,
    pages: refs,
    teller: new AnnotationTeller(context, readNamedDestinations(context), refs),
  };
  let done = 0;
  for (const [place, index] of places) {
    signal?.throwIfAborted();
    const [page, told] = [pages[place]!, json.page(index)];
    await editPage(editing, page, told, `/pages/${index}`);
    editAnnotations(annotations, page, told.annotations, pageSpace(context, page), false);
    onPage?.(++done, places.size);
  }
  raw.finish();
  finishPages(document, editor, pages);
  await editFields(document, pages, json.formFields);
  fonts.embed();
  if (json.metadata !== undefined) editMetadata(context, tellMetadata(context, pages.length), json.metadata);
  return true;
}
