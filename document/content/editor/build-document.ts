import { type PDFDict, PDFDocument, PDFName, PDFNull, PDFNumber, type PDFObject, type PDFRef } from 'pdf-lib';
import { besideContent, ContentEditor, ContentReader, dropUnusedXObjects } from '../index.js';
import { PageContent } from '../drawing/index.js';
import { arrayOf, asDict, catalogOf, dictOf, setEntry } from '../../file/objects/index.js';
import { normaliseAngle, type PageEntry, writePageTree } from '../../structure/pages/index.js';
import { readNamedDestinations } from '../../structure/names/index.js';
import { DocumentError } from '../../errors.js';
import { DocumentFonts } from './changes/document-fonts.js';
import { type AnnotationEditing, editAnnotations } from './changes/edit-annotations.js';
import { buildForm, editFields } from './changes/edit-fields.js';
import { editMetadata, setXmp } from './changes/edit-metadata.js';
import { editPage, type PageEditing } from './changes/edit-page.js';
import { FontIds } from './font-ids.js';
import type { JsonPage, RawObject } from './model.js';
import { pageSpace } from './page-space.js';
import { RawReader } from './raw-reader.js';
import { AnnotationTeller } from './reading/read-annotations.js';
import type { JsonDocument } from './read-json.js';
import { PageReader } from './reading/read-page.js';

/** US Letter, as the contract has it. */
const [WIDTH, HEIGHT] = [612, 792];
/** The largest number of a page. */
const MAX_NUMBER = 1_000_000;
/** Sides of a page (ISO 32000-1, annex C, times the largest unit that makes sense). */
const MAX_SIDE = 1_500_000;

/** How work on a JSON document is followed and stopped. */
export interface BuildOptions {
  readonly signal?: AbortSignal;
  readonly onPage?: (done: number, total: number) => void;
  /** Absolute path of a TrueType font that is used first for text that its own font cannot show. */
  readonly ownFont?: string | undefined;
}

/**
 * Creates a PDF from a JSON document (`docs/interface/convert.yml`, text-editor/pdf). Content streams in the JSON are
 * kept except for changed elements; a page without any is drawn from its elements. A document without pages gets an
 * empty one. Throws INPUT_INVALID, IMAGE_UNREADABLE, IMAGE_TOO_LARGE, INPUT_TOO_COMPLEX.
 */
export async function buildDocument(
  json: JsonDocument,
  { signal, onPage, ownFont }: BuildOptions = {},
): Promise<PDFDocument> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const { context } = document;
  const raw = new RawReader(context, json.shared);
  const reader = new ContentReader(context);
  const ids = new FontIds(context);
  const editor = new ContentEditor(reader, { prune: true });
  const count = Math.max(1, json.pageCount);
  const pages: PageEntry[] = [];
  const refs: PDFRef[] = [];
  const numbers: (number | undefined)[] = [];
  const fonts = new DocumentFonts(document, reader, ids, json.fonts, raw, pages, ownFont);
  const editing: PageEditing = {
    context,
    reader: new PageReader(reader, ids),
    editor,
    content: new PageContent(context),
    fonts,
  };
  const annotated: { readonly page: PageEntry; readonly index: number }[] = [];
  for (let index = 0; index < count; index++) {
    signal?.throwIfAborted();
    const told = index < json.pageCount ? json.page(index) : {};
    const page = makePage(raw, document, told, `/pages/${index}`);
    pages.push(page);
    refs.push(page.ref);
    numbers.push(told.pageNumber);
    raw.settle();
    await editPage(editing, page, told, `/pages/${index}`);
    if ((told.annotations ?? []).length > 0) annotated.push({ page, index });
    onPage?.(index + 1, count);
  }
  const catalog = catalogOf(context)!;
  setEntry(catalog, 'Pages', writePageTree(context, refs));
  const numbered = byNumber(refs, numbers);
  const annotations: AnnotationEditing = {
    context,
    raw,
    pages: numbered,
    teller: new AnnotationTeller(context, readNamedDestinations(context), numbered),
  };
  for (const { page, index } of annotated)
    editAnnotations(annotations, page, json.page(index).annotations, pageSpace(context, page), true);
  buildForm(context, raw, json.acroForm, json.formFields, pages);
  restoreCatalog(raw, catalog, json.documentCatalog);
  raw.finish();
  finishPages(document, editor, pages);
  await editFields(document, pages, json.formFields);
  fonts.embed();
  if (json.xmpMetadata !== undefined) setXmp(context, json.xmpMetadata);
  if (json.metadata !== undefined) editMetadata(context, {}, json.metadata);
  return document;
}

/**
 * Pages in the order of their numbers, which is how links name them; in their own order where the numbers are not
 * theirs alone.
 */
