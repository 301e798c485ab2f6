import { type PDFDocument, type PDFRef, PDFName, PDFString } from 'pdf-lib';
import { createHash } from 'node:crypto';
import { decimal } from '../content/drawing/numbers.js';
import { type FontFile, ownFontFile } from './families.js';
import type { ShapedLine } from './shape.js';
import type { GlyphPart, ShapedGlyph } from './shaped-glyph.js';
import { type OutlineGlyph, type OutlineStep, buildTrueType } from './truetype.js';

interface UsedGlyph extends OutlineGlyph {
  readonly text: string;
}

/** Extent of a line of text above and below its baseline, from the fonts' metrics, in thousandths of the font size. */
export const ASCENT = 1069;
/** Negative: below the baseline. */
export const DESCENT = -293;
/** From baseline to baseline. */
export const LINE_HEIGHT = ASCENT - DESCENT;
/** Codes are two bytes (Identity-H). */
const MAX_GLYPHS = 65_535;
/** ISO 32000-1, table 123: the font uses glyphs outside the standard Latin set. */
const SYMBOLIC = 4;

/**
 * One composite font of a document that collects every glyph drawn with it, from any font file (ISO 32000-1, 9.7).
 * Write lines with `show`, then call `embed` once. A glyph gets a code for each text it represents, so that text
 * extraction is exact.
 */
export class TextFont {
  /** The font dictionary; `embed` fills it, but resources can refer to it before. */
  readonly ref: PDFRef;
  /** A font of the operator that is tried before the built-in ones. */
  readonly own: FontFile | undefined;
  readonly #document: PDFDocument;
  readonly #codes = new Map<string, number>();
  readonly #glyphs: UsedGlyph[] = [{ steps: [], advance: 0, text: '' }];

  /** `ownFont`: absolute path of a TrueType font of the operator. */
  constructor(document: PDFDocument, ownFont?: string) {
    this.#document = document;
    this.own = ownFontFile(ownFont);
    this.ref = document.context.nextRef();
  }

