import { decimal } from '@quire/document/content/drawing';
import {
  applyToBox,
  type Box,
  fitting,
  multiply,
  type UprightPage,
  uprightPage,
} from '@quire/document/structure/geometry';
import { type ImposeOptions, imposeSheets, type Placement, type Sheet } from '@quire/document/structure/imposition';
import type { OpenedPdf } from '@quire/document/file/open';
import { cellOf, gridOf, type LayoutParams } from './page-grid.js';

/**
 * Places several pages on each sheet (`docs/interface/general.yml`, multi-page-layout), in place: each scaled evenly
 * into its cell, centred and upright. `border` is the width of a black line around each page, in points. Throws the
 * errors of `imposeSheets`.
 */
export async function layOutPages(
  opened: OpenedPdf,
  params: LayoutParams,
  border: number | undefined,
  options: ImposeOptions = {},
): Promise<void> {
  await imposeSheets(
    opened,
    layoutSheets(
      opened.pages.map((page) => uprightPage(opened.document.context, page)),
      params,
      border,
    ),
    options,
  );
}

/** Returns the sheets for upright pages. */
export function layoutSheets(pages: readonly UprightPage[], params: LayoutParams, border?: number): Sheet[] {
  const grid = gridOf(params);
  const { columns, rows, sheet: size, cell } = grid;
  const perSheet = columns * rows;
  const { leftMargin, topMargin, innerMargin } = params;
  return Array.from({ length: Math.ceil(pages.length / perSheet) }, (_unused, number): Sheet => {
    const frames: Box[] = [];
    const placements = pages.slice(number * perSheet, (number + 1) * perSheet).map((page, place): Placement => {
      const [column, row] = cellOf(grid, params, place);
      const left = leftMargin + column * cell[0];
      const top = size[1] - topMargin - row * cell[1];
      const inside: Box = [
        left + innerMargin,
        top - cell[1] + innerMargin,
        left + cell[0] - innerMargin,
        top - innerMargin,
      ];
      const fit = fitting([0, 0, page.width, page.height], inside);
      frames.push(applyToBox(fit, [0, 0, page.width, page.height]));
      return { page: number * perSheet + place, matrix: multiply(page.matrix, fit) };
    });
    return { size, placements, ...(border === undefined ? {} : { decoration: frameLines(frames, border) }) };
  });
}

/** Operators that draw a black line of this width around each box. */
export function frameLines(boxes: readonly Box[], width: number): string {
  return [
    `${decimal(width)} w`,
    ...boxes.map(
      ([left, bottom, right, top]) => `${[left, bottom, right - left, top - bottom].map(decimal).join(' ')} re S`,
    ),
  ].join('\n');
}
