import { ContentReader, showPage } from '@quire/document/content';
import { readPdf } from '@quire/document/content/text';
import { pdfBytes, withPdf } from '@quire/document/file/open';
import { plainPageText } from '@quire/document/layout';
import { agreedFonts, PlainPages } from '@quire/document/redaction/plain';
import { pageTexts, pdfiumReadingText, readingText } from '@quire/document/redaction/search';
import type { PdfInput } from '@quire/document/file/source';
import { PageTexts, type TextCounts } from '@quire/document/structure/report';
import { sureText } from '../../../layout/threads/sure-texts.js';

/** What the readers make of one page. */
export interface Compared {
  /** The texts of a plain page; undefined for any other. */
  readonly plain: readonly string[] | undefined;
  readonly inOrder: boolean;
  /** True if PDFium agrees about all fonts. */
  readonly isAgreed: boolean;
  /** All readings of Quire's own parser. */
  readonly own: readonly string[];
  readonly pdfium: string;
  /** The text of a plain page line by line, and what PDFium makes of it. */
  readonly lines: readonly [string | undefined, string];
  /** Letters, words and lines, counted in the fast way if the page is plain, and after a complete reading. */
  readonly counts: readonly [TextCounts, TextCounts];
}

/** Reads the first pages of a document in all ways; PDFium reads it as Quire writes it. */
export function compare(input: PdfInput, most = 60): Promise<Compared[]> {
  return withPdf(input, {}, async (opened) => {
    const { context } = opened.document;
    const reader = new ContentReader(context, { bothReadings: true });
    const finder = new PlainPages(reader);
    const pages = opened.pages.slice(0, most);
    const found = pages.map((page) => finder.page(page));
    const fonts = new Map(found.flatMap((page) => [...(page?.fonts ?? [])]));
    const agreed = await agreedFonts(context, fonts, new AbortController().signal);
    const own = pages.map((page) => pageTexts(showPage(reader, page)).texts);
    const counts = pages.map((page) => {
      const count = (tagged: boolean): TextCounts => new PageTexts(context, { tagged }).read(page);
      return [count(false), count(true)] as const;
    });
    return readPdf(pdfBytes(opened), (document) =>
      found.map((page, i) => ({
        plain: page?.texts.map(readingText),
        inOrder: page?.inOrder ?? false,
        isAgreed: [...(page?.fonts.keys() ?? [])].every((font) => agreed.has(font)),
        own: own[i]!,
        counts: counts[i]!,
        pdfium: pdfiumReadingText(document, i),
        lines: [page === undefined ? undefined : sureText(page), plainPageText(document, i)],
      })),
    );
  });
}

/** Returns why a plain page is not what both readers read; undefined if it is. */
export function contradiction({ plain, inOrder, isAgreed, own, pdfium, counts, lines }: Compared): string | undefined {
  if (plain === undefined) return undefined;
  if (JSON.stringify(counts[0]) !== JSON.stringify(counts[1])) return `counts: ${JSON.stringify([plain, counts])}`;
  const isOwn = own.includes(plain[0]!) && (!inOrder || own.every((text) => text === plain[0]));
  if (!isOwn) return `own: ${JSON.stringify([plain, own])}`;
  if (isAgreed && lines[0] !== undefined && lines[0] !== lines[1]) return `lines: ${JSON.stringify(lines)}`;
  return isAgreed && pdfium !== plain.at(-1) ? `PDFium: ${JSON.stringify([plain, pdfium])}` : undefined;
}
