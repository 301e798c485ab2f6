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

/** One placement of a page. */
export interface Appearance {
  readonly sheet: PDFRef;
  /** From the page's user space to the sheet's. */
  readonly matrix: Matrix;
  readonly part: Box;
  /** The visible area on the sheet; undefined if it is not visible. */
  readonly seen: Box | undefined;
  /** True if the visible area is the whole sheet. */
  readonly fills: boolean;
  readonly placement: Placement;
}

/** In points. Edges this close to the edges of a sheet count as equal. */
const NEAR = 1;

/** Finds the places of a document's pages on the sheets, and the place that shows a certain point or box. */
export class PlacedPages {
  readonly #appearances: readonly Appearance[][];

  /** Throws RangeError for a page that is on no sheet; pages that are not used must be removed before. */
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
    if (appearances.some((list) => list.length === 0)) throw new RangeError('a page is on no sheet');
    this.#appearances = appearances;
  }

  /** True if no page is placed more than once. */
  get eachOnce(): boolean {
    return this.#appearances.every((list) => list.length === 1);
  }

  /** Returns all places of a page, in the order of the sheets. */
  all(page: number): readonly Appearance[] {
    return this.#appearances[page] ?? [];
  }

  /** Returns the first place of a page. */
  first(page: number): Appearance {
    const [found] = this.all(page);
    if (found === undefined) throw new RangeError('no such page');
    return found;
  }

  /** Returns the place that shows a point of the page; the first one if no place shows it. */
  at(page: number, point: Point | undefined): Appearance {
    const list = this.all(page);
    return (point === undefined ? undefined : list.find(({ part }) => holds(part, point))) ?? this.first(page);
  }

  /** Returns the place that shows the centre of a box, else the one that shows most of it. */
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

/** Converts a place to the form that destinations need. */
export function newPlace({ sheet, matrix, seen, fills }: Appearance): NewPlace {
  return { page: sheet, matrix, ...(fills || seen === undefined ? {} : { view: seen }) };
}

function holds([left, bottom, right, top]: Box, [x, y]: Point): boolean {
  return x >= left && x <= right && y >= bottom && y <= top;
}

function area(box: Box | undefined): number {
  return box === undefined ? 0 : (box[2] - box[0]) * (box[3] - box[1]);
}
