import { type PDFContext, PDFDict } from 'pdf-lib';
import { type ContentDict, ContentName, type MarkedContent, type Operand, operatorText } from '../../content/index.js';
import { asNumber, entry, setEntry } from '../../file/objects/index.js';
import type { PageEntry } from '../../structure/pages/index.js';
import { dropReplacementTexts } from '../../structure/tags/index.js';

/**
 * Entries of a property list or structure element that describe its content (ISO 32000-1, 14.8 and 14.9; ISO 32000-2,
 * table 363), or contain a copy of its data.
 */
const REPLACEMENT_TEXTS: ReadonlySet<string> = new Set([
  'ActualText',
  'Alt',
  'E',
  'Contents',
  'T',
  'Title',
  'Metadata',
  'PieceInfo',
]);

/**
 * Removes replacement texts (/ActualText and similar entries) from marked content and structure elements of which
 * something was removed.
 */
export class ReplacementTexts {
  /** Identifiers (MCID) of changed marked content, by the key in the parent tree. */
  readonly #touched = new Map<number, Set<number>>();
  readonly #visited = new Set<MarkedContent>();

  constructor(private readonly context: PDFContext) {}

  /** Records that something in this marked content was removed; `page` is the current page. */
  touch(innermost: MarkedContent | undefined, page: PageEntry): void {
    for (let at = innermost; at !== undefined && !this.#visited.has(at); at = at.above) {
      this.#visited.add(at);
      const { properties, frame } = at;
      if (properties === undefined) continue;
      const number = this.#numberIn(properties);
      const key =
        number === undefined
          ? undefined
          : asNumber(this.context, entry(frame.use?.stream.dict ?? page.dict, 'StructParents'));
      if (number !== undefined && key !== undefined) {
        const known = this.#touched.get(key);
        if (known === undefined) this.#touched.set(key, new Set([number]));
        else known.add(number);
      }
      if (properties instanceof PDFDict) {
        // A property list in the resources describes this content wherever it is named.
        for (const name of REPLACEMENT_TEXTS) setEntry(properties, name, undefined);
      } else if ([...properties.keys()].some((name) => REPLACEMENT_TEXTS.has(name))) {
        const kept = new Map<string, Operand>([...properties].filter(([name]) => !REPLACEMENT_TEXTS.has(name)));
        frame.replace(at.operator, operatorText('BDC', new ContentName(at.tag), kept));
      }
    }
  }

  /** Records that all marked content of a page is removed. */
  touchAll(page: PageEntry, numbers: Iterable<number>): void {
    const key = asNumber(this.context, entry(page.dict, 'StructParents'));
    if (key !== undefined) this.#touched.set(key, new Set(numbers));
  }

  /** Updates the structure elements; call once at the end. */
  finish(): void {
    dropReplacementTexts(this.context, this.#touched);
  }

  #numberIn(properties: ContentDict | PDFDict): number | undefined {
    const value =
      properties instanceof PDFDict ? asNumber(this.context, entry(properties, 'MCID')) : properties.get('MCID');
    return typeof value === 'number' ? value : undefined;
  }
}
