import { type PdfiumDocument, withMemory } from '@quire/document/engines/pdfium';
import type { PagePart, PixelSize } from '@quire/document/engines/rendering';
import { emptyMask, type Mask } from './bit-mask.js';
import { type CodeBearer, type DrawnObject, MIN_SEGMENTS } from './code-bearing-pages.js';
import { markRegions } from './mark-regions.js';

/** Points per cell of the map of a page, at least. */
const CELL = 4;
const MAX_CELLS = 500;
/** Cells between parts of one code: half as many as there may be. */
const GAP = 2;
/** Points around a code: its quiet zone. */
const MARGIN = 12;
/** A rectangle or line longer than this, in points, is not part of a code that is too small for the first look. */
const MAX_MODULE = 30;
/** Segments of a rectangle. */
const PLAIN = 5;
/** Above this share of the page, or number of places, drawing them one by one gains nothing. */
const [MOST_SHARE, MOST_PLACES] = [0.7, 8];

/**
 * Finds the parts of a page, in pixels of its size, where a small QR code may be drawn: something with many
 * short lines, text if its glyphs may be a code, and images and annotations if `pictures`. Lines of tables and the like
 * are left out.
 */
export function codePlaces(
  document: PdfiumDocument,
  index: number,
  size: PixelSize,
  { objects, glyphs }: CodeBearer,
  pictures: boolean,
): PagePart[] {
  const whole = { left: 0, top: 0, ...size };
  if (objects === undefined) return [whole];
  const page = document.pageGeometry(index);
  const cell = Math.max(CELL, Math.max(page.width, page.height) / MAX_CELLS);
  const drawn = boxesOf(document, index, objects, cell)
    .map((box, i) => ({ ...box, weight: weightOf(objects[i]!, glyphs, pictures) }))
    .filter(({ weight }) => weight > 0);
  const map = emptyMask(Math.max(1, Math.ceil(page.width / cell)), Math.max(1, Math.ceil(page.height / cell)));
  for (const box of drawn) mark(map, box);
  const scale = size.width / page.width;
  const places = markRegions(map, GAP)
    .filter((region) => weightIn(region, drawn) >= MIN_SEGMENTS)
    .map(({ left, top, right, bottom }) => ({
      left: Math.max(0, Math.floor((left * cell - MARGIN) * scale)),
      top: Math.max(0, Math.floor((top * cell - MARGIN) * scale)),
      right: Math.min(size.width, Math.ceil((right * cell + MARGIN) * scale)),
      bottom: Math.min(size.height, Math.ceil((bottom * cell + MARGIN) * scale)),
    }))
    .filter(({ left, top, right, bottom }) => right > left && bottom > top)
    .map(({ left, top, right, bottom }) => ({ left, top, width: right - left, height: bottom - top }));
  const area = places.reduce((sum, { width, height }) => sum + width * height, 0);
  return places.length > MOST_PLACES || area > MOST_SHARE * size.width * size.height ? [whole] : places;
}

/** How much of a code it may be, in segments. */
function weightOf(object: DrawnObject, glyphs: boolean, pictures: boolean): number {
  if ((pictures && object.others > 0) || (glyphs && object.texts > 0)) return MIN_SEGMENTS;
  const { segments, left, bottom, right, top } = object;
  const isShort = right - left <= MAX_MODULE && top - bottom <= MAX_MODULE;
  return object.isForm || isShort || segments > PLAIN ? segments : 0;
}

/** In cells of the page as displayed; right and bottom are just outside. */
interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

function boxesOf(document: PdfiumDocument, index: number, objects: readonly DrawnObject[], cell: number): Box[] {
  const { pdfium } = document;
  const { width, height } = document.pageGeometry(index);
  const [across, down] = [Math.ceil(width / cell), Math.ceil(height / cell)];
  return document.withPage(index, (page) =>
    withMemory(pdfium, 8, (at) => {
      const shown = (x: number, y: number): readonly [number, number] => {
        pdfium.FPDF_PageToDevice(page, 0, 0, Math.round(width), Math.round(height), 0, x, y, at, at + 4);
        const [right = 0, below = 0] = new Int32Array(pdfium.pdfium.HEAPU8.slice(at, at + 8).buffer);
        return [right / cell, below / cell];
      };
      return objects.map(({ left, bottom, right, top }) => {
        if (![left, bottom, right, top].every((side) => Math.abs(side) < 1e6))
          return { left: 0, top: 0, right: across, bottom: down };
        const [a, b] = [shown(left, bottom), shown(right, top)];
        const clipped = (value: number, most: number): number => Math.min(most, Math.max(0, value));
        return {
          left: clipped(Math.floor(Math.min(a[0], b[0])), across),
          top: clipped(Math.floor(Math.min(a[1], b[1])), down),
          right: clipped(Math.floor(Math.max(a[0], b[0])) + 1, across),
          bottom: clipped(Math.floor(Math.max(a[1], b[1])) + 1, down),
        };
      });
    }),
  );
}

function mark({ stride, data }: Mask, { left, top, right, bottom }: Box): void {
  for (let word = left >>> 5; word * 32 < right; word++) {
    const from = Math.max(left - word * 32, 0);
    const bits = Math.min(right - word * 32, 32) - from;
    const marks = (bits === 32 ? ~0 : (1 << bits) - 1) << from;
    for (let y = top; y < bottom; y++) data[y * stride + word]! |= marks;
  }
}

function weightIn(region: Box, drawn: readonly (Box & { readonly weight: number })[]): number {
  let sum = 0;
  for (const { left, top, right, bottom, weight } of drawn)
    if (left >= region.left && right <= region.right && top >= region.top && bottom <= region.bottom) sum += weight;
  return sum;
}
