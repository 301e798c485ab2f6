import type { PdfiumDocument } from '../engines/pdfium/index.js';
import { lineText } from './prose/line.js';
import { linesOf } from './prose/lines.js';
import { PageReader } from './read/page-reader.js';
import { simplePageText } from './simple-text.js';

/**
 * The text of a page (0-based), line by line in the order in which PDFium reads it, right-to-left text in logical
 * order; lines end with a line feed, the last one too. Empty for a page without text or one that cannot be read. Much
 * faster than the layout: for plain text.
 */
export function plainPageText(document: PdfiumDocument, index: number): string {
  return simplePageText(document, index) ?? wordLines(document, index);
}

function wordLines(document: PdfiumDocument, index: number): string {
  const lines = linesOf(new PageReader(document).read(index, { drawn: false }).words)
    .lines.map(lineText)
    .join('\n');
  return lines === '' ? '' : `${lines}\n`;
}
