import { type PDFContext, type PDFDict, type PDFObject, type PDFRef } from 'pdf-lib';
import { asDict, elements, entry, setEntry } from '../../file/objects/index.js';
import { boxOf } from '../pages/index.js';
import { applyToBox, type Box, type Matrix } from './matrix.js';
import { boxNumbers } from './write-numbers.js';

/** Where the parts of an article on one page go. */
export type BeadPlace = (box: Box) => { readonly page: PDFRef; readonly matrix: Matrix } | undefined;

/**
 * Moves the beads of a page's articles in place (ISO 32000-1, 12.4.3), and gives them with the page that each is on
 * now, for that page's /B. A bead that is nowhere stays as it is.
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
