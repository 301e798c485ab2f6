import {
  AnnotationMover,
  applyToPoint,
  type Box,
  boxNumbers,
  type ContentMove,
  moveBeads,
  movedViewports,
  moveDestinations,
  moveStructure,
  multiply,
  type NewPlace,
  overlap,
  ownerOf,
  PageForms,
  type Point,
  translation,
  type UprightPage,
  uprightPage,
} from '@quire/document/structure/geometry';
import { matrixOperands } from '@quire/document/content/drawing';
import { arrayOf, catalogOf, dictOf, entry, setEntry } from '@quire/document/file/objects';
import type { OpenedPdf } from '@quire/document/file/open';
import { boxOf, type PageEntry, writePageTree } from '@quire/document/structure/pages';
import { type Annotation, readAnnotations } from '@quire/document/structure/annotations';
import { readPageLabels, writePageLabels } from '@quire/document/structure/pages';
import { type PDFContext, PDFDict, PDFName, type PDFObject, type PDFRef } from 'pdf-lib';
import { type Grid, sectionAt, sectionBoxes } from './section-grid.js';

/** A page of the result. */
export interface Section {
  /** 0-based index of the page that it is cut from. */
  readonly page: number;
  /** 1-based number of the section on that page. */
  readonly section: number;
  readonly ref: PDFRef;
}

/** The sections of one page. */
interface CutPage {
  readonly page: PageEntry;
  readonly seen: UprightPage;
  readonly places: readonly NewPlace[];
  readonly form: PDFRef;
}

/** Page entries that also apply to each of its sections (ISO 32000-1, table 30). */
const SHARED_KEYS = ['Group', 'Tabs', 'Trans', 'Dur'] as const;

/**
 * Cuts pages into sections, in place: each page is replaced by pages that show one form with its content, upright,
 * clipped and at the origin. Annotations and form fields go to the section that contains their centre, replies stay
 * with their comment; destinations lead to the section that shows their point, and every section has the label of its
 * page. Returns the new pages of the document.
 */
export function cutPages(
  { document: { context }, pages }: OpenedPdf,
  chosen: ReadonlySet<number>,
  grid: Grid,
): Section[] {
  const forms = new PageForms(context);
  const cuts = new Map<PDFRef, CutPage>();
  pages.forEach((page, index) => {
    if (chosen.has(index)) cuts.set(page.ref, planCut(context, page, grid, forms));
  });
  const place = ({ seen, places }: CutPage, at: Point): NewPlace | undefined =>
    places[sectionAt(seen.width, seen.height, grid, applyToPoint(seen.matrix, at))];
  moveDestinations(context, pages, (ref, at) => {
    const cut = cuts.get(ref);
    return cut === undefined ? undefined : at === undefined ? cut.places[0] : place(cut, at);
  });
  const mover = new AnnotationMover(context);
  const sections: Section[] = [];
  const moves = new Map<PDFRef, ContentMove>();
  pages.forEach((page, index) => {
    const cut = cuts.get(page.ref);
    if (cut === undefined) return void sections.push({ page: index, section: 1, ref: page.ref });
    const [first] = cut.places;
    if (first !== undefined) moves.set(page.ref, { page: first.page, form: cut.form, matrix: first.matrix });
    const annotations = shareOut(context, cut, mover, (at) => place(cut, at));
    const beads = moveBeads(context, page.dict, (box) => place(cut, middle(box)));
    const viewports = entry(page.dict, 'VP');
    const shared = new Map(SHARED_KEYS.map((key) => [key, entry(page.dict, key)]));
    cut.places.forEach((one, i) => {
      const dict = i === 0 ? page.dict : dictOf(context, { Type: PDFName.of('Page') });
      for (const [key, value] of shared) setEntry(dict, key, value);
      showSection(context, dict, cut.form, one);
      const own = annotations.get(one.page) ?? [];
      setEntry(dict, 'Annots', own.length > 0 ? arrayOf(context, own) : undefined);
      const ownBeads = beads.flatMap(({ bead, page: ref }) => (ref === one.page ? [bead] : []));
      setEntry(dict, 'B', ownBeads.length > 0 ? arrayOf(context, ownBeads) : undefined);
      setViewports(context, dict, viewports, one);
      if (i > 0) context.assign(one.page, dict);
      sections.push({ page: index, section: i + 1, ref: one.page });
    });
  });
  moveStructure(context, moves);
  hangIn(context, sections, pages.length);
  return sections;
}

