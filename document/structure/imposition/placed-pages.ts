import type { PDFContext, PDFRef } from 'pdf-lib';
import {
  applyToBox,
  type Box,
  type Matrix,
  multiply,
  type NewPlace,
  overlap,
  type Point,
  scaling,
} from '../geometry/index.js';
import { type PageEntry, pageBox } from '../pages/index.js';
import { type Placement, type Sheet, unitOf } from './sheets.js';

/** One appearance of a page. */
export interface Appearance {
  readonly sheet: PDFRef;
  /** From the page's user space to the sheet's. */
  readonly matrix: Matrix;
  readonly part: Box;
  /** Where on the sheet it is seen; undefined where it is not. */
  readonly seen: Box | undefined;
  /** True when that is the whole sheet. */
  readonly fills: boolean;
  readonly placement: Placement;
}

/** Edges as near as this to a sheet's are its edges. */
const NEAR = 1;

/** Knows where each page of a document lies on the sheets, and which of its appearances a point or box belongs to. */
export class PlacedPages {
  readonly #appearances: readonly Appearance[][];

  /** Errors: RangeError for a page that lies nowhere; what is left out must be taken out before. */
  constructor(context: PDFContext, pages: readonly PageEntry[], sheets: readonly Sheet[], refs: readonly PDFRef[]) {
    const appearances: Appearance[][] = pages.map(() => []);
    const boxes = pages.map((page) => pageBox(context, page));
    for (const [i, sheet] of sheets.entries()) {
      const ref = refs[i];
      const unit = unitOf(sheet.size);
      const whole: Box = [0, 0, sheet.size[0] / unit, sheet.size[1] / unit];
      for (const placement of sheet.placements) {
        const box = boxes[placement.page];
        if (box === undefined || ref === undefined) continue;
        const matrix = multiply(placement.matrix, scaling(1 / unit));
        const seen = overlap(applyToBox(matrix, box), whole);
        const fills = seen?.every((edge, at) => Math.abs(edge - (whole[at] ?? 0)) < NEAR) ?? false;
        appearances[placement.page]?.push({ sheet: ref, matrix, part: placement.part ?? box, seen, fills, placement });
      }
    }
    if (appearances.some((list) => list.length === 0)) throw new RangeError('every page lies on a sheet');
    this.#appearances = appearances;
  }

  /** True when no page lies on two sheets or twice on one. */
  get eachOnce(): boolean {
    return this.#appearances.every((list) => list.length === 1);
  }

  /** All appearances of a page, in the order of the sheets. */
  all(page: number): readonly Appearance[] {
    return this.#appearances[page] ?? [];
  }

  /** The first appearance of a page. */
  first(page: number): Appearance {
    const [found] = this.all(page);
    if (found === undefined) throw new RangeError('no such page');
    return found;
  }

  /** The appearance to which a point of the page belongs; the first for a point that is seen on none. */
  at(page: number, point: Point | undefined): Appearance {
    const list = this.all(page);
    return (point === undefined ? undefined : list.find(({ part }) => holds(part, point))) ?? this.first(page);
  }

  /** The appearance to which a box of the page belongs: that of its middle, else the one which shows most of it. */
  of(page: number, box: Box): Appearance {
    const list = this.all(page);
    const middle: Point = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
    const shown = ({ part }: Appearance): number => area(overlap(part, box));
    return (
      list.find(({ part }) => holds(part, middle)) ??
      list.reduce((best, next) => (shown(next) > shown(best) ? next : best), this.first(page))
    );
  }
}

/** What destinations need of an appearance. */
export function newPlace({ sheet, matrix, seen, fills }: Appearance): NewPlace {
  return { page: sheet, matrix, ...(fills || seen === undefined ? {} : { view: seen }) };
}

function holds([left, bottom, right, top]: Box, [x, y]: Point): boolean {
  return x >= left && x <= right && y >= bottom && y <= top;
}

function area(box: Box | undefined): number {
  return box === undefined ? 0 : (box[2] - box[0]) * (box[3] - box[1]);
}
