import { multiply, translation, type UprightPage, uprightPage } from '../geometry/index.js';
import type { OpenedPdf } from '../../file/open/index.js';
import { type ImposeOptions, imposeSheets } from './impose-sheets.js';
import type { Placement, Sheet } from './sheets.js';

/**
 * Joins all pages to a single tall page (`docs/interface/general.yml`, pdf-to-single-page), in place: upright and
 * unscaled, from top to bottom, each in its own layer. Throws the errors of `imposeSheets`.
 */
export async function stackPages(opened: OpenedPdf, options: ImposeOptions = {}): Promise<void> {
  await imposeSheets(
    opened,
    [stackedSheet(opened.pages.map((page) => uprightPage(opened.document.context, page)))],
    options,
  );
}

/** Returns this sheet: as wide as the widest page and as high as all pages together, left-aligned. */
export function stackedSheet(pages: readonly UprightPage[]): Sheet {
  const width = pages.reduce((widest, page) => Math.max(widest, page.width), 0);
  const height = pages.reduce((sum, page) => sum + page.height, 0);
  let top = height;
  const placements = pages.map((page, index): Placement => {
    top -= page.height;
    return { page: index, matrix: multiply(page.matrix, translation(0, top)), layer: `Layer${index}` };
  });
  return { size: [width, height], placements };
}
