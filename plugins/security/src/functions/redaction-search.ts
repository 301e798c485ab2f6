import type { PDFDict } from 'pdf-lib';
import { ContentReader, readPageText } from '@quire/document/content';
import { findOnPage, type FoundText, type GlyphPlace, pageGlyphs, searchPdfiumText, type SecondReading, type TextSearch, withPdfiumText } from '@quire/document/find';
import type { OpenedPdf } from '@quire/document/open';
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

/** Searches all pages of a file with PDFium. Errors: those of `readPdf`, PATTERN_TOO_SLOW. */
export function searchWithPdfium(path: string, search: TextSearch, signal: AbortSignal, onPage: OnPage): Promise<SecondPass> {
  return readPdf({ path }, (document) => {
    const pageCount = document.reachablePages();
    const pages = new Map<number, SecondReading>();
    for (let index = 0; index < pageCount; index++) {
      signal.throwIfAborted();
      const reading = withPdfiumText(document, index, (text) => searchPdfiumText(text, search));
      if (reading !== undefined && reading.matches.length > 0) pages.set(index, reading);
      onPage(index + 1, pageCount);
    }
    return { pageCount, pages };
  });
}

/** Searches pages of an opened document in its content, and joins what PDFium found. Errors: those of `ContentReader`, PATTERN_TOO_SLOW. */
export function searchContent({ document, pages }: OpenedPdf, search: TextSearch, second: SecondPass | undefined, signal: AbortSignal, onPage: OnPage, only?: ReadonlySet<number>): DocumentHits {
  const reader = new ContentReader(document.context);
  const hits = new Map<PDFDict, PageHits>();
  const seen = new Set<PDFDict>();
  const shared = second !== undefined && second.pageCount === pages.length ? second.pages : undefined;
  let [matches, unreadable] = [0, 0];
  for (const [index, page] of pages.entries()) {
    if (seen.has(page.dict) || (only !== undefined && !only.has(index))) continue;
    seen.add(page.dict);
    signal.throwIfAborted();
    const text = readPageText(reader, page);
    const findings = findOnPage(text, search, shared?.get(index));
    unreadable += findings.unreadable;
    matches += findings.found.length;
    if (findings.found.length > 0) hits.set(page.dict, { found: findings.found, staying: pageGlyphs(text.runs).glyphs.filter((glyph, number) => !findings.glyphs.has(number) && glyph.text.trim() !== '') });
    onPage(index + 1, pages.length);
  }
  return { pages: hits, matches, unreadable };
}
