import type { PDFDict, PDFRawStream } from 'pdf-lib';
import { agreedFonts, type PlainPage } from '@quire/document/redaction/plain';
import type { OpenedPdf } from '@quire/document/file/open';
import { contentStreams } from '@quire/document/structure/pages';
import { entry } from '@quire/document/file/objects';

/** What a plain page consists of; its text is searched already. */
type Parts = Pick<PlainPage, 'fonts' | 'streams'>;

/**
 * Pages on which PDFium finds nothing that Quire's own parser does not find: their content is plain, and PDFium reads
 * every code of their fonts in the same way.
 */
export class SurePages {
  readonly #pages = new Map<PDFDict, Parts>();

  /** Notes a plain page. */
  note(page: PDFDict, { fonts, streams }: Parts): void {
    this.#pages.set(page, { fonts, streams });
  }

  forget(page: PDFDict): void {
    this.#pages.delete(page);
  }

  /** Lets PDFium read the fonts, and forgets the pages with those that it reads differently. */
  async confirm({ document: { context } }: OpenedPdf, signal: AbortSignal): Promise<void> {
    const fonts = new Map([...this.#pages.values()].flatMap((page) => [...page.fonts]));
    const agreed = await agreedFonts(context, fonts, signal);
    for (const [dict, page] of this.#pages)
      if (![...page.fonts.keys()].every((font) => agreed.has(font))) this.#pages.delete(dict);
  }

  has(page: PDFDict): boolean {
    return this.#pages.has(page);
  }

  /** Indexes of the pages that still have the content that was read. */
  unchanged({ document: { context }, pages }: OpenedPdf): Set<number> {
    const same = (dict: PDFDict): boolean => {
      const known = this.#pages.get(dict)?.streams;
      const now: readonly PDFRawStream[] = contentStreams(context, entry(dict, 'Contents'));
      return known !== undefined && known.length === now.length && known.every((stream, i) => stream === now[i]);
    };
    return new Set([...pages.keys()].filter((index) => same(pages[index]!.dict)));
  }
}
