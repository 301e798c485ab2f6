import { PDFDict, type PDFContext, type PDFRawStream } from 'pdf-lib';
import { bounds } from '../../bounds.js';
import {
  actualTextOf,
  applyTo,
  ContentReader,
  type Frame,
  gapText,
  inverse,
  type MarkedContent,
  Pen,
  type ShownText,
  WORD_GAP,
} from '../../content/index.js';
import { PlainPages, type TextCounts } from '../../content/plain/index.js';
import { DocumentError, isTooComplex } from '../../errors.js';
import { asNumber, entry } from '../../file/objects/index.js';
import type { PageEntry } from '../pages/index.js';

/** Most text of marked content that is kept, in UTF-16 code units for all pages together. */
const MAX_MARKED = 16 * 1024 * 1024;
/** After so many more pages that are not plain (`PlainPages`), pages are read completely at once. */
const MOST_OTHERS = 8;
/** Errors about limits for all pages together. */
const ofAllPages: ReadonlySet<string> = new Set(['INPUT_TOO_COMPLEX', 'PDF_INFLATED_TOTAL', 'PDF_TOO_BROKEN']);

/**
 * Reads the text of pages in painting order, including that of forms, in one pass over the content. With `tagged`, the
 * text of marked content that structure elements may refer to is kept (ISO 32000-1, 14.7.4).
 */
export class PageTexts {
  readonly #reader: ContentReader;
  readonly #marked = new Map<PDFDict | PDFRawStream, Map<number, string>>();
  readonly #ids = new WeakMap<MarkedContent, number>();
  /** Only the first use of a form is read: its content is always the same. */
  readonly #forms = new Map<PDFRawStream, Frame>();
  readonly #tagged: boolean;
  readonly #plain: PlainPages;
  /** Pages that are not plain, less those that are: most documents have either. */
  #others = 0;
  #kept = 0;
  #decoded = 0;
  #refusal: DocumentError | undefined;
  #text = '';
  #pen: readonly [number, number] | undefined;
  #actual: MarkedContent | undefined;

  constructor(context: PDFContext, { tagged }: { readonly tagged: boolean }) {
    this.#reader = new ContentReader(context);
    this.#tagged = tagged;
    this.#plain = new PlainPages(this.#reader);
  }

