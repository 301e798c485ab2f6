import { type Pdfium, type PdfiumDocument, withMemory } from '../engines/pdfium/index.js';
import { type BidiLine, bidiLines } from './read/bidi/bidi-lines.js';
import { isRightToLeftDocument } from './read/bidi/document-direction.js';
import { cleanLetters } from './read/letters.js';
import { type Scratch, withScratch } from './read/scratch.js';

/** PDFium's marks for a hyphen at a line end. */
const DIVIDED = /[\u0002\ufffe]/g;
/** So many lines of so few letters are torn apart. */
const TORN_LINES = 8;
const TORN_LENGTH = 3;
const MAX_CHARACTERS = 1_000_000;
/**
 * Text beside text, whose base lines differ by no more than this part of the larger height, is of one line: a raised
 * figure and what follows it.
 */
const LEVEL = 0.5;
/** Gaps relative to the text height: below the first there is no space, below the second the line continues. */
const NO_GAP = 0.12;
const ONE_LINE = 1.2;
/** Right-to-left scripts and their presentation forms. */
export const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/**
 * The text of a page as `plainPageText` gives it; undefined for a page that PDFium tears apart, which has to be put
 * together from its words. Loads nothing but PDFium, because threads begin with it.
 */
export function simplePageText(document: PdfiumDocument, index: number): string | undefined {
  const { pdfium, handle } = document;
  const page = pdfium.FPDF_LoadPage(handle, index);
  if (page === 0) return '';
  const text = pdfium.FPDFText_LoadPage(page);
  try {
    const count = text === 0 ? 0 : Math.min(MAX_CHARACTERS, pdfium.FPDFText_CountChars(text));
    if (count <= 0) return '';
    const whole = wholeText(pdfium, text, count);
    return isTornApart(whole, '\r\n')
      ? undefined
      : tidy(withScratch(pdfium, (scratch) => linesJoined(scratch, text, whole, count, handle)));
  } finally {
    if (text !== 0) pdfium.FPDFText_ClosePage(text);
    pdfium.FPDF_ClosePage(page);
  }
}

/** True where PDFium ends a line behind nearly every letter, as it does where it takes a page for vertical writing. */
export function isTornApart(whole: string, lineEnd: string): boolean {
  const lines = whole.split(lineEnd).filter((line) => line.trim() !== '');
  return (
    lines.length >= TORN_LINES && lines.filter((line) => line.trim().length <= TORN_LENGTH).length > 0.7 * lines.length
  );
}

function wholeText(pdfium: Pdfium, text: number, count: number): string {
  return withMemory(pdfium, (count + 1) * 2, (buffer) => {
    const written = pdfium.FPDFText_GetText(text, 0, count, buffer);
    // A view of the heap must be taken after the call: memory growth moves it.
    return new TextDecoder('utf-16le').decode(
      pdfium.pdfium.HEAPU8.slice(buffer, buffer + Math.max(0, written - 1) * 2),
    );
  });
}

/** Removes line ends that PDFium inserts after superscripts and subscripts within a line. */
function linesJoined(scratch: Scratch, text: number, whole: string, count: number, handle: number): string {
  if (RIGHT_TO_LEFT.test(whole))
    return logicalLines(scratch, text, count, bidiLines(scratch, text, count, isRightToLeftDocument(scratch, handle)));
  // Only where its letters are the text's own, one to one.
  if (whole.length !== count || !whole.includes('\r\n')) return whole;
  let [out, from] = ['', 0];
  for (let at = whole.indexOf('\r\n'); at > 0 && at + 2 < count; at = whole.indexOf('\r\n', at + 2)) {
    const gap = gapOnLine(scratch, text, at - 1, at + 2);
    if (gap === undefined) continue;
    out += whole.slice(from, at) + (gap > NO_GAP && whole[at - 1] !== ' ' && whole[at + 2] !== ' ' ? ' ' : '');
    from = at + 2;
  }
  return out + whole.slice(from);
}

/** The text of a page with right-to-left letters: their lines in logical order, the others as PDFium has them. */
function logicalLines(scratch: Scratch, text: number, count: number, lines: readonly BidiLine[]): string {
  const { FPDFText_GetUnicode: codeAt } = scratch.pdfium.pdfium.wasmExports;
  const letters = (from: number, to: number): string => {
    let out = '';
    for (let i = from; i < to; i++) out += String.fromCharCode(codeAt(text, i));
    return out;
  };
  let [out, from] = ['', 0];
  for (const line of lines) {
    out += letters(from, line.from);
    out += line.parts.map((part) => part.letters.map((letter) => letter.text).join('')).join(' ');
    from = line.to;
    // PDFium ends lines of its own, not those that are put together from several.
    if (from < count && !/\s/.test(letters(from, from + 1))) out += '\r\n';
  }
  return out + letters(from, count);
}

/** The gap between two letters of one line, in heights; undefined for letters of two lines. */
function gapOnLine(scratch: Scratch, text: number, before: number, after: number): number | undefined {
  const { FPDFText_GetLooseCharBox: boxOf, FPDFText_GetCharOrigin: originOf } = scratch.pdfium.pdfium.wasmExports;
  const place = (letter: number): readonly [number, number, number, number] | undefined => {
    if (!boxOf(text, letter, scratch.at)) return undefined;
    const [left = 0, top = 0, right = 0, bottom = 0] = scratch.floats;
    return originOf(text, letter, scratch.at, scratch.at + 8)
      ? [left, right, top - bottom, scratch.doubles[1] ?? 0]
      : undefined;
  };
  const [one, two] = [place(before), place(after)];
  if (one === undefined || two === undefined) return undefined;
  const height = Math.max(one[2], two[2]);
  if (!(height > 0) || Math.min(one[2], two[2]) > 0.9 * height || Math.abs(one[3] - two[3]) > LEVEL * height)
    return undefined;
  const gap = (two[0] - one[1]) / height;
  return gap > -0.3 && gap < ONE_LINE ? gap : undefined;
}

function tidy(text: string): string {
  const lines = text.replace(DIVIDED, '-\n').replace(/\r\n?/g, '\n');
  const plain = /^[\n\u0020-\u007e]*$/.test(lines) ? lines : lines.split('\n').map(cleanLetters).join('\n');
  const trimmed = plain
    .replace(/[^\S\n]+$/gm, '')
    .replace(/^ +/gm, '')
    .replace(/\n+$/, '');
  return trimmed === '' ? '' : `${trimmed}\n`;
}
