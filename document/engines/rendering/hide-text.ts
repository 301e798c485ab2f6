import type { Pdfium } from '../pdfium/index.js';

/** The most objects of one page that are visited, and the deepest nesting of forms. */
const MAX_OBJECTS = 1_000_000;
const MAX_DEPTH = 20;
/** Page object types, and the text rendering mode that paints nothing (ISO 32000-1, table 106). */
const TEXT = 1;
const FORM = 5;
const INVISIBLE = 3;

/** Removes a page's text from rendering, as long as the page is open. */
export function hideText(pdfium: Pdfium, page: number): void {
  eachText(pdfium, page, (object) => void pdfium.FPDFPageObj_SetIsActive(object, false));
}

/**
 * The share of a page's text that is present but not painted, such as text behind scans: 0 to 1 of its text objects.
 */
export function invisibleText(pdfium: Pdfium, page: number): number {
  let [all, invisible] = [0, 0];
  eachText(pdfium, page, (object) => {
    all++;
    if (pdfium.FPDFTextObj_GetTextRenderMode(object) === INVISIBLE) invisible++;
  });
  return all === 0 ? 0 : invisible / all;
}

function eachText(pdfium: Pdfium, page: number, visit: (object: number) => void): void {
  let left = MAX_OBJECTS;
  const walk = (count: number, get: (index: number) => number, depth: number): void => {
    for (let i = 0; i < count && left-- > 0; i++) {
      const object = get(i);
      const type = object === 0 ? 0 : pdfium.FPDFPageObj_GetType(object);
      if (type === TEXT) visit(object);
      else if (type === FORM && depth < MAX_DEPTH)
        walk(pdfium.FPDFFormObj_CountObjects(object), (n) => pdfium.FPDFFormObj_GetObject(object, n), depth + 1);
    }
  };
  walk(pdfium.FPDFPage_CountObjects(page), (n) => pdfium.FPDFPage_GetObject(page, n), 0);
}