  /**
   * Counts the text of a page. Throws the errors of `ContentReader.page`, and PDF_INFLATED_TOTAL after 1 GiB of
   * content. After an error about a limit no further page is read, since thousands may share the same content.
   */
  read(page: PageEntry): TextCounts {
    if (this.#refusal !== undefined) throw this.#refusal;
    try {
      return this.#read(page);
    } catch (error) {
      if (isTooComplex(error) && ofAllPages.has(error.code)) this.#refusal = error;
      throw error;
    }
  }

  #read(page: PageEntry): TextCounts {
    const plain = this.#tagged || this.#others > MOST_OTHERS ? undefined : this.#plain.page(page);
    this.#others += plain === undefined ? 1 : -1;
    if (plain !== undefined) {
      this.#spend(plain.size);
      return plain.counts;
    }
    [this.#text, this.#pen, this.#actual] = ['', undefined, undefined];
    const marks = this.#tagged && !this.#marked.has(page.dict);
    if (marks) this.#marked.set(page.dict, new Map());
    const { bytes } = this.#reader.page(page, { show: (painted) => this.#add(painted, marks ? page.dict : undefined) });
    this.#spend(bytes.length);
    return counted(this.#text.trim());
  }

  #spend(decoded: number): void {
    this.#decoded += decoded;
    if (this.#decoded > bounds.inflatedBytes)
      throw new DocumentError('PDF_INFLATED_TOTAL', { limit: bounds.inflatedBytes });
  }

  /** Returns the text of marked content by its page or form and its identifier; empty if the content paints none. */
  marked(owner: PDFDict | PDFRawStream, id: number): string {
    return (this.#marked.get(owner)?.get(id) ?? '').trim();
  }

  #add(painted: ShownText, page: PDFDict | undefined): void {
    const { matrix, font, state, marked } = painted;
    const size = state.text.size * state.text.scale * font.em || 1;
    const string = shown(painted, size);
    if (string === undefined) return;
    const place = (at: number): readonly [number, number] =>
      font.vertical ? applyTo(matrix, 0, at) : applyTo(matrix, at, 0);
    const back = this.#pen === undefined ? undefined : inverse(matrix);
    let text =
      back === undefined || this.#pen === undefined
        ? ''
        : gapText(back, this.#pen, place(string.start), size, font.vertical);
    this.#pen = place(string.end);
    const actual = marked === undefined ? undefined : actualTextOf(marked);
    // /ActualText of a whole marked content is used once, with the first of its glyphs.
    if (actual === undefined || actual.marked !== this.#actual) text += actual?.text ?? string.text;
    this.#actual = actual?.marked;
    this.#text += text;
    if (page !== undefined && marked !== undefined) this.#keep(page, marked, text);
  }

  #keep(page: PDFDict, innermost: MarkedContent, text: string): void {
    let marked: MarkedContent | undefined = innermost;
    let id = this.#idOf(marked);
    while (id < 0 && marked !== undefined) if ((marked = marked.above) !== undefined) id = this.#idOf(marked);
    if (marked === undefined || (this.#kept += text.length) > MAX_MARKED) return;
    const form = marked.frame.use?.stream;
    if (form !== undefined && (this.#forms.get(form) ?? marked.frame) !== marked.frame) return;
    if (form !== undefined) this.#forms.set(form, marked.frame);
    const texts = this.#marked.get(form ?? page) ?? new Map<number, string>();
    this.#marked.set(form ?? page, texts);
    texts.set(id, (texts.get(id) ?? '') + text);
  }

  /** Returns the identifier of marked content (/MCID), or -1. */
  #idOf(marked: MarkedContent): number {
    const known = this.#ids.get(marked);
    if (known !== undefined) return known;
    const { properties } = marked;
    const value =
      properties instanceof PDFDict ? asNumber(properties.context, entry(properties, 'MCID')) : properties?.get('MCID');
    const id = typeof value === 'number' && value >= 0 ? value : -1;
    this.#ids.set(marked, id);
    return id;
  }
}

/**
 * Returns the characters of one text-showing operator, with blanks for gaps between glyphs, and where they start and
 * end; undefined without glyphs.
 */
function shown(
  { parts, font, state }: ShownText,
  size: number,
): { readonly text: string; readonly start: number; readonly end: number } | undefined {
  const pen = new Pen(font, state.text);
  let text = '';
  let start: number | undefined;
  let end = 0;
  for (const part of parts) {
    if (typeof part === 'number') {
      pen.back(part);
      continue;
    }
    for (const glyph of part) {
      const { at } = pen;
      if (start === undefined) start = at;
      else if (end !== at && (font.vertical ? end - at : at - end) / size > WORD_GAP) text += ' ';
      // Fonts that do not define code 32 use it as a blank anyway.
      text += glyph.text === '' && glyph.blank ? ' ' : glyph.text;
      end = at + pen.advance(glyph);
    }
  }
  return start === undefined ? undefined : { text, start, end };
}

/** Counts characters, words and lines in one pass. */
function counted(text: string): TextCounts {
  let [words, lines, blank, fresh] = [0, 0, true, true];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 32 && !isSpace(code)) {
      if (blank) words++;
      if (fresh) lines++;
      [blank, fresh] = [false, false];
    } else {
      blank = true;
      if (code === 10 || code === 13) fresh = true;
    }
  }
  return { characters: text.length, words, lines };
}

function isSpace(code: number): boolean {
  return (
    code === 0x85 ||
    code === 0xa0 ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000
  );
}
