import { type PDFContext, PDFName, PDFNumber, PDFRawStream, type PDFDict, type PDFObject, type PDFRef } from 'pdf-lib';
import { decimal, matrixOperands } from '../../content/drawing/index.js';
import {
  boxNumbers,
  type ContentMove,
  type Matrix,
  moveBeads,
  moveDestinations,
  movedViewports,
  moveStructure,
  multiply,
  PageForms,
  scaling,
} from '../geometry/index.js';
import { arrayOf, asDict, asName, catalogOf, dictOf, entry, setEntry } from '../../file/objects/index.js';
import type { OpenedPdf } from '../../file/open/index.js';
import { deflate } from '../../file/zlib/index.js';
import { type PageEntry, pageBox, writePageTree } from '../pages/index.js';
import { updateCatalog } from './update-catalog.js';
import { createLayers } from './create-layers.js';
import { listIn, placeAnnotations, type PlacedAnnotations } from './place-annotations.js';
import { newPlace, PlacedPages } from './placed-pages.js';
import { type Sheet, unitOf } from './sheets.js';

export interface ImposeOptions {
  /**
   * Called regularly with the numbers of finished and of all sheets; an error that it throws cancels the imposition.
   */
  readonly onSheets?: (done: number, total: number) => void | Promise<void>;
}

/** Number of sheets between two calls of `onSheets`. */
const STRIDE = 64;

/**
 * Places the pages of a document on sheets, in place, and replaces its page tree by one of these sheets. Each page
 * becomes one form XObject that is placed as often as the sheets require, so no content is duplicated. Annotations,
 * fields, bookmarks, named destinations, links, articles and tags follow their pages; attachments, layers, viewer
 * preferences and metadata stay. The document must be rewritten afterwards, so that the old pages are not kept in the
 * file. Throws the errors of the inflation limits, and RangeError for a page that is on no sheet.
 */
export async function imposeSheets(
  { document, pages }: OpenedPdf,
  sheets: readonly Sheet[],
  options: ImposeOptions = {},
): Promise<void> {
  const { context } = document;
  const catalog = catalogOf(context);
  const refs = sheets.map(() => context.nextRef());
  const placed = new PlacedPages(context, pages, sheets, refs);
  const indexes = new Map(pages.map(({ ref }, index) => [ref, index]));
  moveDestinations(context, pages, (page, at) => {
    const index = indexes.get(page);
    return index === undefined ? undefined : newPlace(placed.at(index, at));
  });
  const layers = createLayers(context, sheets);
  const annotations = placeAnnotations(context, pages, placed, layers);
  const beads = placeBeads(context, pages, placed);
  const forms = new PageForms(context);
  const formOf = (page: PageEntry): PDFRef => forms.of(page, pageBox(context, page));
  for (const [i, sheet] of sheets.entries()) {
    const ref = refs[i];
    if (ref === undefined) continue;
    context.assign(
      ref,
      sheetPage(
        context,
        sheet,
        { pages, formOf, layers, shown: annotations.shown },
        { Annots: listOf(context, annotations.lists.get(ref)), B: listOf(context, beads.get(ref)) },
      ),
    );
    if (i % STRIDE === STRIDE - 1) await options.onSheets?.(i + 1, sheets.length);
  }
  const moves = new Map<PDFRef, ContentMove>();
  for (const [index, page] of pages.entries()) {
    const { sheet, matrix } = placed.first(index);
    moves.set(page.ref, { page: sheet, form: formOf(page), matrix });
  }
  moveStructure(context, moves);
  if (catalog !== undefined) setEntry(catalog, 'Pages', writePageTree(context, refs));
  // Remaining references to a page (from scripts, private data) then lead to its sheet, and do not keep the old page in
  // the file.
  for (const [page, { page: sheet }] of moves) context.assign(page, sheet);
  updateCatalog(context, { eachOnce: placed.eachOnce, layered: layers.size > 0 });
}

/** The data that all sheets are built from. */
interface Material {
  readonly pages: readonly PageEntry[];
  readonly formOf: (page: PageEntry) => PDFRef;
  readonly layers: ReadonlyMap<string, PDFRef>;
  readonly shown: PlacedAnnotations['shown'];
}

