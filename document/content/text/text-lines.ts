import { type Pdfium, type PdfiumDocument, withMemory } from '../../engines/pdfium/index.js';

/** A line of text with the rectangle around its letters in default user space (page rotation not applied). */
export interface TextLine {
  readonly text: string;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
  /** Font size in points as it is shown, of most of its letters. */
  readonly size: number;
}

/** Most letters of one page that are read. */
const MAX_CHARACTERS = 1_000_000;

/**
 * Returns the lines of a page (0-based) in reading order, at most `most`; none for a page without text or an unreadable
 * one.
 */
export function pageLines({ pdfium, handle }: PdfiumDocument, index: number, most = Infinity): TextLine[] {
  const page = pdfium.FPDF_LoadPage(handle, index);
  if (page === 0) return [];
  const text = pdfium.FPDFText_LoadPage(page);
  try {
    const count = text === 0 ? 0 : Math.min(MAX_CHARACTERS, pdfium.FPDFText_CountChars(text));
    return withMemory(pdfium, 32, (buffer) => {
      const lines: TextLine[] = [];
      let [letters, left, bottom, right, top] = ['', Infinity, Infinity, -Infinity, -Infinity];
      const sizes = new Map<number, number>();
      for (let i = 0; i <= count && lines.length < most; i++) {
        const code = i < count ? pdfium.FPDFText_GetUnicode(text, i) : 10;
        if (code === 10 || code === 13) {
          if (right >= left) lines.push({ text: letters, left, bottom, right, top, size: mostFrequent(sizes) });
          sizes.clear();
          [letters, left, bottom, right, top] = ['', Infinity, Infinity, -Infinity, -Infinity];
          continue;
        }
        letters += String.fromCodePoint(Math.min(0x10ffff, code));
        // Blanks that PDFium adds between words have no place of their own.
        if (code <= 32 || !pdfium.FPDFText_GetCharBox(text, i, buffer, buffer + 8, buffer + 16, buffer + 24)) continue;
        const [x1 = 0, x2 = 0, y1 = 0, y2 = 0] = new Float64Array(
          pdfium.pdfium.HEAPU8.slice(buffer, buffer + 32).buffer,
        );
        const size = shownSize(pdfium, text, i, buffer);
        sizes.set(size, (sizes.get(size) ?? 0) + 1);
        [left, bottom, right, top] = [Math.min(left, x1), Math.min(bottom, y1), Math.max(right, x2), Math.max(top, y2)];
      }
      return lines;
    });
  } finally {
    if (text !== 0) pdfium.FPDFText_ClosePage(text);
    pdfium.FPDF_ClosePage(page);
  }
}

/** A letter's font size after all matrices, to a hundredth of a point. */
function shownSize(pdfium: Pdfium, text: number, letter: number, buffer: number): number {
  const size = pdfium.FPDFText_GetFontSize(text, letter);
  if (!pdfium.FPDFText_GetMatrix(text, letter, buffer)) return size;
  const [, , c = 0, d = 1] = new Float32Array(pdfium.pdfium.HEAPU8.slice(buffer, buffer + 16).buffer);
  return Math.round(size * Math.hypot(c, d) * 100) / 100;
}

function mostFrequent(counts: ReadonlyMap<number, number>): number {
  let [found, most] = [0, 0];
  for (const [size, count] of counts) if (count > most) [found, most] = [size, count];
  return found;
}
