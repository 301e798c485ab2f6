import type { PdfInput } from '../../file/source/index.js';
import { readPdf } from './read.js';

/** Picks pages (0-based indexes) once the page count is known; what it throws passes through. */
export type PageChoice = (pageCount: number) => readonly number[];

/**
 * Returns whether one of the chosen pages contains this text (case and line breaks count); stops at the first hit. With
 * `text` undefined, whether one contains any text; every page contains the empty text.
 */
export async function containsText(input: PdfInput, text: string | undefined, choose: PageChoice): Promise<boolean> {
  return readPdf(input, (document) => {
    const pages = choose(document.reachablePages());
    if (text === '') return pages.length > 0;
    const wanted = text === undefined ? undefined : normalised(text);
    return pages.some((page) => {
      const found = normalised(document.pageText(page));
      return wanted === undefined ? found.trim() !== '' : found.includes(wanted);
    });
  });
}

/** One form of accents and of line ends: a form field sends CR LF, and a file may hold either kind of accent. */
function normalised(text: string): string {
  return text.normalize('NFC').replace(/\r\n?/g, '\n');
}
