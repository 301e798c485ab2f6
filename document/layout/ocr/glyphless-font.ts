import { arrayOf, dictOf } from '../../file/objects/index.js';
import { type PDFContext, PDFDict, PDFHexString, PDFName, PDFNumber, type PDFRef } from 'pdf-lib';
import { packedStream } from '../../content/index.js';

/** Advance width of every glyph, in thousandths of the font size. */
export const GLYPH_WIDTH = 500;
/** How far lines reach above and below the base line, in thousandths of the font size: together its size. */
export const [GLYPH_ASCENT, GLYPH_DESCENT] = [800, -200];

const NAME = 'GlyphLessFont';
const UNITS = 1000;
/** Character codes of one `bfchar` section at most (Adobe Technical Note 5014). */
const SECTION = 100;

/**
 * A font for text that is there to be found and copied and not to be seen: every character has a code of its own, the
 * same blank glyph of the same width, and its Unicode value in /ToUnicode (ISO 32000-1, 9.7 and 9.10.3). One serves a
 * whole document; it is embedded, as PDF/A wants it.
 */
export class GlyphlessFont {
  /** Where the font will be; it is there once `finish` was called. */
  readonly ref: PDFRef;
  readonly #codes = new Map<string, number>();

  constructor(private readonly context: PDFContext) {
    this.ref = context.nextRef();
  }

