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
  type PaintedText,
} from '../../content/index.js';
import { DocumentError, isTooComplex } from '../../errors.js';
import { asNumber, entry } from '../../file/objects/index.js';
import type { PageEntry } from '../pages/index.js';

/** How much text there is. */
export interface TextCounts {
  /** Length in UTF-16 units, a line feed between lines, no white space at the ends. */
  readonly characters: number;
  /** Stretches between white space. */
  readonly words: number;
  /** Lines that hold more than white space. */
  readonly lines: number;
}

/** A gap in a line that is a blank, as a part of the font size. */
const WORD_GAP = 0.15;
/** Text of marked content that is kept, in UTF-16 units of all together. */
const MAX_MARKED = 16 * 1024 * 1024;
/** Refusals for what all pages together cost. */
const ofAllPages: ReadonlySet<string> = new Set(['INPUT_TOO_COMPLEX', 'PDF_INFLATED_TOTAL', 'PDF_TOO_BROKEN']);

/**
 * Reads what pages say, in the order in which it is painted, with that of their forms, in one walk over their content.
 * With `tagged`, the text of marked content that structure elements may name is kept (ISO 32000-1, 14.7.4).
 */
export class PageTexts {
  readonly #reader: ContentReader;
  readonly #marked = new Map<PDFDict | PDFRawStream, Map<number, string>>();
  readonly #ids = new WeakMap<MarkedContent, number>();
  /** The first use of a form counts: its content is the same each time. */
  readonly #forms = new Map<PDFRawStream, Frame>();
  readonly #tagged: boolean;
  #kept = 0;
  #decoded = 0;
  #refusal: DocumentError | undefined;
  #text = '';
  #pen: readonly [number, number] | undefined;
  #actual: MarkedContent | undefined;

  constructor(context: PDFContext, { tagged }: { readonly tagged: boolean }) {
    this.#reader = new ContentReader(context);
    this.#tagged = tagged;
  }

  /**
   * Counts the text of a page. Errors: those of `ContentReader.page`; PDF_INFLATED_TOTAL after 1 GiB of content. What
   * is too complex is not tried on further pages: thousands may share it.
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
    [this.#text, this.#pen, this.#actual] = ['', undefined, undefined];
    const marks = this.#tagged && !this.#marked.has(page.dict);
    if (marks) this.#marked.set(page.dict, new Map());
    const { bytes } = this.#reader.page(page, { text: (painted) => this.#add(painted, marks ? page.dict : undefined) });
    this.#decoded += bytes.length;
    if (this.#decoded > bounds.inflatedBytes)
      throw new DocumentError('PDF_INFLATED_TOTAL', { limit: bounds.inflatedBytes });
    return counted(this.#text.trim());
  }

  /**
   * Text of marked content by its page, or the form it stands in, and its number; empty for content that paints none.
   */
  marked(owner: PDFDict | PDFRawStream, id: number): string {
    return (this.#marked.get(owner)?.get(id) ?? '').trim();
  }

  #add(painted: PaintedText, page: PDFDict | undefined): void {
    const { glyphs, matrix, font, state, marked } = painted;
    const [first, last] = [glyphs[0], glyphs.at(-1)];
    if (first === undefined || last === undefined) return;
    const size = state.text.size * state.text.scale * font.em || 1;
    const place = (at: number): readonly [number, number] =>
      font.vertical ? applyTo(matrix, 0, at) : applyTo(matrix, at, 0);
    const back = this.#pen === undefined ? undefined : inverse(matrix);
    let text =
      back === undefined || this.#pen === undefined
        ? ''
        : gapText(back, this.#pen, place(first.at), size, font.vertical);
    this.#pen = place(last.at + last.advance);
    const actual = marked === undefined ? undefined : actualTextOf(marked);
    // What stands for all of the marked content is read once, with the first of its glyphs.
    if (actual === undefined || actual.marked !== this.#actual) text += actual?.text ?? shown(painted, size);
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

  /** The number of marked content (/MCID), -1 for content without. */
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

/** The characters of one show operator, with blanks where its glyphs stand apart. */
function shown({ glyphs, font }: PaintedText, size: number): string {
  let text = '';
  let end: number | undefined;
  for (const glyph of glyphs) {
    if (end !== undefined && end !== glyph.at && (font.vertical ? end - glyph.at : glyph.at - end) / size > WORD_GAP)
      text += ' ';
    // Fonts that do not say what their code 32 is use it as a blank all the same.
    text += glyph.text === '' && glyph.blank ? ' ' : glyph.text;
    end = glyph.at + glyph.advance;
  }
  return text;
}

/** Counts what is in a text in one go. */
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
