import { type PDFContext, PDFDict, PDFName, PDFNumber, PDFRawStream } from 'pdf-lib';
import { asDict, asName, asNumber, elements, entry, nameText, resolve } from '../../file/objects/index.js';
import { decodedContent } from '../../structure/pages/index.js';
import { type CMap, parseCMap } from './cmap.js';
import { type Encoding, namedEncoding, textOfName } from './encodings.js';
import { type ContentFont, encodeWith, type FontGlyph, otherReading, plainText } from './font.js';
import { type FontProgram, readFontProgram } from './font-program.js';
import { standardFont, type StandardFont } from './standard-fonts.js';

const SYMBOLIC = 4;

/** A font whose codes are single bytes: Type 1, TrueType, Type 3 (ISO 32000-1, 9.6). */
export class SimpleFont implements ContentFont {
  readonly name: string;
  readonly vertical = false;
  readonly ascent: number;
  readonly descent: number;
  readonly em: number;
  readonly #context: PDFContext;
  readonly #dict: PDFDict;
  readonly #descriptor: PDFDict | undefined;
  readonly #standard: StandardFont | undefined;
  readonly #type: string | undefined;
  readonly #encoding: Encoding;
  readonly #toUnicode: CMap | undefined;
  readonly #glyphs: FontGlyph[];
  /** Codes of which only `text` is known yet; undefined for a font that is read in one way. */
  readonly #unread: Set<number> | undefined;
  readonly #known: ReadonlySet<number>;
  #program: FontProgram | undefined | null = null;
  #codes: ReadonlyMap<string, Uint8Array> | undefined;

  isAmbiguous = false;

