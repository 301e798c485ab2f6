import { createRequire } from 'node:module';
import { type PDFContext, type PDFDict, PDFName, PDFRawStream } from 'pdf-lib';
import { type ContentFont, SimpleFont } from '../../fonts/pdf-fonts/index.js';
import { wrapped } from '../../fonts/pdf-fonts/font-program.js';
import { asDict, elements, entry, nameText, resolve } from '../../file/objects/index.js';
import { streamBytes } from '../../file/objects/text-streams.js';

/** Which glyph of a program shows which character. */
export interface WebGlyphs {
  readonly characters: ReadonlyMap<number, number>;
  /** True for a CFF program without the tables of a font file. */
  readonly bare: boolean;
  /** Of such a program: how wide each glyph is, in thousandths. */
  readonly widths: readonly number[];
}

/** The parts of fontkit's CFF table that are used here. */
interface Cff {
  readonly isCIDFont: boolean;
  readonly topDict: {
    readonly CharStrings: { readonly length: number };
    readonly charset:
      | {
          readonly glyphs?: readonly number[];
          readonly ranges?: readonly { readonly first: number; readonly nLeft: number }[];
        }
      | readonly string[];
  };
  getGlyphName(glyph: number): string | null;
}

const MAX_GLYPHS = 65_535;

/**
 * Finds the glyphs of a font's codes (ISO 32000-1, 9.6.6 and 9.7.4). Undefined for programs whose glyphs cannot be
 * determined: Type 1, and composite fonts with an embedded CMap.
 */
export function webGlyphs(context: PDFContext, dict: PDFDict, font: ContentFont, data: Buffer): WebGlyphs | undefined {
  const tag = data.toString('latin1', 0, 4);
  const bare = data[0] === 1 && data[1] === 0 && tag !== '\0\x01\0\0';
  if (!bare && tag !== '\0\x01\0\0' && tag !== 'true' && tag !== 'OTTO') return undefined;
  const cff = bare || tag === 'OTTO' ? cffOf(bare ? wrapped(data) : data) : undefined;
  if ((bare || tag === 'OTTO') && cff === undefined) return undefined;
  const glyphOf = font instanceof SimpleFont ? simpleGlyphs(font, cff) : compositeGlyphs(context, dict, cff);
  if (glyphOf === undefined) return undefined;
  const count = cff?.topDict.CharStrings.length ?? MAX_GLYPHS;
  const widths = bare ? Array.from({ length: count }, () => 0) : [];
  const characters = new Map<number, number>();
  for (const [code, glyph] of glyphOf) {
    if (glyph <= 0 || glyph >= count) continue;
    const [shown] = font.decode(
      font instanceof SimpleFont ? Uint8Array.of(code) : Uint8Array.of(code >> 8, code & 0xff),
    );
    if (shown === undefined) continue;
    if (bare) widths[glyph] = shown.width;
    const [character, ...more] = [...shown.text];
    const point = character?.codePointAt(0);
    if (point !== undefined && point >= 0x20 && more.length === 0 && !characters.has(point))
      characters.set(point, glyph);
  }
  return { characters, bare, widths };
}

function simpleGlyphs(font: SimpleFont, cff: Cff | undefined): (readonly [number, number])[] {
  const codes = Array.from({ length: 256 }, (_none, code) => code);
  if (cff === undefined) return codes.map((code) => [code, font.trueTypeGlyph(code)]);
  const byName = new Map<string, number>();
  for (let glyph = 0; glyph < Math.min(cff.topDict.CharStrings.length, MAX_GLYPHS); glyph++) {
    const name = cff.isCIDFont ? null : cff.getGlyphName(glyph);
    if (name !== null && !byName.has(name)) byName.set(name, glyph);
  }
  return codes.map((code) => [code, byName.get(font.encoding[code] ?? '') ?? 0]);
}

/** Codes that are CIDs themselves; others need a map that the font alone knows. */
function compositeGlyphs(
  context: PDFContext,
  dict: PDFDict,
  cff: Cff | undefined,
): (readonly [number, number])[] | undefined {
  const encoding = resolve(context, entry(dict, 'Encoding'));
  if (!(encoding instanceof PDFName) || !/^Identity-[HV]$/.test(nameText(encoding))) return undefined;
  const codes = Array.from({ length: MAX_GLYPHS }, (_none, code) => code);
  if (cff !== undefined) {
    if (!cff.isCIDFont) return codes.slice(0, cff.topDict.CharStrings.length).map((code) => [code, code]);
    return glyphsOfCids(cff);
  }
  const descendant = asDict(context, elements(context, entry(dict, 'DescendantFonts'))[0]);
  const map = descendant === undefined ? undefined : resolve(context, entry(descendant, 'CIDToGIDMap'));
  if (!(map instanceof PDFRawStream)) return codes.map((code) => [code, code]);
  const gids = streamBytes(context, map);
  return gids === undefined
    ? undefined
    : codes.slice(0, gids.length >> 1).map((code) => [code, gids.readUInt16BE(code * 2)]);
}

function glyphsOfCids({ topDict: { charset, CharStrings } }: Cff): (readonly [number, number])[] {
  if (Array.isArray(charset))
    return Array.from({ length: CharStrings.length }, (_none, glyph) => [glyph, glyph] as const);
  const { glyphs = [], ranges = [] } = charset as Exclude<typeof charset, readonly string[]>;
  const found: [number, number][] = [];
  let glyph = 1;
  for (const cid of glyphs) found.push([cid, glyph++]);
  for (const { first, nLeft } of ranges)
    for (let cid = first; cid <= first + nLeft && glyph < CharStrings.length; cid++) found.push([cid, glyph++]);
  return found;
}

function cffOf(data: Uint8Array): Cff | undefined {
  const fontkit = createRequire(import.meta.url)('fontkit') as typeof import('fontkit');
  return (fontkit.create(Buffer.from(data)) as unknown as Record<string, Cff | undefined>)['CFF '];
}
