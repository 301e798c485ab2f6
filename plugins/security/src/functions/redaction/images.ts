import type { PDFDict } from 'pdf-lib';
import { boxAround, ContentReader, intersect, type Quad, readPageText } from '@quire/document/content';
import type { Colour } from '@quire/document/content/drawing';
import { linesAround, PageGlyphs } from '@quire/document/redaction/search';
import type { OpenedPdf } from '@quire/document/file/open';
import { type PageEntry, pageBox } from '@quire/document/structure/pages';
import { fieldFault, listIn, numberOf, parseList } from './areas.js';
import { boxOfLine, quadOfBox, type RedactionBox } from './boxes.js';
import type { PlannedArea } from './plan.js';

/** A box of the field `imageBoxes`, in default user space of a page; the page index counts from 0. */
export interface ImageBox {
  readonly pageIndex: number;
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
}

/**
 * Parses the field `imageBoxes` (`docs/interface/security.yml`, redact-execute). Throws INPUT_INVALID naming the
 * invalid item.
 */
export function readImageBoxes(text: string): ImageBox[] {
  const list = parseList(text, '{"pageIndex", "x1", "y1", "x2", "y2"}');
  if (typeof list === 'string') throw fieldFault('imageBoxes', list);
  return list.map((one, i) => {
    if (typeof one !== 'object' || one === null || Array.isArray(one))
      throw fieldFault('imageBoxes', `/${i} must be an object`);
    const [pageIndex, x1, y1, x2, y2] = ['pageIndex', 'x1', 'y1', 'x2', 'y2'].map((key) => {
      const value = numberOf((one as Record<string, unknown>)[key]);
      if (value === null || value === undefined) throw fieldFault('imageBoxes', `/${i}/${key} must be a number`);
      return value;
    }) as [number, number, number, number, number];
    if (!Number.isInteger(pageIndex)) throw fieldFault('imageBoxes', `/${i}/pageIndex must be a whole number`);
    return { pageIndex, x1, y1, x2, y2 };
  });
}

/** Places the boxes on the pages of a document, limited to the crop box; skips those on missing pages. */
export function placeImageBoxes(
  { document: { context }, pages }: OpenedPdf,
  boxes: readonly ImageBox[],
  colour: Colour,
): Map<PDFDict, PlannedArea[]> {
  const placed = new Map<PDFDict, PlannedArea[]>();
  for (const { pageIndex, x1, y1, x2, y2 } of boxes) {
    const page = pages[pageIndex];
    if (page === undefined) continue;
    const box = intersect(pageBox(context, page), [
      Math.min(x1, x2),
      Math.min(y1, y2),
      Math.max(x1, x2),
      Math.max(y1, y2),
    ]);
    if (box[0] >= box[2] || box[1] >= box[3]) continue;
    listIn(placed, page.dict).push(areaOf(quadOfBox(box), colour));
  }
  return placed;
}

/** The images of pages as areas, including what is written over them. */
export function placeImages(
  opened: OpenedPdf,
  indexes: readonly number[],
  colour: Colour,
  signal: AbortSignal,
): Map<PDFDict, PlannedArea[]> {
  const reader = new ContentReader(opened.document.context);
  const placed = new Map<PDFDict, PlannedArea[]>();
  for (const index of indexes) {
    signal.throwIfAborted();
    const page = opened.pages[index];
    if (page !== undefined && !placed.has(page.dict))
      placed.set(
        page.dict,
        imagesOf(reader, page).map((quad) => areaOf(quad, colour)),
      );
  }
  return placed;
}

/**
 * Boxes in place of the lines and images of a page that will be emptied; undefined for an empty page, which is covered
 * completely.
 */
export function boxesOfContent(opened: OpenedPdf, index: number, colour: Colour): RedactionBox[] | undefined {
  const page = opened.pages[index];
  if (page === undefined) return undefined;
  const reader = new ContentReader(opened.document.context);
  const glyphs = new PageGlyphs(readPageText(reader, page).runs).all();
  const lines = linesAround(glyphs.filter(({ text }) => text.trim() !== '')).map((line) => boxOfLine(line, [], 0));
  const quads = [...imagesOf(reader, page), ...lines];
  return quads.length === 0 ? undefined : quads.map((quad) => ({ quad, colour }));
}

/** The images on a page, without those outside it. */
function imagesOf(reader: ContentReader, page: PageEntry): Quad[] {
  const crop = pageBox(reader.context, page);
  const quads: Quad[] = [];
  reader.page(page, { image: ({ quad }) => void quads.push(quad), inlineImage: ({ quad }) => void quads.push(quad) });
  return quads.filter((quad) => {
    const [left, bottom, right, top] = intersect(crop, boxAround(quad));
    return left < right && bottom < top;
  });
}

function areaOf(quad: Quad, colour: Colour): PlannedArea {
  return { quad, colour: [colour.red, colour.green, colour.blue], boxes: [{ quad, colour, upright: true }] };
}
