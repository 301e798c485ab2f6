import type { Pdfium, PdfiumDocument } from '@quire/document/engines/pdfium';

const [TEXT, PATH, FORM] = [1, 2, 5];
/** The smallest QR code has 21 rows of modules; fewer lines cannot draw one. */
const MIN_SEGMENTS = 100;
/** Maximum number of objects to examine; a page with more may contain anything. */
const MAX_OBJECTS = 20_000;
const MAX_DEPTH = 12;
/** Block elements and geometric shapes, which can draw a code as text. */
const BLOCKS = /[\u2580-\u259f\u25a0-\u25ff]/;

/**
 * Reports whether a page may contain a QR code, without rendering it: `no` for pages of plain text, `vectors` if lines
 * or glyphs could draw one, `pictures` if only images and the like could.
 */
export function mayHoldCode(document: PdfiumDocument, index: number): 'no' | 'vectors' | 'pictures' {
  const found = document.withPage(index, (page) => {
    const count: Count = {
      segments: 0,
      others: document.pdfium.FPDFPage_GetAnnotCount(page),
      texts: 0,
      left: MAX_OBJECTS,
    };
    const objects = document.pdfium.FPDFPage_CountObjects(page);
    for (let i = 0; i < objects && count.left > 0; i++)
      countObject(document.pdfium, document.pdfium.FPDFPage_GetObject(page, i), count, 0);
    return count;
  });
  if (found.segments >= MIN_SEGMENTS || found.left <= 0) return 'vectors';
  if (found.texts > 0) {
    const text = document.pageText(index);
    // Glyphs without a known meaning may be anything.
    if (BLOCKS.test(text) || !/[\p{L}\p{N}]/u.test(text)) return 'vectors';
  }
  return found.others > 0 ? 'pictures' : 'no';
}

interface Count {
  segments: number;
  texts: number;
  others: number;
  left: number;
}

function countObject(pdfium: Pdfium, object: number, count: Count, depth: number): void {
  if (--count.left <= 0) return;
  const type = pdfium.FPDFPageObj_GetType(object);
  if (type === TEXT) count.texts++;
  else if (type === PATH) count.segments += Math.max(0, pdfium.FPDFPath_CountSegments(object));
  else if (type !== FORM) count.others++;
  else if (depth >= MAX_DEPTH) count.left = 0;
  else {
    const inner = pdfium.FPDFFormObj_CountObjects(object);
    for (let i = 0; i < inner && count.left > 0; i++)
      countObject(pdfium, pdfium.FPDFFormObj_GetObject(object, i), count, depth + 1);
  }
}
