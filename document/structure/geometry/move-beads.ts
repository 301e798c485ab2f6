import type { PDFContext, PDFDict, PDFObject, PDFRef } from 'pdf-lib';
import { asDict, elements, entry, setEntry } from '../../file/objects/index.js';
import { boxOf } from '../pages/index.js';
import { applyToBox, type Box, type Matrix } from './matrix.js';
import { boxNumbers } from './write-numbers.js';

/** Returns the new place of an article bead, or undefined if it has none. */
export type BeadPlace = (box: Box) => { readonly page: PDFRef; readonly matrix: Matrix } | undefined;

/**
 * Moves the beads of articles (threads) on a page in place (ISO 32000-1, 12.4.3). Returns them with their new pages,
 * for the /B entries of these. A bead without a new place is left unchanged.
 */
export function moveBeads(
  context: PDFContext,
  page: PDFDict,
  placeOf: BeadPlace,
): { readonly bead: PDFObject; readonly page: PDFRef }[] {
  return elements(context, entry(page, 'B')).flatMap((bead) => {
    const dict = asDict(context, bead);
    const box = dict === undefined ? undefined : boxOf(context, entry(dict, 'R'));
    const place = box === undefined ? undefined : placeOf(box);
    if (dict === undefined || box === undefined || place === undefined) return [];
    setEntry(dict, 'R', boxNumbers(context, applyToBox(place.matrix, box)));
    setEntry(dict, 'P', place.page);
    return [{ bead, page: place.page }];
  });
}