function byNumber(refs: readonly PDFRef[], numbers: readonly (number | undefined)[]): readonly PDFRef[] {
  const known = new Map(numbers.map((number, i) => [number, refs[i]!]));
  if (known.size !== refs.length || numbers.some((number) => number === undefined || number < 1 || number > MAX_NUMBER))
    return refs;
  const ordered: PDFRef[] = [];
  for (const [number, ref] of known) ordered[number! - 1] = ref;
  return ordered;
}

/** Restores catalog entries beside pages, form and metadata (ISO 32000-1, table 28). */
function restoreCatalog(raw: RawReader, catalog: PDFDict, told: RawObject | undefined): void {
  if (told?.entries === undefined) return;
  const entries = raw.dict(
    told.entries,
    new Set(['Type', 'Pages', 'AcroForm', 'Metadata', 'Perms', 'DSS', 'Legal', 'Extensions']),
  );
  for (const [key, value] of entries.entries()) catalog.set(key, value);
}

/** Removes resources that edited pages no longer draw. */
export function finishPages({ context }: PDFDocument, editor: ContentEditor, pages: readonly PageEntry[]): void {
  const beside = besideContent(context, pages);
  editor.finish(pages, () => beside);
  dropUnusedXObjects(context, pages, beside);
}

/** A page with its content as it was. */
function makePage(raw: RawReader, { context }: PDFDocument, told: JsonPage, pointer: string): PageEntry {
  const ref = (told.ref === undefined ? undefined : raw.placeOf(told.ref)) ?? context.nextRef();
  if (told.ref !== undefined) raw.place(told.ref, ref);
  const unit = told.userUnit !== undefined && told.userUnit > 0 ? told.userUnit : 1;
  const { media, crop } = boxesOf(told, unit, pointer);
  const box = (sides: readonly number[]): PDFObject =>
    arrayOf(
      context,
      sides.map((side) => PDFNumber.of(side)),
    );
  const streams = (told.contentStreams ?? []).map((stream) => context.register(raw.stream(stream)));
  const resources = told.resources === undefined ? undefined : raw.value(told.resources);
  const group = told.group === undefined ? undefined : raw.value(told.group);
  const rotation = told.rotation === undefined || told.rotation % 90 !== 0 ? 0 : normaliseAngle(told.rotation);
  const dict = dictOf(context, {
    Type: PDFName.of('Page'),
    MediaBox: box(media),
    ...(crop === undefined ? {} : { CropBox: box(crop) }),
    ...(rotation === 0 ? {} : { Rotate: PDFNumber.of(rotation) }),
    ...(unit === 1 ? {} : { UserUnit: PDFNumber.of(unit) }),
    ...(told.structParents === undefined ? {} : { StructParents: PDFNumber.of(told.structParents) }),
    Resources: asDict(context, resources) === undefined ? dictOf(context, {}) : resources,
    ...(group === undefined || group === PDFNull ? {} : { Group: group }),
    ...(streams.length === 0 ? {} : { Contents: arrayOf(context, streams) }),
  });
  context.assign(ref, dict);
  return { ref, dict, inherited: new Map() };
}

/** The boxes in user space. A page whose size was changed keeps its lower left corner. */
function boxesOf(
  { width, height, mediaBox, cropBox }: JsonPage,
  unit: number,
  pointer: string,
): { readonly media: readonly number[]; readonly crop?: readonly number[] } {
  for (const [name, side] of [
    ['width', width],
    ['height', height],
  ] as const) {
    if (side === undefined || (side > 0 && side <= MAX_SIDE)) continue;
    const detail = `is ${side}; it must be more than 0 and at most ${MAX_SIDE}`;
    throw new DocumentError('INPUT_INVALID', { detail: `${pointer}/${name} ${detail}` }, [
      { pointer: `${pointer}/${name}`, detail },
    ]);
  }
  const media = ordered(mediaBox);
  const shown = ordered(cropBox) ?? media;
  const [w, h] = [
    (width ?? (shown === undefined ? WIDTH : (shown[2] - shown[0]) * unit)) / unit,
    (height ?? (shown === undefined ? HEIGHT : (shown[3] - shown[1]) * unit)) / unit,
  ];
  if (media === undefined || shown === undefined) return { media: [0, 0, w, h] };
  if (Math.abs(shown[2] - shown[0] - w) > 0.01 || Math.abs(shown[3] - shown[1] - h) > 0.01)
    return { media: [shown[0], shown[1], shown[0] + w, shown[1] + h] };
  return shown.every((side, i) => side === media[i]) ? { media } : { media, crop: shown };
}

function ordered(box: readonly number[] | undefined): readonly [number, number, number, number] | undefined {
  if (box === undefined) return undefined;
  const [a = 0, b = 0, c = 0, d = 0] = box;
  const sides = [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)] as const;
  return sides[0] < sides[2] && sides[1] < sides[3] ? sides : undefined;
}