  /** `readProcedure` also asks for what glyphs show where the font contradicts itself (`FontGlyph.drawn`). */
  constructor(
    context: PDFContext,
    dict: PDFDict,
    private readonly readProcedure?: (procedure: PDFRawStream) => string,
  ) {
    this.#context = context;
    this.#dict = dict;
    this.#type = asName(context, entry(dict, 'Subtype'));
    this.#descriptor = asDict(context, entry(dict, 'FontDescriptor'));
    this.name = (asName(context, entry(dict, 'BaseFont')) ?? '').replace(/^[A-Z]{6}\+/, '');
    this.#standard = standardFont(this.name);
    this.#encoding = this.#readEncoding();
    this.#toUnicode = readToUnicode(context, dict);
    const { glyphs, known } = this.#readGlyphs();
    this.#glyphs = glyphs;
    this.#known = known;
    this.#unread =
      readProcedure !== undefined && (this.#type === 'Type3' || this.#toUnicode !== undefined)
        ? new Set(glyphs.keys())
        : undefined;
    if (this.#type === 'Type3') {
      const box = this.#boxOfType3();
      this.em = this.#emOfType3() ?? (box === undefined ? 1 : (box[1] - box[0]) / 1200);
      [this.descent, this.ascent] = box ?? [-250 * this.em, 750 * this.em];
    } else {
      this.em = 1;
      [this.descent, this.ascent] = heights(context, this.#descriptor, this.#standard);
    }
  }

  /** Glyph names by code, from the font dictionary and its defaults. */
  get encoding(): Encoding {
    return this.#encoding;
  }

  /** The glyph of a code in an embedded TrueType program; 0 where it has none. */
  trueTypeGlyph(code: number): number {
    return this.#trueTypeGlyph(code, this.#encoding[code]);
  }

  decode(bytes: Uint8Array): readonly FontGlyph[] {
    // A loop: `Array.from` takes several times as long, and there are millions of calls.
    const glyphs: FontGlyph[] = [];
    const unread = this.#unread;
    for (let i = 0; i < bytes.length; i++) {
      const code = bytes[i]!;
      if (unread !== undefined && unread.has(code)) this.#readDrawn(code, unread);
      glyphs.push(this.#glyphs[code]!);
    }
    return glyphs;
  }

  encode(text: string): Uint8Array | undefined {
    this.#codes ??= this.#readCodes();
    return encodeWith(text, this.#codes);
  }

  get #embedded(): FontProgram | undefined {
    if (this.#program === null) this.#program = readFontProgram(this.#context, this.#descriptor);
    return this.#program;
  }

  #readDrawn(code: number, unread: Set<number>): void {
    // First, since a glyph procedure may use its own font.
    unread.delete(code);
    const glyph = this.#glyphs[code]!;
    const drawn = otherReading(glyph.text, this.#type === 'Type3' ? this.#textOfType3(code) : this.#shownText(code));
    if (drawn === undefined) return;
    this.#glyphs[code] = { ...glyph, drawn };
    this.isAmbiguous = true;
  }

  /** The text that the glyph procedure draws, else that of the glyph's name. */
  #textOfType3(code: number): string | undefined {
    const name = this.#encoding[code];
    const procs = asDict(this.#context, entry(this.#dict, 'CharProcs'));
    const proc = name === undefined || procs === undefined ? undefined : resolve(this.#context, entry(procs, name));
    const text = proc instanceof PDFRawStream ? this.readProcedure?.(proc) : undefined;
    return text || (name === undefined ? undefined : textOfName(name, false));
  }

  /** The text of the glyph that viewers choose for a code, without the ToUnicode map. */
  #shownText(code: number): string | undefined {
    const name = this.#encoding[code];
    const encoding = resolve(this.#context, entry(this.#dict, 'Encoding'));
    const program = this.#type === 'TrueType' ? this.#embedded?.trueType : undefined;
    if (program === undefined) {
      // Without an encoding the codes of an embedded TrueType font are its own.
      if (name === undefined || (this.#type === 'TrueType' && encoding === undefined && this.#isEmbedded()))
        return undefined;
      return textOfName(name, this.#standard?.symbolic === 'ZapfDingbats');
    }
    return program.textOf(this.#trueTypeGlyph(code, name), this.#glyphs[code]!.text);
  }

  /** ISO 32000-1, 9.6.6: the font's base encoding with its differences. */
  #readEncoding(): Encoding {
    const value = resolve(this.#context, entry(this.#dict, 'Encoding'));
    const named =
      value instanceof PDFName
        ? nameText(value)
        : value instanceof PDFDict
          ? asName(this.#context, entry(value, 'BaseEncoding'))
          : undefined;
    const encoding = [...(namedEncoding(named) ?? this.#builtIn())];
    if (!(value instanceof PDFDict)) return encoding;
    let code = 0;
    for (const item of elements(this.#context, entry(value, 'Differences'))) {
      const object = resolve(this.#context, item);
      if (object instanceof PDFNumber) code = object.asNumber();
      else if (object instanceof PDFName && code >= 0 && code < 256) encoding[code++] = nameText(object);
    }
    return encoding;
  }

  /** The encoding where the font dictionary has none. */
  #builtIn(): Encoding {
    const standard = namedEncoding('StandardEncoding')!;
    if (this.#standard?.symbolic !== undefined && this.#descriptor === undefined)
      return namedEncoding(this.#standard.symbolic) ?? standard;
    if (this.#type === 'TrueType') return namedEncoding('WinAnsiEncoding')!;
    if (this.#type === 'Type3') return [];
    const symbolic =
      ((asNumber(this.#context, this.#descriptor === undefined ? undefined : entry(this.#descriptor, 'Flags')) ?? 0) &
        SYMBOLIC) !==
      0;
    return (
      this.#embedded?.encoding ??
      (symbolic && this.#standard?.symbolic !== undefined ? namedEncoding(this.#standard.symbolic) : undefined) ??
      standard
    );
  }

  #readGlyphs(): { glyphs: FontGlyph[]; known: Set<number> } {
    const context = this.#context;
    const widths = elements(context, entry(this.#dict, 'Widths'));
    const first = asNumber(context, entry(this.#dict, 'FirstChar')) ?? 0;
    const missing =
      asNumber(context, this.#descriptor === undefined ? undefined : entry(this.#descriptor, 'MissingWidth')) ?? 0;
    const factor = this.#type === 'Type3' ? this.#type3Scale() * 1000 : 1;
    const known = new Set<number>();
    const dingbat = this.#standard?.symbolic === 'ZapfDingbats';
    const glyphs = Array.from({ length: 256 }, (_unused, code): FontGlyph => {
      const name = this.#encoding[code];
      let width = asNumber(context, widths[code - first]);
      if (width === undefined && widths.length === 0 && name !== undefined) width = this.#standard?.width(name);
      if (width !== undefined) known.add(code);
      const own = this.#toUnicode?.texts.get(code);
      const text = own ?? (name === undefined ? '' : (textOfName(name, dingbat) ?? ''));
      return { code, length: 1, text: plainText(text), width: (width ?? missing) * factor, blank: code === 32 };
    });
    return { glyphs, known };
  }

  #readCodes(): Map<string, Uint8Array> {
    const codes = new Map<string, Uint8Array>();
    for (const { code, text, width } of this.#glyphs) {
      if (text === '' || codes.has(text) || !this.#known.has(code)) continue;
      if (text.trim() === '' ? width > 0 : this.#hasGlyph(code)) codes.set(text, Uint8Array.of(code));
    }
    const hyphen = codes.get('-') ?? codes.get('\u00ad');
    if (hyphen !== undefined) codes.set('-', hyphen);
    const blank = codes.get(' ');
    if (blank !== undefined && !codes.has('\u00a0')) codes.set('\u00a0', blank);
    return codes;
  }

  /** True when the font can really draw the code: a subset contains only the characters that its document used. */
  #hasGlyph(code: number): boolean {
    const name = this.#encoding[code];
    if (this.#type === 'Type3') {
      const procs = asDict(this.#context, entry(this.#dict, 'CharProcs'));
      return name !== undefined && procs !== undefined && resolve(this.#context, entry(procs, name)) !== undefined;
    }
    const program = this.#embedded;
    if (program === undefined) return !this.#isEmbedded() && this.#viewerHas(code);
    if (program.trueType !== undefined && program.names === undefined)
      return program.trueType.hasOutline(this.#trueTypeGlyph(code, name));
    return name !== undefined && program.names?.has(name) === true;
  }

  /** A font that is not embedded is replaced by the viewer's, which has the standard Latin character set. */
  #viewerHas(code: number): boolean {
    if (this.#standard?.symbolic !== undefined) return this.#encoding[code] !== undefined;
    const { text } = this.#glyphs[code]!;
    return (
      text !== '' && (this.#standard === undefined || this.#standard.width(this.#encoding[code] ?? '') !== undefined)
    );
  }

  #isEmbedded(): boolean {
    const descriptor = this.#descriptor;
    return (
      descriptor !== undefined &&
      ['FontFile', 'FontFile2', 'FontFile3'].some((key) => resolve(this.#context, entry(descriptor, key)) !== undefined)
    );
  }

  /** ISO 32000-1, 9.6.6.4. */
  #trueTypeGlyph(code: number, name: string | undefined): number {
    const font = this.#embedded?.trueType;
    if (font === undefined) return 0;
    const flags =
      asNumber(this.#context, this.#descriptor === undefined ? undefined : entry(this.#descriptor, 'Flags')) ?? 0;
    const symbolic = (flags & SYMBOLIC) !== 0;
    if (!symbolic || resolve(this.#context, entry(this.#dict, 'Encoding')) !== undefined) {
      const text = name === undefined ? undefined : textOfName(name, false);
      const glyph =
        (text === undefined || text === '' ? 0 : font.glyphOf(3, 1, text.codePointAt(0) ?? 0)) ||
        macGlyph(font, name) ||
        (name === undefined ? 0 : (font.glyphNamed(name) ?? 0));
      if (glyph !== 0) return glyph;
    }
    return (
      font.glyphOf(3, 0, 0xf000 + code) ||
      font.glyphOf(3, 0, code) ||
      font.glyphOf(1, 0, code) ||
      (symbolic ? font.glyphOf(3, 1, code) : 0)
    );
  }

  #type3Scale(): number {
    const [scale] = elements(this.#context, entry(this.#dict, 'FontMatrix'));
    const value = asNumber(this.#context, scale) ?? 0.001;
    return Number.isFinite(value) ? value : 0.001;
  }

  /** Letters are about half as wide as the font size; the bounding box of a Type 3 font is unreliable. */
  #emOfType3(): number | undefined {
    const widths = this.#glyphs
      .filter(({ text, width }) => /^[\p{Ll}\p{Nd}]$/u.test(text) && width > 0)
      .map(({ width }) => width)
      .sort((a, b) => a - b);
    const middle = widths[widths.length >> 1];
    return middle === undefined ? undefined : middle / 540;
  }

  #boxOfType3(): [number, number] | undefined {
    const box = elements(this.#context, entry(this.#dict, 'FontBBox')).map(
      (value) => asNumber(this.#context, value) ?? 0,
    );
    const up = asNumber(this.#context, elements(this.#context, entry(this.#dict, 'FontMatrix'))[3]) ?? 0.001;
    const [low, high] = [(box[1] ?? 0) * up * 1000, (box[3] ?? 0) * up * 1000];
    return low === high ? undefined : [Math.min(low, high), Math.max(low, high)];
  }
}

function macGlyph(
  font: { glyphOf(platform: number, encoding: number, code: number): number },
  name: string | undefined,
): number {
  const code = name === undefined ? -1 : namedEncoding('MacRomanEncoding')!.indexOf(name);
  return code < 0 ? 0 : font.glyphOf(1, 0, code);
}

/** The font's ToUnicode CMap; undefined when it has none. */
export function readToUnicode(context: PDFContext, dict: PDFDict): CMap | undefined {
  const stream = resolve(context, entry(dict, 'ToUnicode'));
  if (!(stream instanceof PDFRawStream)) return undefined;
  const data = decodedContent(context, stream);
  if (data === undefined) return undefined;
  const map = parseCMap(data);
  return map.texts.size === 0 ? undefined : map;
}

/** Depth and height of a font from its descriptor, where they are plausible. */
export function heights(
  context: PDFContext,
  descriptor: PDFDict | undefined,
  standard: StandardFont | undefined,
): [number, number] {
  if (standard !== undefined) return [standard.descent, standard.ascent];
  const number = (key: string): number =>
    descriptor === undefined ? 0 : (asNumber(context, entry(descriptor, key)) ?? 0);
  const box =
    descriptor === undefined
      ? []
      : elements(context, entry(descriptor, 'FontBBox')).map((value) => asNumber(context, value) ?? 0);
  const ascent = number('Ascent') || (box[3] ?? 0);
  const descent = -Math.abs(number('Descent') || (box[1] ?? 0));
  return [descent < 0 && descent >= -1000 ? descent : -250, ascent > 0 && ascent <= 2000 ? ascent : 800];
}