  /** The text as a string of two-byte codes in hexadecimal, and how many they are. */
  encode(text: string): { readonly hex: string; readonly count: number } {
    const characters = [...text];
    return {
      hex: characters.map((character) => fourDigits(this.#codeOf(character))).join(''),
      count: characters.length,
    };
  }

  /** Writes the font; nothing is written where nothing was encoded. */
  finish(): void {
    const { context } = this;
    if (this.#codes.size === 0) return;
    const name = (text: string): PDFName => PDFName.of(text);
    const number = (value: number): PDFNumber => PDFNumber.of(value);
    const program = trueType();
    const file = packedStream(context, dictOf(context, { Length1: number(program.length) }), program);
    const descriptor = context.register(
      dictOf(context, {
        Type: name('FontDescriptor'),
        FontName: name(NAME),
        Flags: number(5),
        ItalicAngle: number(0),
        StemV: number(80),
        CapHeight: number(GLYPH_ASCENT),
        Ascent: number(GLYPH_ASCENT),
        Descent: number(GLYPH_DESCENT),
        FontBBox: arrayOf(context, [0, GLYPH_DESCENT, GLYPH_WIDTH, GLYPH_ASCENT].map(number)),
        FontFile2: file,
      }),
    );
    const glyphs = new Uint8Array((this.#codes.size + 1) * 2);
    for (let code = 1; code <= this.#codes.size; code++) glyphs[code * 2 + 1] = 1;
    const descendant = context.register(
      dictOf(context, {
        Type: name('Font'),
        Subtype: name('CIDFontType2'),
        BaseFont: name(NAME),
        FontDescriptor: descriptor,
        DW: number(GLYPH_WIDTH),
        CIDSystemInfo: dictOf(context, {
          Registry: PDFHexString.of(Buffer.from('Adobe').toString('hex')),
          Ordering: PDFHexString.of(Buffer.from('Identity').toString('hex')),
          Supplement: number(0),
        }),
        CIDToGIDMap: packedStream(context, PDFDict.withContext(context), glyphs),
      }),
    );
    const font = dictOf(context, {
      Type: name('Font'),
      Subtype: name('Type0'),
      BaseFont: name(NAME),
      Encoding: name('Identity-H'),
      DescendantFonts: arrayOf(context, [descendant]),
      ToUnicode: this.#toUnicode(),
    });
    context.assign(this.ref, font);
  }

  #codeOf(character: string): number {
    const known = this.#codes.get(character);
    if (known !== undefined) return known;
    // More characters than there are codes are in no document that people wrote.
    const code = Math.min(this.#codes.size + 1, 0xffff);
    if (code < 0xffff) this.#codes.set(character, code);
    return code;
  }

  #toUnicode(): PDFRef {
    const lines = [...this.#codes].map(
      ([character, code]) =>
        `<${fourDigits(code)}> ` +
        `<${Array.from({ length: character.length }, (_none, i) => fourDigits(character.charCodeAt(i))).join('')}>`,
    );
    const sections: string[] = [];
    for (let at = 0; at < lines.length; at += SECTION) {
      const part = lines.slice(at, at + SECTION);
      sections.push(`${part.length} beginbfchar\n${part.join('\n')}\nendbfchar`);
    }
    const cmap = [
      '/CIDInit /ProcSet findresource begin',
      '12 dict begin',
      'begincmap',
      '/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def',
      '/CMapName /Adobe-Identity-UCS def',
      '/CMapType 2 def',
      '1 begincodespacerange',
      '<0000> <FFFF>',
      'endcodespacerange',
      ...sections,
      'endcmap',
      'CMapName currentdict /CMap defineresource pop',
      'end',
      'end',
      '',
    ].join('\n');
    return packedStream(this.context, PDFDict.withContext(this.context), Buffer.from(cmap, 'latin1'));
  }
}

const fourDigits = (value: number): string => value.toString(16).padStart(4, '0');

/**
 * A TrueType font program of two glyphs without outlines (OpenType 1.9: head, hhea, maxp, hmtx, loca, glyf are what a
 * PDF needs).
 */
function trueType(): Uint8Array {
  const table = (length: number, fill: (view: DataView) => void): Uint8Array => {
    const bytes = new Uint8Array(length);
    fill(new DataView(bytes.buffer));
    return bytes;
  };
  const tables: readonly (readonly [string, Uint8Array])[] = [
    ['glyf', new Uint8Array(4)],
    [
      'head',
      table(54, (view) => {
        view.setUint32(0, 0x00010000);
        view.setUint32(4, 0x00010000);
        view.setUint32(12, 0x5f0f3cf5);
        view.setUint16(18, UNITS);
        view.setInt16(38, GLYPH_DESCENT);
        view.setInt16(40, GLYPH_WIDTH);
        view.setInt16(42, GLYPH_ASCENT);
        view.setUint16(46, 8);
        view.setInt16(48, 2);
      }),
    ],
    [
      'hhea',
      table(36, (view) => {
        view.setUint32(0, 0x00010000);
        view.setInt16(4, GLYPH_ASCENT);
        view.setInt16(6, GLYPH_DESCENT);
        view.setUint16(10, GLYPH_WIDTH);
        view.setInt16(18, 1);
        view.setUint16(34, 2);
      }),
    ],
    [
      'hmtx',
      table(8, (view) => {
        view.setUint16(0, GLYPH_WIDTH);
        view.setUint16(4, GLYPH_WIDTH);
      }),
    ],
    ['loca', new Uint8Array(6)],
    [
      'maxp',
      table(32, (view) => {
        view.setUint32(0, 0x00010000);
        view.setUint16(4, 2);
        view.setUint16(14, 1);
      }),
    ],
  ];
  const power = 2 ** Math.floor(Math.log2(tables.length));
  const head = table(12 + tables.length * 16, (view) => {
    view.setUint32(0, 0x00010000);
    view.setUint16(4, tables.length);
    view.setUint16(6, power * 16);
    view.setUint16(8, Math.log2(power));
    view.setUint16(10, tables.length * 16 - power * 16);
    let offset = 12 + tables.length * 16;
    for (const [i, [tag, bytes]] of tables.entries()) {
      for (let c = 0; c < 4; c++) view.setUint8(12 + i * 16 + c, tag.charCodeAt(c));
      view.setUint32(16 + i * 16, sum(bytes));
      view.setUint32(20 + i * 16, offset);
      view.setUint32(24 + i * 16, bytes.length);
      offset += Math.ceil(bytes.length / 4) * 4;
    }
  });
  const program = Buffer.concat([
    head,
    ...tables.flatMap(([, bytes]) => [bytes, new Uint8Array((4 - (bytes.length % 4)) % 4)]),
  ]);
  const place = 12 + tables.findIndex(([tag]) => tag === 'head') * 16;
  program.writeUInt32BE((0xb1b0afba - sum(program)) >>> 0, program.readUInt32BE(place + 8) + 8);
  return program;
}

/** The sum of big-endian 32-bit words, the last one filled up with zeros. */
function sum(bytes: Uint8Array): number {
  let total = 0;
  for (let at = 0; at < bytes.length; at += 4) {
    total =
      (total +
        (((bytes[at] ?? 0) << 24) |
          ((bytes[at + 1] ?? 0) << 16) |
          ((bytes[at + 2] ?? 0) << 8) |
          (bytes[at + 3] ?? 0))) >>>
      0;
  }
  return total;
}
