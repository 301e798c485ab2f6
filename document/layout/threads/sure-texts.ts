import { ContentReader } from '../../content/index.js';
import { type PlainPage, PlainPages } from '../../content/plain/index.js';
import { loadPdfium, type PdfiumDocument } from '../../engines/pdfium/index.js';
import { breathe } from '../../engines/rendering/breathe.js';
import { DocumentError } from '../../errors.js';
import { bounds } from '../../bounds.js';
import { type OpenedPdf, openPdf } from '../../file/open/index.js';
import type { FileSource } from '../../file/source/index.js';
import { agreedFonts } from '../../redaction/plain/index.js';
import { isTornApart, RIGHT_TO_LEFT, simplePageText } from '../simple-text.js';

/** Pages that are read before PDFium is asked about their fonts, and the letters after which no more are. */
const PAGES_AT_ONCE = 512;
const LETTERS_AT_ONCE = 4_000_000;
/** After so many more pages that are not plain than plain ones, PDFium reads all others: most documents have either. */
const MOST_OTHERS = 8;
/** Pages between two looks at the signal. */
const PAGES_PER_BREATH = 32;

/** The text of a page, and the fonts about which PDFium has to agree; undefined for a page that is not plain. */
type Read = { readonly text: string; readonly fonts: PlainPage['fonts'] } | undefined;

/** The text that PDFium gives for a plain page, provided that it agrees about its fonts; undefined if in doubt. */
export function sureText({ lineText }: Pick<PlainPage, 'lineText'>): string | undefined {
  if (lineText === undefined || isTornApart(lineText, '\n') || RIGHT_TO_LEFT.test(lineText)) return undefined;
  return lineText;
}

/**
 * Texts of plain pages (ADR 0125), read by Quire's own parser in a fraction of the time that PDFium takes: they are the
 * same, as far as PDFium reads the codes of all their fonts in the same way.
 */
export class SureTexts {
  readonly #plain: PlainPages;
  #decoded = 0;

  private constructor(
    private readonly opened: OpenedPdf,
    private readonly document: PdfiumDocument,
    private readonly signal: AbortSignal,
  ) {
    this.#plain = new PlainPages(new ContentReader(opened.document.context));
  }

  /** Returns undefined for a document in which PDFium may find other pages or objects. */
  static async open(
    source: Uint8Array | FileSource,
    document: PdfiumDocument,
    signal: AbortSignal,
  ): Promise<SureTexts | undefined> {
    try {
      const opened = await openPdf(source, { repair: false });
      const isSame = opened.engine === 'quire' && !opened.lazy.faulty && opened.pages.length === document.pageCount;
      return isSame ? new SureTexts(opened, document, signal) : undefined;
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      return undefined;
    }
  }

  /**
   * Texts of the next pages from this one (0-based) on, undefined for those that PDFium has to read; empty if it should
   * read all others. Throws PDF_DAMAGED if PDFium fails, and the signal's reason.
   */
  async from(first: number): Promise<(string | undefined)[]> {
    const read = await this.#read(first);
    if (read.length === 0) return [];
    const fonts = new Map(read.flatMap((page) => [...(page?.fonts ?? [])]));
    const agreed = await agreedFonts(this.opened.document.context, fonts, this.signal);
    if ((await loadPdfium()) !== this.document.pdfium)
      throw new DocumentError('PDF_DAMAGED', { field: 'fileInput', detail: 'PDFium could not read it' });
    const texts = read.map((page) =>
      page !== undefined && [...page.fonts.keys()].every((font) => agreed.has(font)) ? page.text : undefined,
    );
    const sure = [...texts.keys()].filter((page) => texts[page] !== undefined);
    if (texts.length - sure.length > sure.length + MOST_OTHERS) return [];
    const samples = new Set([sure[0], sure[sure.length >> 1], sure.at(-1)]);
    const isSame = (page = 0): boolean => simplePageText(this.document, first + page) === texts[page];
    return [...samples].every(isSame) ? texts : [];
  }

  /** Pages from this one on; empty if most are not plain. */
  async #read(first: number): Promise<Read[]> {
    const read: Read[] = [];
    const pages = this.opened.pages.slice(first, first + PAGES_AT_ONCE);
    let others = 0;
    let letters = 0;
    for (const entry of pages) {
      if (read.length % PAGES_PER_BREATH === 0) await breathe(this.signal);
      const page = this.#page(entry);
      read.push(page);
      others += page === undefined ? 1 : -1;
      letters += page?.text.length ?? 0;
      if (others > MOST_OTHERS || this.#decoded > bounds.inflatedBytes) return [];
      if (letters > LETTERS_AT_ONCE) break;
    }
    return read;
  }

  #page(entry: OpenedPdf['pages'][number]): Read {
    try {
      const page = this.#plain.page(entry);
      this.#decoded += page?.size ?? 0;
      const text = page === undefined ? undefined : sureText(page);
      return page === undefined || text === undefined ? undefined : { text, fonts: page.fonts };
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      return undefined;
    }
  }
}
