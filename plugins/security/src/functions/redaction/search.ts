import type { PDFDict } from 'pdf-lib';
import { ContentReader, placePage, showPage } from '@quire/document/content';
import {
  findOnPage,
  type FoundText,
  type GlyphPlace,
  pdfiumReadingText,
  searchPdfiumText,
  type SecondReading,
  type TextSearch,
  withPdfiumText,
} from '@quire/document/redaction/search';
import type { OpenedPdf } from '@quire/document/file/open';
import type { PdfiumDocument } from '@quire/document/engines/pdfium';
import { readPdf } from '@quire/document/content/text';
import { PageReader } from './page-reader.js';
import { SurePages } from './sure-pages.js';

/** Matches on one page. */
export interface PageHits {
  /** Of the page, 0-based; the first if it occurs in the document several times. */
  readonly index: number;
  readonly found: readonly FoundText[];
  /** Glyphs near the matches that do not belong to any. */
  readonly staying: readonly GlyphPlace[];
}

/** Matches in a document, by page. */
export interface DocumentHits {
  readonly pages: ReadonlyMap<PDFDict, PageHits>;
  readonly matches: number;
}

/** Result of searching the content of all pages, before the positions of matches are known. */
export interface ContentScan {
  /** Indexes of the pages with a match. */
  readonly holding: ReadonlySet<number>;
  /**
   * Glyphs on all pages that cannot be searched, because their font does not map them to characters, by the name of the
   * font.
   */
  readonly unreadable: ReadonlyMap<string, number>;
  /** Pages that PDFium need not read, once confirmed. */
  readonly sure: SurePages;
}

/** PDFium's matches on some pages by page index, and its page count. */
export interface SecondPass {
  readonly pageCount: number;
  readonly pages: ReadonlyMap<number, SecondReading>;
}

/** Called after each page. */
export type OnPage = (done: number, total: number) => void;

/** Pages per search call. */
export const BATCH = 25;

/** Searches some pages of a file with PDFium. Throws the errors of `readPdf`, PATTERN_TOO_SLOW. */
export function searchWithPdfium(
  path: string,
  indexes: Iterable<number>,
  search: TextSearch,
  signal: AbortSignal,
): Promise<SecondPass> {
  return readPdf({ path }, (document) => {
    const pages = new Map<number, SecondReading>();
    for (const index of indexes) {
      signal.throwIfAborted();
      const reading = withPdfiumText(document, index, (text) => searchPdfiumText(text, search));
      if (reading !== undefined && reading.matches.length > 0) pages.set(index, reading);
    }
    return { pageCount: document.reachablePages(), pages };
  });
}

/**
 * Searches pages of a document that is open in PDFium: first only the text, then the positions of letters on pages with
 * a match.
 */
export function searchPdfiumPages(
  document: PdfiumDocument,
  indexes: readonly number[],
  search: TextSearch,
  signal: AbortSignal,
  onPage: OnPage,
): Map<number, SecondReading> {
  const pages = new Map<number, SecondReading>();
  for (let first = 0; first < indexes.length; first += BATCH) {
    const batch = indexes.slice(first, first + BATCH);
    const texts = batch.map((index) => {
      signal.throwIfAborted();
      return pdfiumReadingText(document, index);
    });
    for (const at of search.holding(texts)) {
      const reading = withPdfiumText(document, batch[at]!, (text) => searchPdfiumText(text, search));
      if (reading !== undefined && reading.matches.length > 0) pages.set(batch[at]!, reading);
    }
    onPage(first + texts.length, indexes.length);
  }
  return pages;
}

/** Searches the content of all pages for matches. Throws the errors of `ContentReader`, PATTERN_TOO_SLOW. */
export function scanContent(opened: OpenedPdf, search: TextSearch, signal: AbortSignal, onPage: OnPage): ContentScan {
  const { pages } = opened;
  const reader = new PageReader(opened);
  const seen = new Set<PDFDict>();
  const holding = new Set<number>();
  const unreadable = new Map<string, number>();
  const sure = new SurePages();
  // Only the text of a page is kept: hundreds of thousands of glyphs would outlive the young generation of the garbage
  // collector, and pages with matches are few.
  let batch: { readonly index: number; readonly text: string; readonly isPdfium?: boolean }[] = [];
  const flush = (): void => {
    for (const at of search.holding(batch.map(({ text }) => text))) {
      const { index, isPdfium } = batch[at]!;
      holding.add(index);
      // Only PDFium knows where.
      if (isPdfium === true) sure.forget(pages[index]!.dict);
    }
    batch = [];
  };
  for (const [index, page] of pages.entries()) {
    if (seen.has(page.dict)) continue;
    seen.add(page.dict);
    signal.throwIfAborted();
    const found = reader.read(page);
    if (found.plain !== undefined) sure.note(page.dict, found.plain);
    for (const [font, count] of found.unreadable) unreadable.set(font, (unreadable.get(font) ?? 0) + count);
    for (const text of found.texts) batch.push({ index, text });
    if (found.pdfium !== undefined) batch.push({ index, text: found.pdfium, isPdfium: true });
    if (batch.length >= BATCH) flush();
    onPage(index + 1, pages.length);
  }
  flush();
  return { holding, unreadable, sure };
}

/**
 * Finds the positions of matches on pages where the content or PDFium has any, and combines both. Ignores PDFium if its
 * page count differs. Throws the errors of `ContentReader`, PATTERN_TOO_SLOW.
 */
export function locateHits(
  { document, pages }: OpenedPdf,
  search: TextSearch,
  { holding }: ContentScan,
  second: SecondPass | undefined,
  signal: AbortSignal,
): DocumentHits {
  const reader = new ContentReader(document.context, { bothReadings: true });
  const hits = new Map<PDFDict, PageHits>();
  const shared = second !== undefined && second.pageCount === pages.length ? second.pages : undefined;
  let matches = 0;
  for (const index of [...new Set([...holding, ...(shared?.keys() ?? [])])].sort((a, b) => a - b)) {
    const page = pages[index]!;
    signal.throwIfAborted();
    const { found, staying } = findOnPage(placePage(showPage(reader, page)), search, shared?.get(index));
    // A page that occurs twice in the page tree counts once.
    if (hits.has(page.dict)) continue;
    matches += found.length;
    if (found.length > 0) hits.set(page.dict, { index, found, staying });
  }
  return { pages: hits, matches };
}
