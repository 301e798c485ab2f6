import { PDFHexString } from 'pdf-lib';
import {
  ContentLexer,
  ContentName,
  type InlineImage,
  operandText,
  type Operator,
  type Splice,
  splice,
} from '../../content/index.js';
import { isFoundInBytes } from '../document-data/found-in.js';
import type { NewNames } from '../document-data/new-names.js';
import { isFound, type TextFinder } from '../document-data/text-finder.js';
import { readString } from '../document-data/text-string.js';
import { type ByteTerms, NO_TERMS } from './byte-terms.js';
import { cleanPalette } from './clean-images.js';
import { cleanImageData, paletteOf } from './inline-image-data.js';
import { newNameText } from './rename-names.js';

/** Operators whose strings are text on a page (ISO 32000-1, table 109): these are removed by their places. */
const SHOWING: ReadonlySet<string> = new Set(['Tj', 'TJ', "'", '"']);
/** All operators (ISO 32000-1, annex A). */
const OPERATORS: ReadonlySet<string> = new Set(
  (
    'b B b* B* BDC BI BMC BT BX c cm CS cs d d0 d1 Do DP EI EMC ET EX f F f* G g gs h i ID j J K k l m M MP n q Q re ' +
    'RG rg ri s S SC sc SCN scn sh T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz v w W W* y \' "'
  ).split(' '),
);
const BLANK = 0x20;
const LESS = 0x3c;

/** Rules for content, and for character maps, which have the same syntax. */
export interface ContentRules {
  readonly find: TextFinder;
  readonly names: NewNames;
  /** Literal terms, for numbers that spell them; without, only `find` is used. */
  readonly terms?: ByteTerms;
  /** A character map: strings are codes and characters, and its words are programs. */
  readonly isMap?: boolean;
}

interface Stretch {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns content (ISO 32000-1, 7.8.2) without found text outside of the text that it shows, or undefined if there is
 * none: names are renamed, strings of property lists and inline images emptied, comments and unknown operators
 * blanked, and samples of inline images that spell it are overwritten. A default appearance is content as well.
 */
export function cleanContent(bytes: Uint8Array, rules: ContentRules): Uint8Array | undefined {
  const cleaning = new Cleaning(bytes, rules);
  return cleaning.splices.length === 0 ? undefined : splice(bytes, cleaning.splices);
}

class Cleaning {
  splices: Splice[] = [];
  readonly #comments: Stretch[] = [];
  /** Since the last operator. */
  #strings: (Stretch & { readonly value: Uint8Array })[] = [];

  constructor(
    private readonly bytes: Uint8Array,
    private readonly rules: ContentRules,
  ) {
    const lexer = new ContentLexer(bytes, 0, {
      comment: (start, end) => this.#comments.push({ start, end }),
      name: (start, end, text) => {
        const now = newNameText(rules.names, text);
        if (now !== undefined) this.splices.push({ start, end, with: operandText(new ContentName(now)) });
      },
      string: (start, end, value) => this.#strings.push({ start, end, value }),
    });
    for (let operator = lexer.next(); operator !== undefined; operator = lexer.next()) this.#operator(operator);
    this.#emptyStrings();
    this.#blankComments();
    this.splices.sort((a, b) => a.start - b.start);
  }

  #operator(operator: Operator): void {
    const { name, start, end, image } = operator;
    if (image !== undefined) this.#cleanPalette(image);
    if (!SHOWING.has(name)) this.#emptyStrings();
    this.#strings = [];
    if (this.rules.isMap !== true && !OPERATORS.has(name) && isFound(name, this.rules.find))
      this.splices.push({ start: end - name.length, end, with: '' });
    if (image === undefined) return;
    const put = cleanImageData(this.bytes, image, this.rules);
    if (put === undefined) return;
    if (put.data !== undefined) this.splices.push({ start: image.dataStart, end: image.dataEnd, with: put.data });
    else {
      this.splices = this.splices.filter((one) => one.start < start);
      // Its dictionary is cleaned now that its data is.
      this.splices.push({ start, end, with: cleanContent(Buffer.from(put.image), this.rules) ?? put.image });
    }
  }

  /** Colours of an inline image: they change a little, but stay. */
  #cleanPalette(image: InlineImage): void {
    const palette = paletteOf(image);
    const at = palette === undefined ? -1 : this.#strings.findIndex(({ value }) => value === palette);
    const { find, terms = NO_TERMS } = this.rules;
    const [string] = at < 0 ? [] : this.#strings.splice(at, 1);
    const clean = string === undefined ? undefined : cleanPalette(string.value, { find, terms });
    if (string === undefined || clean === undefined) return;
    this.splices.push({ start: string.start, end: string.end, with: `<${Buffer.from(clean).toString('hex')}>` });
  }

  #emptyStrings(): void {
    for (const { start, end, value } of this.#strings)
      if (this.#isFound(value, this.bytes[start] === LESS))
        this.splices.push({ start, end, with: this.rules.isMap === true ? '<fffd>' : '()' });
    this.#strings = [];
  }

  #isFound(value: Uint8Array, isHex: boolean): boolean {
    const { find, isMap } = this.rules;
    if (isMap !== true || !isHex) return isFoundInBytes(Buffer.from(value), find);
    // Characters in UTF-16BE (ISO 32000-1, 9.10.3); a single one is the code of a glyph or its meaning.
    return value.length > 2 && isFound(readString(utf16(value)).text, find);
  }

  #blankComments(): void {
    if (this.#comments.length === 0) return;
    const texts = this.#comments.flatMap(({ start, end }) => [this.bytes.subarray(start, end), Buffer.from('\n')]);
    if (!isFoundInBytes(Buffer.concat(texts), this.rules.find)) return;
    for (const { start, end } of this.#comments)
      this.splices.push({ start, end, with: Buffer.alloc(end - start, BLANK) });
  }
}

function utf16(value: Uint8Array): PDFHexString {
  return PDFHexString.of(`feff${Buffer.from(value).toString('hex')}`);
}
