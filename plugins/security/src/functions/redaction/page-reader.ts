import { ContentReader, showPage } from '@quire/document/content';
import type { OpenedPdf } from '@quire/document/file/open';
import { type PlainPage, PlainPages } from '@quire/document/redaction/plain';
import { pageTexts, readingText } from '@quire/document/redaction/search';
import type { PageEntry } from '@quire/document/structure/pages';

/** Fewer pages are read completely sooner than their fonts are compared. */
const LEAST_PAGES = 16;
const NONE: ReadonlyMap<string, number> = new Map();

/** What Quire's own parser reads on a page. */
export interface ReadPage {
  /** One text for each reading, in searchable form. */
  readonly texts: readonly string[];
  /** The text that PDFium gives, if the page is plain and none of `texts` is the same. */
  readonly pdfium: string | undefined;
  /** Glyphs that cannot be searched, by the name of their font. */
  readonly unreadable: ReadonlyMap<string, number>;
  /** If the page is plain. */
  readonly plain: PlainPage | undefined;
}

/** Reads the texts of a document's pages: plain pages in a fast way, others completely. */
export class PageReader {
  readonly content: ContentReader;
  readonly #plain: PlainPages | undefined;

  constructor({ document, pages }: OpenedPdf) {
    this.content = new ContentReader(document.context, { bothReadings: true });
    this.#plain = pages.length < LEAST_PAGES ? undefined : new PlainPages(this.content);
  }

  /** Throws the errors of `ContentReader`. */
  read(page: PageEntry): ReadPage {
    const plain = this.#plain?.page(page);
    const [own, other] = plain?.texts.map(readingText) ?? [];
    if (plain?.inOrder === true && own !== undefined) return { texts: [own], pdfium: other, unreadable: NONE, plain };
    return { ...pageTexts(showPage(this.content, page)), pdfium: other, plain };
  }
}
