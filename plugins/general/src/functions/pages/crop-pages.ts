import { PageContent } from '@quire/document/content/drawing';
import { type Box, boxNumbers, overlap, uprightPage } from '@quire/document/structure/geometry';
import { entry, setEntry } from '@quire/document/file/objects';
import type { OpenedPdf } from '@quire/document/file/open';
import { boxOf, type PageEntry, pageBox, userUnit } from '@quire/document/structure/pages';
import { InputError } from '@quire/registry/errors';
import type { PDFContext, PDFDict } from 'pdf-lib';
import { type InkShare, shareInUserSpace } from './measure-ink.js';
import { removeOutside, type RemoveOptions } from './remove-outside.js';

/** A rectangle in points, from the origin of each page's coordinates, which is usually its lower left corner. */
export interface CropRectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The same rectangle for every page, or the visible content of each page, by page index. */
export type CropTo = CropRectangle | readonly (InkShare | undefined)[];

const BOXES = ['BleedBox', 'TrimBox', 'ArtBox'] as const;

/**
 * Crops every page, in place: its media and crop box become the rectangle, in the page's own coordinates, or the area
 * of its visible content; a blank page keeps its visible area. Content that a crop box hid before stays hidden. With
 * `remove`, content outside is removed (`removeOutside`), and the document must be rewritten. Throws INPUT_INVALID for
 * a rectangle outside every page, and the errors of `removeOutside`.
 */
export async function cropPages(
  opened: OpenedPdf,
  to: CropTo,
  remove: boolean,
  options: RemoveOptions = {},
): Promise<void> {
  const {
    document: { context },
    pages,
  } = opened;
  const boxes = new Map<PDFDict, Box>();
  pages.forEach((page, i) => boxes.set(page.dict, targetBox(context, page, to, i)));
  const areas = new Map<PDFDict, Box>();
  for (const page of pages) {
    const shared = overlap(pageBox(context, page), boxes.get(page.dict) ?? [0, 0, 0, 0]);
    if (shared !== undefined) areas.set(page.dict, shared);
  }
  if (areas.size === 0 && 'width' in to) throw offEveryPage(to);
  if (remove) await removeOutside(opened, areas, options);
  const content = new PageContent(context);
  for (const page of pages) {
    const box = boxes.get(page.dict);
    if (box === undefined) continue;
    const area = areas.get(page.dict) ?? [box[0], box[1], box[0], box[1]];
    // The rectangle extends beyond the previously visible area: content that was hidden there must stay hidden.
    if (!isSame(area, box))
      content.surround(page, { state: `${area[0]} ${area[1]} ${area[2] - area[0]} ${area[3] - area[1]} re W n` });
    setBoxes(context, page, box, remove);
  }
}

function targetBox(context: PDFContext, page: PageEntry, to: CropTo, index: number): Box {
  if (!('width' in to)) {
    const share = to[index];
    return share === undefined ? pageBox(context, page) : shareInUserSpace(share, uprightPage(context, page));
  }
  const { x, y, width, height } = to;
  const unit = userUnit(context, page);
  return [x / unit, y / unit, (x + width) / unit, (y + height) / unit];
}

function setBoxes(context: PDFContext, { dict }: PageEntry, box: Box, remove: boolean): void {
  for (const key of BOXES) {
    const own = boxOf(context, entry(dict, key));
    const cut = own === undefined ? undefined : overlap(own, box);
    setEntry(dict, key, cut === undefined ? undefined : boxNumbers(context, cut));
  }
  setEntry(dict, 'MediaBox', boxNumbers(context, box));
  setEntry(dict, 'CropBox', undefined);
  // A thumbnail shows the uncropped page; private data of authoring programs often contain all of it.
  setEntry(dict, 'Thumb', undefined);
  if (remove) setEntry(dict, 'PieceInfo', undefined);
}

function isSame(a: Box, b: Box): boolean {
  return a.every((value, i) => Math.abs(value - (b[i] ?? Infinity)) < 1e-6);
}

function offEveryPage({ x, y, width, height }: CropRectangle): InputError {
  const detail = `the rectangle from ${x}, ${y} to ${x + width}, ${y + height} is outside every page`;
  return new InputError(
    'INPUT_INVALID',
    { detail },
    ['x', 'y', 'width', 'height'].map((field) => ({ pointer: `/${field}`, detail })),
  );
}
