import {
  type PDFContext,
  PDFDict,
  type PDFDocument,
  PDFName,
  type PDFObject,
  StandardFontEmbedder,
  StandardFonts,
  pdfDocEncodingDecode,
} from 'pdf-lib';
import { decodeWindows1252 } from '../../file/charsets/index.js';
import { ASCENT, alphabetOfText, DESCENT, drawableText, shapeLine, TextFont } from '../../fonts/index.js';
import { asDict, asName, asNumber, elements, entry, resolve } from '../../file/objects/index.js';

/** A line of text that is ready to be drawn. */
export interface FieldLine {
  /** In thousandths of the font size. */
  readonly width: number;
  /** Returns the operators that draw the line at the current text position; Tf must have set this size before. */
  show(size: number): string;
}

/** A font for the text of a field. Heights are in thousandths of the font size. */
export interface FieldFont {
  readonly ascent: number;
  /** Below the baseline, so negative. */
  readonly descent: number;
  /** The font object that the resources refer to. */
  readonly font: PDFObject;
  line(text: string): Promise<FieldLine>;
}

/** How to treat characters that no font has: report an error, or replace them with a question mark. */
export type MissingCharacters = 'refuse' | 'replace';

const standardNames = new Map(Object.values(StandardFonts).map((name) => [name as string, name]));
/** Other common names of the standard fonts (ISO 32000-1, 9.6.2.2, and its first edition). */
const otherNames: Readonly<Record<string, StandardFonts>> = {
  Arial: StandardFonts.Helvetica,
  ArialMT: StandardFonts.Helvetica,
  'Arial,Bold': StandardFonts.HelveticaBold,
  'Arial-BoldMT': StandardFonts.HelveticaBold,
  TimesNewRoman: StandardFonts.TimesRoman,
  TimesNewRomanPSMT: StandardFonts.TimesRoman,
  CourierNew: StandardFonts.Courier,
  CourierNewPSMT: StandardFonts.Courier,
};

/**
 * Chooses the fonts of a document's fields. A field's own font is used if it is simple and certainly has all characters
 * of the text; any other text, in any script, is drawn with one embedded font. Call `embed` once when all appearances
 * are finished.
 */
export class FieldFonts {
  readonly #document: PDFDocument;
  readonly #simple = new Map<PDFDict, SimpleFont | undefined>();
  #own: TextFont | undefined;

  /** `missing` applies to whatever is drawn from then on. */
  constructor(
    document: PDFDocument,
    public missing: MissingCharacters = 'refuse',
  ) {
    this.#document = document;
  }

