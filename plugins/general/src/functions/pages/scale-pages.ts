import {
  AnnotationMover,
  applyToBox,
  type Box,
  boxNumbers,
  ContentMover,
  type ContentMove,
  identity,
  type Matrix,
  moveBeads,
  movedViewports,
  moveDestinations,
  moveStructure,
  multiply,
  overlap,
  paperSizes,
  scaling,
  translation,
  type UprightPage,
  uprightPage,
} from '@quire/document/structure/geometry';
import { arrayOf, entry, setEntry } from '@quire/document/file/objects';
import type { OpenedPdf } from '@quire/document/file/open';
import { boxOf, pageBox, type PageEntry, pageRotation, userUnit } from '@quire/document/structure/pages';
import { readAnnotations } from '@quire/document/structure/annotations';
import type { PDFContext, PDFRef } from 'pdf-lib';

/**
 * Paper sizes by their interface names, upright, in points; KEEP is the size of the first page
 * (`docs/interface/general.yml`, scale-pages).
 */
export const PAGE_SIZES = {
  A0: paperSizes.A0,
  A1: paperSizes.A1,
  A2: paperSizes.A2,
  A3: paperSizes.A3,
  A4: paperSizes.A4,
  A5: paperSizes.A5,
  A6: paperSizes.A6,
  LETTER: paperSizes.Letter,
  LEGAL: paperSizes.Legal,
  KEEP: undefined,
} as const;

export interface ScaleOptions {
  readonly pageSize: keyof typeof PAGE_SIZES;
  /** Uses the paper in landscape; ignored for KEEP. */
  readonly landscape: boolean;
  /** At 1 each page fits the paper exactly; at 0 nothing is visible. */
  readonly factor: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/** At this scale nothing is visible or clickable, and the matrix can still be inverted. */
const INVISIBLE_SCALE = 1e-4;
/** Tolerance for boxes that were written with few digits. */
const TOLERANCE = 1e-3;
const BOXES = ['BleedBox', 'TrimBox', 'ArtBox'] as const;

/**
 * Scales every page to one paper size, in place: the visible part of the page, upright and in points, is scaled to fit
 * and centred. Pages keep their objects; content, annotations, form fields, destinations, articles and boxes of tags
 * move along. Content that a crop box hid stays hidden. A page that already has the size is not changed.
 */
export function scalePages(
  { document: { context }, pages }: OpenedPdf,
  { pageSize, landscape, factor, signal, onProgress }: ScaleOptions,
): void {
  const first = pages[0];
  if (first === undefined) return;
  const [short, long] = PAGE_SIZES[pageSize] ?? [0, 0];
  const kept = uprightPage(context, first);
  const paper: Box =
    pageSize === 'KEEP' ? [0, 0, kept.width, kept.height] : landscape ? [0, 0, long, short] : [0, 0, short, long];
  const moves = new Map<PDFRef, ContentMove & { readonly own: PageEntry; readonly seen: UprightPage }>();
  for (const page of pages) {
    const seen = uprightPage(context, page);
    const matrix = ontoPaper(seen, paper, factor);
    if (!moves.has(page.ref) && !fillsPaper(context, page, matrix, paper))
      moves.set(page.ref, { page: page.ref, matrix, own: page, seen });
  }
  moveDestinations(context, pages, (page) => moves.get(page));
  const content = new ContentMover(context);
  const annotations = new AnnotationMover(context);
  let done = 0;
  for (const { own: page, matrix, seen } of moves.values()) {
    signal?.throwIfAborted();
    for (const annotation of readAnnotations(context, page.dict)) annotations.move(annotation, matrix, page.ref);
    moveBeads(context, page.dict, () => ({ page: page.ref, matrix }));
    content.move(page, matrix, factor === 0 ? [seen.box[0], seen.box[1], seen.box[0], seen.box[1]] : seen.box);
    setPaper(context, page, matrix, paper);
    onProgress?.(++done, moves.size);
  }
  moveStructure(context, moves);
}

/** From the page's user space to the paper. */
function ontoPaper({ matrix, width, height }: UprightPage, [, , paperWidth, paperHeight]: Box, factor: number): Matrix {
  const scale = Math.min(paperWidth / width, paperHeight / height) * (factor === 0 ? INVISIBLE_SCALE : factor);
  const middle = translation((paperWidth - width * scale) / 2, (paperHeight - height * scale) / 2);
  return multiply(multiply(matrix, scaling(scale)), middle);
}

/** True if the page already fills its paper. */
function fillsPaper(context: PDFContext, page: PageEntry, matrix: Matrix, paper: Box): boolean {
  const media = pageBox(context, page, 'MediaBox');
  return (
    isClose(matrix, identity) &&
    isClose(media, paper) &&
    pageRotation(context, page) === 0 &&
    userUnit(context, page) === 1
  );
}

function isClose(a: readonly number[], b: readonly number[]): boolean {
  return a.every((value, i) => Math.abs(value - (b[i] ?? Infinity)) < TOLERANCE);
}

function setPaper(context: PDFContext, { dict }: PageEntry, matrix: Matrix, paper: Box): void {
  for (const key of BOXES) {
    const own = boxOf(context, entry(dict, key));
    const moved = own === undefined ? undefined : overlap(applyToBox(matrix, own), paper);
    setEntry(dict, key, moved === undefined ? undefined : boxNumbers(context, moved));
  }
  const viewports = movedViewports(context, entry(dict, 'VP'), matrix);
  if (viewports.length > 0) setEntry(dict, 'VP', arrayOf(context, viewports));
  setEntry(dict, 'MediaBox', boxNumbers(context, paper));
  // A thumbnail would show the old page.
  for (const key of ['CropBox', 'Rotate', 'UserUnit', 'Thumb']) setEntry(dict, key, undefined);
}
