import type { PDFContext } from 'pdf-lib';
import { applyToBox, type Box, fitting, invert, multiply, uprightPage } from '../../../structure/geometry/index.js';
import type { Sheet } from '../../../structure/imposition/index.js';
import type { PageEntry } from '../../../structure/pages/index.js';

/** Places two pages on each sheet of 800 by 500 points. */
export function pairs(pages: readonly PageEntry[], context: PDFContext): Sheet[] {
  return Array.from({ length: Math.ceil(pages.length / 2) }, (_unused, i): Sheet => ({
    size: [800, 500],
    placements: pages.slice(i * 2, i * 2 + 2).map((page, half) => {
      const { matrix, width, height } = uprightPage(context, page);
      return {
        page: i * 2 + half,
        matrix: multiply(matrix, fitting([0, 0, width, height], [half * 400, 0, half * 400 + 400, 500])),
      };
    }),
  }));
}

/** Places each page on two sheets of 500 by 500 points, its left half first. */
export function halves(pages: readonly PageEntry[], context: PDFContext): Sheet[] {
  return pages.flatMap((page, index) =>
    [0, 1].map((half): Sheet => {
      const { matrix, width, height } = uprightPage(context, page);
      const cell: Box = [(half * width) / 2, 0, ((half + 1) * width) / 2, height];
      return {
        size: [500, 500],
        placements: [
          {
            page: index,
            matrix: multiply(matrix, fitting(cell, [0, 0, 500, 500])),
            part: applyToBox(invert(matrix) ?? matrix, cell),
          },
        ],
      };
    }),
  );
}
