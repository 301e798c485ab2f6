import { type Pdfium, type PdfiumDocument, withMemory } from '../../engines/pdfium/index.js';
import { angleOf, type PageGlyph } from './page-glyphs.js';
import { readingText, type TextPiece } from './reading.js';

/** PDFium's marks for a hyphen at a line end that it considers part of a divided word. */
const DIVIDED = /[\u0002\ufffe]/g;
/** Most characters of one page that are read; no real page has more. */
const MAX_CHARACTERS = 1_000_000;

/**
 * Returns the text of a page (0-based) as PDFium extracts it, in searchable form; empty if PDFium cannot load the page.
 */
export function pdfiumReadingText(document: PdfiumDocument, index: number): string {
  const text = document.pageText(index);
  return readingText(text.replace(DIVIDED, '-\n'));
}

/**
 * A page's text as PDFium extracts it, with the positions of letters on demand. Valid only in the callback that
 * receives it.
 */
export interface PdfiumPageText {
  readonly pieces: readonly TextPiece[];
  /** Returns the position of a piece's letter (its `glyph`); undefined if it has none. */
  place(letter: number): PageGlyph | undefined;
}

/** Reads a page (0-based) with PDFium; returns undefined if PDFium cannot load it. */
export function withPdfiumText<T>(
  { pdfium, handle }: PdfiumDocument,
  index: number,
  fn: (text: PdfiumPageText) => T,
): T | undefined {
  const page = pdfium.FPDF_LoadPage(handle, index);
  if (page === 0) return undefined;
  const text = pdfium.FPDFText_LoadPage(page);
  try {
    if (text === 0) return undefined;
    return fn({ pieces: piecesOf(pdfium, text), place: (letter) => placeOf(pdfium, text, letter) });
  } finally {
    if (text !== 0) pdfium.FPDFText_ClosePage(text);
    pdfium.FPDF_ClosePage(page);
  }
}

/** Reads the text with one call, and letter by letter only if the letters do not match PDFium's count. */
function piecesOf(pdfium: Pdfium, text: number): TextPiece[] {
  const count = Math.min(MAX_CHARACTERS, Math.max(0, pdfium.FPDFText_CountChars(text)));
  if (count === 0) return [];
  const whole = withMemory(pdfium, (count + 1) * 2, (buffer) => {
    const written = pdfium.FPDFText_GetText(text, 0, count, buffer);
    // The view must be created after the call, because memory growth moves the heap.
    return new TextDecoder('utf-16le').decode(
      pdfium.pdfium.HEAPU8.slice(buffer, buffer + Math.max(0, written - 1) * 2),
    );
  });
  const pieces: TextPiece[] = [];
  if (whole.length === count && !/[\ud800-\udfff]/.test(whole)) {
    for (let glyph = 0; glyph < count; glyph++) pieces.push({ text: shown(whole[glyph]!), glyph });
    return pieces;
  }
  for (let glyph = 0; glyph < count; glyph++) {
    const code = pdfium.FPDFText_GetUnicode(text, glyph);
    if (code === 0 || code > 0x10ffff) continue;
    // Characters outside the basic plane may be returned as surrogate pairs.
    const low = code >= 0xd800 && code <= 0xdbff ? pdfium.FPDFText_GetUnicode(text, glyph + 1) : 0;
    const pair = low >= 0xdc00 && low <= 0xdfff;
    pieces.push({ text: shown(pair ? String.fromCharCode(code, low) : String.fromCodePoint(code)), glyph });
    if (pair) pieces.push({ text: '', glyph: ++glyph, joined: true });
  }
  return pieces;
}

function shown(character: string): string {
  return character > '\u001f' && character < '\ufffe'
    ? character
    : character
        .replace(DIVIDED, '-\n')
        .replace(/[\r\n]/, '\n')
        .replace(/[\t\f\v]/, ' ');
}

/** Computes the position from the letter's origin, matrix and loose box: its advance by the font's height. */
function placeOf(pdfium: Pdfium, text: number, letter: number): PageGlyph | undefined {
  return withMemory(pdfium, 32, (buffer) => {
    if (!pdfium.FPDFText_GetCharOrigin(text, letter, buffer, buffer + 8)) return undefined;
    const [x = 0, y = 0] = new Float64Array(pdfium.pdfium.HEAPU8.slice(buffer, buffer + 16).buffer);
    if (!pdfium.FPDFText_GetLooseCharBox(text, letter, buffer)) return undefined;
    const [left = 0, top = 0, right = 0, bottom = 0] = new Float32Array(
      pdfium.pdfium.HEAPU8.slice(buffer, buffer + 16).buffer,
    );
    const [width, height] = [Math.abs(right - left), Math.abs(top - bottom)];
    if (!(width > 0) || !(height > 0)) return undefined;
    const [a = 1, b = 0] = pdfium.FPDFText_GetMatrix(text, letter, buffer)
      ? new Float32Array(pdfium.pdfium.HEAPU8.slice(buffer, buffer + 8).buffer)
      : [];
    const stretch = Math.hypot(a, b);
    const along: readonly [number, number] = stretch > 0 ? [a / stretch, b / stretch] : [1, 0];
    // The box is axis-parallel around the rotated letter. Its extents are derived from the angle, except near 45
    // degrees, where they are ambiguous.
    const [cos, sin] = [Math.abs(along[0]), Math.abs(along[1])];
    const apart = cos * cos - sin * sin;
    const long = Math.abs(apart) < 0.1 ? Math.min(width, height) : Math.max(0, (width * cos - height * sin) / apart);
    const high = Math.abs(apart) < 0.1 ? Math.max(width, height) : Math.max(0, (height * cos - width * sin) / apart);
    const middle = [(left + right) / 2, (top + bottom) / 2] as const;
    const centre = middle[0] * along[0] + middle[1] * along[1];
    const lineOf = (px: number, py: number): number => py * along[0] - px * along[1];
    const line = lineOf(x, y);
    const lift = lineOf(middle[0], middle[1]) - line;
    const em = Math.max(1e-3, high);
    return {
      text: String.fromCodePoint(Math.min(0x10ffff, pdfium.FPDFText_GetUnicode(text, letter))),
      angle: angleOf(along),
      along,
      from: centre - long / 2,
      to: centre + long / 2,
      line,
      em,
      above: lift + high / 2,
      below: lift - high / 2,
      origin: [x, y],
    };
  });
}
