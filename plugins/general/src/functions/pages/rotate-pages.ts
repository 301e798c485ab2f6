import type { OpenedPdf } from '@quire/document/file/open';
import { normaliseAngle, pageRotation } from '@quire/document/structure/pages';
import { setEntry } from '@quire/document/file/objects';
import { PDFNumber } from 'pdf-lib';

/**
 * Turns every page clockwise by a multiple of 90 degrees, in place, on top of the rotation that it has or inherits; the
 * sum is written as 0, 90, 180 or 270 (ISO 32000-1, 7.7.3.3). Nothing but the pages is read.
 */
export function rotatePages({ document, pages }: OpenedPdf, angle: number): void {
  const turned = new Set<unknown>();
  for (const page of pages) {
    // A page that hangs in the tree twice is one dictionary and turns once.
    if (turned.has(page.dict)) continue;
    turned.add(page.dict);
    setEntry(page.dict, 'Rotate', PDFNumber.of(normaliseAngle(pageRotation(document.context, page) + angle)));
  }
}