function sheetPage(
  context: PDFContext,
  { size: [width, height], placements, decoration }: Sheet,
  material: Material,
  lists: Readonly<Record<string, PDFObject | undefined>>,
): PDFDict {
  const [objects, properties] = [dictOf(context, {}), dictOf(context, {})];
  const painted = (name: string, matrix: Matrix, form: PDFRef, layer: PDFObject | undefined): string => {
    setEntry(objects, name, form);
    setEntry(properties, name, layer);
    const operators = `q ${matrixOperands(matrix)} cm /${name} Do Q`;
    return layer === undefined ? operators : `/OC /${name} BDC\n${operators}\nEMC`;
  };
  const unit = unitOf([width, height]);
  const sources: PDFDict[] = [];
  const viewports: PDFObject[] = [];
  const content = placements.flatMap((placement, i) => {
    const page = material.pages[placement.page];
    if (page === undefined) return [];
    sources.push(page.dict);
    const { matrix, clip, layer } = placement;
    viewports.push(...movedViewports(context, entry(page.dict, 'VP'), multiply(matrix, scaling(1 / unit))));
    const parts = [painted(`P${i}`, matrix, material.formOf(page), material.layers.get(layer ?? ''))];
    const shown = (material.shown.get(placement) ?? []).map(({ annotation, form, matrix: own }, k) =>
      painted(`P${i}A${k}`, multiply(own, matrix), form, entry(annotation, 'OC')),
    );
    if (shown.length > 0) parts.push(asArtifact(shown));
    if (clip === undefined) return parts;
    return [
      `q ${[clip[0], clip[1], clip[2] - clip[0], clip[3] - clip[1]].map(decimal).join(' ')} re W n`,
      ...parts,
      'Q',
    ];
  });
  if (unit > 1) content.unshift(`${matrixOperands(scaling(1 / unit))} cm`);
  if (decoration !== undefined && decoration !== '') content.push(asArtifact([`q\n${decoration}\nQ`]));
  return dictOf(context, {
    Type: PDFName.of('Page'),
    MediaBox: boxNumbers(context, [0, 0, width / unit, height / unit]),
    UserUnit: unit === 1 ? undefined : PDFNumber.of(unit),
    Resources: dictOf(context, {
      XObject: objects,
      Properties: properties.keys().length === 0 ? undefined : properties,
    }),
    Contents: context.register(contentStream(context, content.join('\n'))),
    Group: blending(context, sources),
    VP: viewports.length > 0 ? arrayOf(context, viewports) : undefined,
    Tabs: sources.some((source) => asName(context, entry(source, 'Tabs')) === 'S') ? PDFName.of('S') : undefined,
    ...lists,
  });
}

/** Marks content that does not belong to the document's text (ISO 32000-1, 14.8.2.2). */
function asArtifact(content: readonly string[]): string {
  return ['/Artifact BMC', ...content, 'EMC'].join('\n');
}

/** Sheets with one or two pages have so little content that compression would enlarge it. */
function contentStream(context: PDFContext, content: string): PDFRawStream {
  const bytes = Buffer.from(`${content}\n`, 'latin1');
  if (bytes.length < 200) return PDFRawStream.of(dictOf(context, {}), bytes);
  return PDFRawStream.of(dictOf(context, { Filter: PDFName.of('FlateDecode') }), deflate(bytes));
}

/** Transparency is blended in the colour space of the first page's group (ISO 32000-1, 11.4.7). */
function blending(context: PDFContext, pages: readonly PDFDict[]): PDFDict | undefined {
  for (const page of pages) {
    const group = asDict(context, entry(page, 'Group'));
    const space = group === undefined ? undefined : entry(group, 'CS');
    if (space !== undefined)
      return dictOf(context, { Type: PDFName.of('Group'), S: PDFName.of('Transparency'), CS: space });
  }
  return undefined;
}

function placeBeads(context: PDFContext, pages: readonly PageEntry[], placed: PlacedPages): Map<PDFRef, PDFObject[]> {
  const lists = new Map<PDFRef, PDFObject[]>();
  for (const [index, { dict }] of pages.entries()) {
    for (const { bead, page } of moveBeads(context, dict, (box) => {
      const { sheet, matrix } = placed.of(index, box);
      return { page: sheet, matrix };
    }))
      listIn(lists, page).push(bead);
  }
  return lists;
}

function listOf(context: PDFContext, values: readonly PDFObject[] | undefined): PDFObject | undefined {
  return values === undefined ? undefined : arrayOf(context, values);
}
