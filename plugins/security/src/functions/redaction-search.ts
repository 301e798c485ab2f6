import type { PDFDict } from 'pdf-lib';
import { ContentReader, readPageText } from '@quire/document/content';
import { findOnPage, type FoundText, type GlyphPlace, pageTexts, pdfiumReadingText, searchPdfiumText, type SecondReading, type TextSearch, withPdfiumText } from '@quire/document/find';
import type { OpenedPdf } from '@quire/document/open';
import type { PdfiumDocument } from '@quire/document/pdfium';
import { readPdf } from '@quire/document/text';

/** What was found on one page. */
export interface PageHits {
  readonly found: readonly FoundText[];
  /** Glyphs of the page that belong to no match. */
  readonly staying: readonly GlyphPlace[];
}

/** What was found in a document, by page. */
export interface DocumentHits {
  readonly pages: ReadonlyMap<PDFDict, PageHits>;
  readonly matches: number;
  /** Glyphs on all pages whose font does not tell what they are: nobody can search them. */
  readonly unreadable: number;
}

/** What is read a second time, by PDFium: matches by page index; of a file whose pages it counts otherwise nothing. */
export interface SecondPass {
  readonly pageCount: number;
  readonly pages: ReadonlyMap<number, SecondReading>;
}

/** Called after each page. */
export type OnPage = (done: number, total: number) => void;

/** Pages that are searched at one go. */
const BATCH = 25;

/** Searches all pages of a file with PDFium. Errors: those of `readPdf`, PATTERN_TOO_SLOW. */
export function searchWithPdfium(path: string, search: TextSearch, signal: AbortSignal, onPage: OnPage): Promise<SecondPass> {
  return readPdf({ path }, (document) => {
    const pageCount = document.reachablePages();
    return { pageCount, pages: searchPdfiumPages(document, pageCount, search, signal, onPage) };
  });
}

/** Searches the first pages of a document that PDFium has open: first their text alone, then the places of letters where something was found. */
export function searchPdfiumPages(document: PdfiumDocument, pageCount: number, search: TextSearch, signal: AbortSignal, onPage: OnPage): Map<number, SecondReading> {
  const pages = new Map<number, SecondReading>();
  for (let first = 0; first < pageCount; first += BATCH) {
    const texts: string[] = [];
    for (let index = first; index < Math.min(pageCount, first + BATCH); index++) {
      signal.throwIfAborted();
      texts.push(pdfiumReadingText(document, index));
    }
    for (const at of search.holding(texts)) {
      const reading = withPdfiumText(document, first + at, (text) => searchPdfiumText(text, search));
      if (reading !== undefined && reading.matches.length > 0) pages.set(first + at, reading);
    }
    onPage(first + texts.length, pageCount);
  }
  return pages;
}

/** Searches pages of an opened document in its content, and joins what PDFium found. Errors: those of `ContentReader`, PATTERN_TOO_SLOW. */
export function searchContent({ document, pages }: OpenedPdf, search: TextSearch, second: SecondPass | undefined, signal: AbortSignal, onPage: OnPage): DocumentHits {
  const reader = new ContentReader(document.context);
  const hits = new Map<PDFDict, PageHits>();
  const seen = new Set<PDFDict>();
  const shared = second !== undefined && second.pageCount === pages.length ? second.pages : undefined;
  let [matches, unreadable] = [0, 0];
  // Only texts are kept of a page: its glyphs by the hundred thousand would outlive the young generation, and pages with matches are few.
  let batch: { readonly index: number; readonly text: string }[] = [];
  const flush = (): void => {
    const held = new Set(search.holding(batch.map(({ text }) => text)).map((i) => batch[i]!.index));
    for (const index of held) concerned.add(index);
    batch = [];
  };
  const concerned = new Set(shared?.keys());
  for (const [index, page] of pages.entries()) {
    if (seen.has(page.dict)) continue;
    seen.add(page.dict);
    signal.throwIfAborted();
    const told = pageTexts(readPageText(reader, page));
    unreadable += told.unreadable;
    for (const text of told.texts) batch.push({ index, text });
    if (batch.length >= BATCH) flush();
    onPage(index + 1, pages.length);
  }
  flush();
  for (const index of [...concerned].sort((a, b) => a - b)) {
    const page = pages[index]!;
    signal.throwIfAborted();
    const { found, staying } = findOnPage(readPageText(reader, page), search, shared?.get(index));
    // A page that hangs in the tree twice counts once.
    if (!hits.has(page.dict)) matches += found.length;
    if (found.length > 0) hits.set(page.dict, { found, staying });
  }
  return { pages: hits, matches, unreadable };
}
