import {
  linesAround,
  pdfiumReadingText,
  searchPdfiumText,
  TextSearch,
  withPdfiumText,
} from '@quire/document/redaction/search';
import type { PdfiumDocument } from '@quire/document/engines/pdfium';

/** A rectangle in default user space. */
export interface QuotedPlace {
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
}

/** A quotation of which less than this is left says nothing. */
const LEAST = 2;
/** Letters of a quotation that are looked for: enough to be the only one. Nothing behind them was found. */
export const LONGEST_QUOTATION = 600;

/**
 * Finds quotations in a document, whatever their line ends, hyphenation, blanks, case, quotes and dashes. The texts of
 * pages are read once.
 */
export class Quotations {
  readonly #texts = new Map<number, string>();

  constructor(private readonly document: PdfiumDocument) {}

  /** True when the page (0-based) really holds these words; where some are left out (`…`), all the parts. */
  isOn(page: number, quotation: string): boolean {
    const parts = partsOf(quotation);
    if (parts.length === 0) return false;
    const text = this.#text(page);
    return text !== '' && parts.every((part) => new TextSearch([{ text: part }]).find(text).length > 0);
  }

  /** The first page (0-based) that holds the words, the preferred one first. */
  pageOf(quotation: string, count: number, preferred?: number): number | undefined {
    if (preferred !== undefined && preferred >= 0 && preferred < count && this.isOn(preferred, quotation))
      return preferred;
    for (let page = 0; page < count; page++) if (page !== preferred && this.isOn(page, quotation)) return page;
    return undefined;
  }

  /** Where the words begin on a page: their first line. Undefined where they are not, or have no place. */
  placeOf(page: number, quotation: string): QuotedPlace | undefined {
    const [first] = partsOf(quotation);
    if (first === undefined) return undefined;
    const search = new TextSearch([{ text: first }]);
    if (search.find(this.#text(page)).length === 0) return undefined;
    const places = withPdfiumText(
      this.document,
      page,
      (text) => searchPdfiumText(text, search).matches.find((match) => match.places.length > 0)?.places,
    );
    if (places === undefined) return undefined;
    const begin = places[0]!;
    const lines = linesAround(places);
    const { quad } =
      lines.find(
        ({ angle, line, em, from, to }) =>
          angle === begin.angle && Math.abs(line - begin.line) < em / 2 && from <= begin.from + em && to >= begin.from,
      ) ?? lines[0]!;
    const [xs, ys] = [
      [quad[0], quad[2], quad[4], quad[6]],
      [quad[1], quad[3], quad[5], quad[7]],
    ];
    return { left: Math.min(...xs), bottom: Math.min(...ys), right: Math.max(...xs), top: Math.max(...ys) };
  }

  #text(page: number): string {
    const known = this.#texts.get(page) ?? pdfiumReadingText(this.document, page);
    this.#texts.set(page, known);
    return known;
  }
}

/** The parts of a quotation between marks for what is left out, without quotation marks around it. */
function partsOf(quotation: string): string[] {
  const bare = quotation
    .slice(0, LONGEST_QUOTATION)
    .trim()
    .replace(/^["'\u201c\u201e\u00ab\u2018]+|["'\u201d\u201c\u00bb\u2019]+$/g, '');
  return bare
    .split(/\s*(?:\u2026|\.{3}|\[\s*\u2026\s*\])\s*/)
    .map((part) => part.trim())
    .filter((part) => part.replace(/[^\p{L}\p{N}]/gu, '').length >= LEAST);
}
