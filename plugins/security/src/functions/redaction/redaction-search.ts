import type { PDFDict } from 'pdf-lib';
import { ContentReader, placePage, showPage } from '@quire/document/content';
import {
  findOnPage,
  type FoundText,
  type GlyphPlace,
  pageTexts,
  pdfiumReadingText,
  searchPdfiumText,
  type SecondReading,
  type TextSearch,
  withPdfiumText,
} from '@quire/document/redaction/search';
import type { OpenedPdf } from '@quire/document/file/open';
import type { PdfiumDocument } from '@quire/document/engines/pdfium';
import { readPdf } from '@quire/document/content/text';

/** What was found on one page. */
export interface PageHits {
  readonly found: readonly FoundText[];
  /** Glyphs near the matches that belong to none. */
  readonly staying: readonly GlyphPlace[];
}

/** What was found in a document, by page. */
export interface DocumentHits {
  readonly pages: ReadonlyMap<PDFDict, PageHits>;
  readonly matches: number;
  /** Glyphs on all pages whose font does not tell what they are: nobody can search them. */
  readonly unreadable: number;
}

/** What the content itself tells of all pages, before any match has its place. */
export interface ContentScan {
  /** Indexes of pages that hold a match. */
  readonly holding: ReadonlySet<number>;
  /** As in `DocumentHits`. */
  readonly unreadable: number;
}

/** What PDFium reads of some pages: matches by page index, and how many pages it counts. */
export interface SecondPass {
  readonly pageCount: number;
  readonly pages: ReadonlyMap<number, SecondReading>;
}

/** Called after each page. */
export type OnPage = (done: number, total: number) => void;

/** Pages that are searched at one go. */
const BATCH = 25;

/** Searches some pages of a file with PDFium. Errors: those of `readPdf`, PATTERN_TOO_SLOW. */
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
 * Searches the first pages of a document that PDFium has open: first their text alone, then the places of letters where
 * something was found.
 */
export function searchPdfiumPages(
  document: PdfiumDocument,
  pageCount: number,
  search: TextSearch,
  signal: AbortSignal,
  onPage: OnPage,
): Map<number, SecondReading> {
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

/**
 * Searches all pages of an opened document in its content for which hold anything. Errors: those of `ContentReader`,
 * PATTERN_TOO_SLOW.
 */
export function scanContent(
  { document, pages }: OpenedPdf,
  search: TextSearch,
  signal: AbortSignal,
  onPage: OnPage,
): ContentScan {
  const reader = new ContentReader(document.context);
  const seen = new Set<PDFDict>();
  const holding = new Set<number>();
  let unreadable = 0;
  // Only texts are kept of a page: its glyphs by the hundred thousand would outlive the young generation, and pages
  // with matches are few.
  let batch: { readonly index: number; readonly text: string }[] = [];
  const flush = (): void => {
    for (const at of search.holding(batch.map(({ text }) => text))) holding.add(batch[at]!.index);
    batch = [];
  };
  for (const [index, page] of pages.entries()) {
    if (seen.has(page.dict)) continue;
    seen.add(page.dict);
    signal.throwIfAborted();
    const told = pageTexts(showPage(reader, page));
    unreadable += told.unreadable;
    for (const text of told.texts) batch.push({ index, text });
    if (batch.length >= BATCH) flush();
    onPage(index + 1, pages.length);
  }
  flush();
  return { holding, unreadable };
}

/**
 * Finds the places of matches on pages where the content holds any or PDFium found some, joining the two. What PDFium
 * says of a file whose pages it counts otherwise is left out. Errors: those of `ContentReader`, PATTERN_TOO_SLOW.
 */
export function locateHits(
  { document, pages }: OpenedPdf,
  search: TextSearch,
  { holding, unreadable }: ContentScan,
  second: SecondPass | undefined,
  signal: AbortSignal,
): DocumentHits {
  const reader = new ContentReader(document.context);
  const hits = new Map<PDFDict, PageHits>();
  const shared = second !== undefined && second.pageCount === pages.length ? second.pages : undefined;
  let matches = 0;
  for (const index of [...new Set([...holding, ...(shared?.keys() ?? [])])].sort((a, b) => a - b)) {
    const page = pages[index]!;
    signal.throwIfAborted();
    const { found, staying } = findOnPage(placePage(showPage(reader, page)), search, shared?.get(index));
    // A page that hangs in the tree twice counts once.
    if (!hits.has(page.dict)) matches += found.length;
    if (found.length > 0) hits.set(page.dict, { found, staying: nearby(staying, found) });
  }
  return { pages: hits, matches, unreadable };
}

/**
 * Glyphs on the lines of matches and on those next to them, above or below their letters: all that limits the boxes
 * over them.
 */
function nearby(staying: readonly GlyphPlace[], found: readonly FoundText[]): GlyphPlace[] {
  const lines = found.flatMap((one) => one.lines);
  return staying.filter((glyph) =>
    lines.some(
      (line) =>
        glyph.angle === line.angle &&
        glyph.to > line.from &&
        glyph.from < line.to &&
        Math.abs(glyph.line - line.line) < line.em + glyph.em,
    ),
  );
}