  /**
   * Operators that show the line at the current text position, for a font size in points. Tf must have set that size.
   */
  show(line: ShapedLine, size: number): string {
    const parts: string[] = [];
    let rise = 0;
    let open = '';
    let pending = 0;
    const close = (): void => {
      if (pending !== 0) open += decimal(-pending);
      pending = 0;
      if (open !== '') parts.push(`[${open}] TJ`);
      open = '';
    };
    for (const glyph of line.glyphs) {
      if (Math.abs(glyph.yOffset - rise) > 0.01) {
        close();
        rise = glyph.yOffset;
        parts.push(`${decimal((rise * size) / 1000)} Ts`);
      }
      const code = this.#codeOf(glyph);
      // TJ numbers move left, so a move to the right is negative (ISO 32000-1, 9.4.3).
      const before = pending + glyph.xOffset;
      if (Math.abs(before) > 0.005) open += decimal(-before);
      open += `<${code.toString(16).padStart(4, '0')}>`;
      pending = glyph.advance - glyph.xOffset - (this.#glyphs[code]?.advance ?? 0);
    }
    close();
    if (rise !== 0) parts.push('0 Ts');
    return parts.join('\n');
  }

  /**
   * The line's glyphs one by one, to be placed by the caller: codes of four hexadecimal digits, measures in thousandths
   * of the font size.
   */
  place(
    line: ShapedLine,
  ): { readonly code: string; readonly advance: number; readonly xOffset: number; readonly yOffset: number }[] {
    return line.glyphs.map((glyph) => ({
      code: this.#codeOf(glyph).toString(16).padStart(4, '0'),
      advance: glyph.advance,
      xOffset: glyph.xOffset,
      yOffset: glyph.yOffset,
    }));
  }

  /**
   * Writes the font program, widths and ToUnicode map into the document; `cidSet` also writes the list of its glyphs
   * that PDF/A-1 requires (ISO 19005-1, 6.3.5).
   */
  embed({ cidSet = false }: { readonly cidSet?: boolean } = {}): void {
    const { context } = this.#document;
    const { bytes, box } = buildTrueType(this.#glyphs, ASCENT, DESCENT);
    const name = PDFName.of(`${subsetTag(bytes)}+QuireNoto`);
    const descriptor = context.register(
      context.obj({
        Type: 'FontDescriptor',
        FontName: name,
        Flags: SYMBOLIC,
        ItalicAngle: 0,
        Ascent: ASCENT,
        Descent: DESCENT,
        CapHeight: 714,
        StemV: 80,
        FontBBox: [box.xMin, box.yMin, box.xMax, box.yMax],
        FontFile2: context.register(context.flateStream(bytes, { Length1: bytes.length })),
        ...(cidSet ? { CIDSet: context.register(context.flateStream(allOf(this.#glyphs.length))) } : {}),
      }),
    );
    const descendant = context.register(
      context.obj({
        Type: 'Font',
        Subtype: 'CIDFontType2',
        BaseFont: name,
        CIDToGIDMap: 'Identity',
        DW: 0,
        FontDescriptor: descriptor,
        CIDSystemInfo: { Registry: PDFString.of('Adobe'), Ordering: PDFString.of('Identity'), Supplement: 0 },
        W: [0, this.#glyphs.map((glyph) => glyph.advance)],
      }),
    );
    context.assign(
      this.ref,
      context.obj({
        Type: 'Font',
        Subtype: 'Type0',
        BaseFont: name,
        Encoding: 'Identity-H',
        DescendantFonts: [descendant],
        ToUnicode: context.register(context.flateStream(toUnicodeMap(this.#glyphs))),
      }),
    );
  }

  #codeOf(glyph: ShapedGlyph): number {
    const outlines = glyph.parts.map(({ face, id, x, y }) => `${face.key}/${id}/${Math.round(x)}/${Math.round(y)}`);
    const key = `${outlines.join('+')}=${glyph.text}`;
    const known = this.#codes.get(key);
    if (known !== undefined) return known;
    const code = this.#glyphs.length;
    if (code > MAX_GLYPHS) throw new RangeError('more glyphs than one font can hold');
    this.#glyphs.push({
      text: glyph.text,
      // Rounded as in the hmtx table: W and the program must agree.
      advance: Math.max(0, Math.round(naturalAdvance(glyph))),
      steps: glyph.parts.flatMap(outlineOf),
    });
    this.#codes.set(key, code);
    return code;
  }
}

/** This many set bits, the highest of each byte first (ISO 32000-1, table 124). */
function allOf(count: number): Uint8Array {
  return Uint8Array.from({ length: Math.ceil(count / 8) }, (_, i) => (0xff << Math.max(0, (i + 1) * 8 - count)) & 0xff);
}

/** The font's width of a single outline, before kerning; for a joined glyph its placed width. */
function naturalAdvance({ parts, advance }: ShapedGlyph): number {
  const [only, second] = parts;
  return only === undefined || second !== undefined
    ? advance
    : only.face.font.getGlyph(only.id).advanceWidth * only.face.scale;
}

function outlineOf({ face, id, x, y }: GlyphPart): OutlineStep[] {
  return face.font.getGlyph(id).path.commands.map(({ command, args }) => ({
    command,
    args: args.map((value, i) => value * face.scale + (i % 2 === 0 ? x : y)),
  }));
}

/** Six capital letters from the program's hash, the same for the same glyphs (ISO 32000-1, 9.6.4). */
function subsetTag(program: Uint8Array): string {
  const hash = createHash('sha256').update(program).digest();
  return [...hash.subarray(0, 6)].map((byte) => String.fromCharCode(65 + (byte % 26))).join('');
}

/** The ToUnicode CMap (ISO 32000-1, 9.10.3), at most 100 lines per block. */
function toUnicodeMap(glyphs: readonly UsedGlyph[]): string {
  const lines = glyphs.flatMap((glyph, code) => (glyph.text === '' ? [] : [`<${hex16(code)}> <${utf16(glyph.text)}>`]));
  const blocks: string[] = [];
  for (let i = 0; i < lines.length; i += 100) {
    const block = lines.slice(i, i + 100);
    blocks.push(`${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`);
  }
  return `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <ffff>
endcodespacerange
${blocks.join('\n')}
endcmap
CMapName currentdict /CMap defineresource pop
end
end`;
}

function utf16(text: string): string {
  return Array.from({ length: text.length }, (_, i) => hex16(text.charCodeAt(i))).join('');
}

function hex16(value: number): string {
  return value.toString(16).padStart(4, '0');
}
