import { applyToBox, type Box, invert, type UprightPage } from '@quire/document/structure/geometry';
import { breathe, fittingDpi, pixelSize, renderPage } from '@quire/document/engines/rendering';
import { readPdf } from '@quire/document/content/text';
import { inkBox } from './ink-box.js';

/** Resolution for measuring pages (`docs/interface/general.yml`, crop). */
const DPI = 150;

/** The part of a page that is not white, as shares of its visible width and height, from the lower left. */
export type InkShare = Box;

export interface MeasureOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Renders every page of a file and returns the areas that are not white; undefined for a blank page. Annotations count
 * where they are visible. Throws the errors of opening, but never IMAGE_TOO_LARGE: large pages are rendered at a lower
 * resolution.
 */
export async function measureInk(
  path: string,
  { signal, onProgress }: MeasureOptions = {},
): Promise<(InkShare | undefined)[]> {
  return readPdf({ path }, async (document) => {
    const count = document.reachablePages();
    const shares: (InkShare | undefined)[] = [];
    for (let i = 0; i < count; i++) {
      const page = document.pageGeometry(i);
      const { width, height } = pixelSize(page, fittingDpi([page], DPI));
      const ink = inkBox(renderPage(document, i, { width, height, annotations: true }), width, height);
      shares.push(
        ink === undefined
          ? undefined
          : [ink.left / width, 1 - ink.bottom / height, ink.right / width, 1 - ink.top / height],
      );
      onProgress?.(i + 1, count);
      await breathe(signal);
    }
    return shares;
  });
}

/** Converts shares of the visible page to a box in its user space. */
export function shareInUserSpace(
  [left, bottom, right, top]: InkShare,
  { matrix, width, height, box }: UprightPage,
): Box {
  const back = invert(matrix);
  return back === undefined ? box : applyToBox(back, [left * width, bottom * height, right * width, top * height]);
}