  /** Returns the font from the field's resources if it can show the text, else the built-in font. */
  choose(text: string, own: PDFObject | undefined): FieldFont {
    const { context } = this.#document;
    const dict = asDict(context, own);
    if (own === undefined || dict === undefined) return this.builtIn();
    let simple = this.#simple.get(dict);
    if (!this.#simple.has(dict)) this.#simple.set(dict, (simple = simpleFont(context, dict)));
    return simple !== undefined && [...text].every((character) => isControl(character) || simple.codes.has(character))
      ? fieldFontOf(simple, own)
      : this.builtIn();
  }

  /** Returns the embedded font, which covers all scripts. */
  builtIn(): FieldFont {
    const font = (this.#own ??= new TextFont(this.#document));
    const line = async (text: string): Promise<FieldLine> => {
      const alphabet = alphabetOfText(text);
      const shaped = await shapeLine(this.missing === 'replace' ? await drawableText(text, alphabet) : text, alphabet);
      return { width: shaped.width, show: (size) => font.show(shaped, size) };
    };
    return { ascent: ASCENT, descent: DESCENT, font: font.ref, line };
  }

  /** Writes the embedded font if it was used. */
  embed(): void {
    this.#own?.embed();
    this.#own = undefined;
  }
}

/** A font with single-byte character codes. */
interface SimpleFont {
  readonly codes: ReadonlyMap<string, number>;
  readonly width: (code: number, character: string) => number;
  readonly ascent: number;
  readonly descent: number;
}

function fieldFontOf({ codes, width, ascent, descent }: SimpleFont, font: PDFObject): FieldFont {
  const line = async (text: string): Promise<FieldLine> => {
    const characters = [...text]
      .map((character) => (isControl(character) ? ' ' : character))
      .filter((character) => codes.has(character));
    const hex = characters.map((character) => (codes.get(character) ?? 0).toString(16).padStart(2, '0')).join('');
    return {
      width: characters.reduce((sum, character) => sum + width(codes.get(character) ?? 0, character), 0),
      show: () => `<${hex}> Tj`,
    };
  };
  return { ascent, descent, font, line };
}

/** Reads a simple font; returns undefined if it is not certain which characters the font has. */
function simpleFont(context: PDFContext, dict: PDFDict): SimpleFont | undefined {
  const kind = asName(context, entry(dict, 'Subtype'));
  const base = asName(context, entry(dict, 'BaseFont')) ?? '';
  const standard = standardNames.get(base) ?? otherNames[base];
  const codes = encodingOf(context, entry(dict, 'Encoding'));
  // A subset font has only the characters that were drawn with it, and these are unknown.
  if (!['Type1', 'TrueType', 'MMType1'].includes(kind ?? '') || codes === undefined || /^[A-Z]{6}\+/.test(base))
    return undefined;
  if (standard === StandardFonts.Symbol || standard === StandardFonts.ZapfDingbats) return undefined;
  // The standard font names as the metrics library lists them.
  const metrics =
    standard === undefined
      ? undefined
      : StandardFontEmbedder.for(standard as string as Parameters<typeof StandardFontEmbedder.for>[0]);
  const first = asNumber(context, entry(dict, 'FirstChar')) ?? 0;
  const widths = elements(context, entry(dict, 'Widths')).map((value) => asNumber(context, value) ?? 0);
  if (metrics === undefined && widths.length === 0) return undefined;
  const widthOf = (code: number, character: string): number => {
    if (widths.length > 0) return widths[code - first] ?? 0;
    const glyph =
      metrics?.encoding.canEncodeUnicodeCodePoint(character.codePointAt(0) ?? 0) === true
        ? metrics.encoding.encodeUnicodeCodePoint(character.codePointAt(0) ?? 0).name
        : '';
    return metrics?.font.getWidthOfGlyph(glyph) ?? 0;
  };
  const drawn = new Map([...codes].filter(([character, code]) => widthOf(code, character) > 0));
  const descriptor = asDict(context, entry(dict, 'FontDescriptor'));
  // Accented letters rise above the declared ascent of a font; only the bounding box of all glyphs includes them.
  const box =
    metrics?.font.FontBBox ??
    (descriptor === undefined
      ? []
      : elements(context, entry(descriptor, 'FontBBox')).map((value) => asNumber(context, value) ?? 0));
  const [, lowest = 0, , highest = 0] = box;
  return { codes: drawn, width: widthOf, ascent: within(highest, 700, 1100), descent: -within(-lowest, 180, 350) };
}

function within(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}

/**
 * Reads the character codes of the two encodings that form fields use: WinAnsi, and PDFDocEncoding written as
 * differences.
 */
function encodingOf(context: PDFContext, value: PDFObject | undefined): ReadonlyMap<string, number> | undefined {
  const encoding = resolve(context, value);
  if (encoding instanceof PDFName) return encoding === PDFName.of('WinAnsiEncoding') ? winAnsi() : undefined;
  if (!(encoding instanceof PDFDict)) return undefined;
  const base = asName(context, entry(encoding, 'BaseEncoding'));
  const differences = elements(context, entry(encoding, 'Differences'));
  if (differences.length === 0) return base === 'WinAnsiEncoding' ? winAnsi() : undefined;
  const isDocEncoding = asNumber(context, differences[0]) === 24 && asName(context, differences[1]) === 'breve';
  return isDocEncoding ? docEncoding() : undefined;
}

let winAnsiCodes: ReadonlyMap<string, number> | undefined;
function winAnsi(): ReadonlyMap<string, number> {
  return (winAnsiCodes ??= codesOf(decodeWindows1252));
}

let docCodes: ReadonlyMap<string, number> | undefined;
function docEncoding(): ReadonlyMap<string, number> {
  return (docCodes ??= codesOf(pdfDocEncodingDecode));
}

function codesOf(decode: (bytes: Uint8Array) => string): ReadonlyMap<string, number> {
  const codes = new Map<string, number>();
  for (let code = 24; code < 256; code++) {
    const character = decode(Uint8Array.of(code));
    // Some viewers draw the soft hyphen and others omit it.
    if (character.length === 1 && !isControl(character) && character !== '\u00ad' && character !== '\ufffd')
      codes.set(character, code);
  }
  return codes;
}

function isControl(character: string): boolean {
  return /^\p{Cc}$/u.test(character);
}