/** The first section reuses the page object, so that other references to the page lead to its upper left part. */
function planCut(context: PDFContext, page: PageEntry, grid: Grid, forms: PageForms): CutPage {
  const seen = uprightPage(context, page);
  const places = sectionBoxes(seen.width, seen.height, grid).map(([left, bottom, right, top], i): NewPlace => ({
    page: i === 0 ? page.ref : context.nextRef(),
    matrix: multiply(seen.matrix, translation(-left, -bottom)),
    view: [0, 0, right - left, top - bottom],
  }));
  return { page, seen, places, form: forms.of(page, seen.box) };
}

/** Moves a page's annotations to their sections, and returns those of each section in order. */
function shareOut(
  context: PDFContext,
  { page }: CutPage,
  mover: AnnotationMover,
  placeOf: (at: Point) => NewPlace | undefined,
): Map<PDFRef, PDFObject[]> {
  const annotations = readAnnotations(context, page.dict);
  const byDict = new Map(annotations.map((annotation) => [annotation.dict, annotation]));
  const places = new Map(
    annotations.map((annotation) => [
      annotation,
      placeOf(middle(boxOf(context, entry(leader(context, annotation, byDict).dict, 'Rect')) ?? [0, 0, 0, 0])),
    ]),
  );
  const shared = new Map<PDFRef, PDFObject[]>();
  for (const [annotation, one] of places) {
    if (one === undefined) continue;
    mover.move(annotation, one.matrix, one.page);
    const known = shared.get(one.page);
    if (known === undefined) shared.set(one.page, [annotation.value]);
    else known.push(annotation.value);
  }
  return shared;
}

/** The annotation that starts a thread: pop-ups and replies stay with it. */
function leader(context: PDFContext, annotation: Annotation, byDict: ReadonlyMap<PDFDict, Annotation>): Annotation {
  const seen = new Set<Annotation>();
  let at = annotation;
  for (let next: Annotation | undefined = at; next !== undefined && !seen.has(next);) {
    at = next;
    seen.add(at);
    const owner = ownerOf(context, at);
    next = owner === undefined ? undefined : byDict.get(owner);
  }
  return at;
}

function showSection(
  context: PDFContext,
  dict: PDFDict,
  form: PDFRef,
  { matrix, view = [0, 0, 0, 0] }: NewPlace,
): void {
  const [, , width, height] = boxNumbers(context, view).asArray().map(String);
  setEntry(dict, 'MediaBox', boxNumbers(context, view));
  setEntry(dict, 'Resources', dictOf(context, { XObject: dictOf(context, { Page: form }) }));
  setEntry(
    dict,
    'Contents',
    context.register(context.stream(`q 0 0 ${width} ${height} re W n ${matrixOperands(matrix)} cm /Page Do Q`)),
  );
  // Entries that have moved to the form, or that describe the whole page.
  for (const key of [
    'CropBox',
    'BleedBox',
    'TrimBox',
    'ArtBox',
    'Rotate',
    'UserUnit',
    'Thumb',
    'StructParents',
    'PieceInfo',
    'SeparationInfo',
  ])
    setEntry(dict, key, undefined);
}

/** Keeps the viewports (scales of drawings and maps) that are in the section. */
function setViewports(
  context: PDFContext,
  dict: PDFDict,
  value: PDFObject | undefined,
  { matrix, view = [0, 0, 0, 0] }: NewPlace,
): void {
  const here = movedViewports(context, value, matrix).filter((one) => {
    const box = one instanceof PDFDict ? boxOf(context, entry(one, 'BBox')) : undefined;
    return box !== undefined && overlap(box, view) !== undefined;
  });
  setEntry(dict, 'VP', here.length > 0 ? arrayOf(context, here) : undefined);
}

function hangIn(context: PDFContext, sections: readonly Section[], pageCount: number): void {
  const catalog = catalogOf(context);
  if (catalog === undefined) return;
  const labels = readPageLabels(context, pageCount);
  if (labels !== undefined)
    setEntry(
      catalog,
      'PageLabels',
      writePageLabels(
        context,
        sections.flatMap(({ page }) => labels[page] ?? []),
      ),
    );
  setEntry(
    catalog,
    'Pages',
    writePageTree(
      context,
      sections.map(({ ref }) => ref),
    ),
  );
}

function middle([left, bottom, right, top]: Box): Point {
  return [(left + right) / 2, (bottom + top) / 2];
}
