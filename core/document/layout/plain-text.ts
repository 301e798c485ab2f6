import type { PdfiumDocument } from '../pdfium/index.js';
import { cleanLetters } from './read/letters.js';

/** PDFium's marks for a hyphen at a line end. */
const DIVIDED = /[\u0002\ufffe]/g;

/**
 * The text of a page (0-based), line by line in the order in which PDFium reads it, right-to-left text in logical order; lines end with a line feed, the last one too. Empty
 * for a page without text or one that cannot be read. Much faster than the layout: for plain text.
 */
export function plainPageText(document: PdfiumDocument, index: number): string {
  const text = document.pageText(index).replace(DIVIDED, '-\n').replace(/\r\n?/g, '\n');
  const plain = /^[\n\u0020-\u007e]*$/.test(text) ? text : text.split('\n').map(cleanLetters).join('\n');
  const trimmed = plain.replace(/[^\S\n]+$/gm, '').replace(/\n+$/, '');
  return trimmed === '' ? '' : `${trimmed}\n`;
}
