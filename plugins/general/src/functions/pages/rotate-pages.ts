import type { OpenedPdf } from '@quire/document/file/open';
import { normaliseAngle, pageRotation } from '@quire/document/structure/pages';
import { setEntry } from '@quire/document/file/objects';
import { PDFNumber } from 'pdf-lib';

/**
 * Rotates every page clockwise by a multiple of 90 degrees, in place, in addition to its own or inherited rotation; the
 * sum is written as 0, 90, 180 or 270 (ISO 32000-1, 7.7.3.3). Reads nothing but the page dictionaries.
 */
export function rotatePages({ document, pages }: OpenedPdf, angle: number): void {
  const turned = new Set<unknown>();
  for (const page of pages) {
    // A page that occurs twice in the page tree is one dictionary and rotates once.
    if (turned.has(page.dict)) continue;
    turned.add(page.dict);
    setEntry(page.dict, 'Rotate', PDFNumber.of(normaliseAngle(pageRotation(document.context, page) + angle)));
  }
}
