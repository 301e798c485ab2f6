import { type PDFContext, type PDFDict, PDFName, PDFNumber, PDFArray, PDFRawStream } from 'pdf-lib';
import { asDict, asName, asNumber, asText, elements, entry, resolve } from '../../file/objects/index.js';
import { decodedContent } from '../../structure/pages/index.js';
import { cidsOfCollection, textsOfCollection } from './collections.js';
import { bytesOf, type CMap, identityMap, parseCMap } from './cmap.js';
import { type ContentFont, encodeWith, type FontGlyph, otherReading, plainText } from './font.js';
import { textOfName } from './encodings.js';
import { type FontProgram, readFontProgram } from './font-program.js';
import { predefinedMap } from './predefined-maps.js';
import { heights, readToUnicode } from './simple-font.js';

/** The most CIDs with an explicit width; no real font has more. */
const MAX_WIDTHS = 200_000;

/** A font whose codes are mapped by a CMap to CIDs of a CIDFont (ISO 32000-1, 9.7). */
export class CompositeFont implements ContentFont {
  readonly name: string;
  readonly vertical: boolean;
  readonly ascent: number;
  readonly descent: number;
  readonly em = 1;
  readonly #context: PDFContext;
  readonly #descendant: PDFDict | undefined;
  readonly #descriptor: PDFDict | undefined;
  readonly #map: CMap;
  readonly #toUnicode: CMap | undefined;
  readonly #widths: ReadonlyMap<number, number>;
  readonly #defaultWidth: number;
  readonly #heights: ReadonlyMap<number, readonly [number, number]>;
  readonly #defaultHeight: number;
  readonly #glyphs = new Map<number, FontGlyph>();
  #program: FontProgram | undefined | null = null;
  #codes: ReadonlyMap<string, Uint8Array> | undefined;
  #glyphTexts: ReadonlyMap<number, string> | undefined;
  #collection: ReadonlyMap<number, string> | undefined;
  #gids: Uint8Array | undefined;

  isAmbiguous = false;

  /** `readsBoth`: also what glyphs show where the font contradicts itself (`FontGlyph.drawn`). */
  constructor(
    context: PDFContext,
    dict: PDFDict,
    private readonly readsBoth = false,
  ) {
    this.#context = context;
    this.#descendant = asDict(context, elements(context, entry(dict, 'DescendantFonts'))[0]);
    this.#descriptor =
      this.#descendant === undefined ? undefined : asDict(context, entry(this.#descendant, 'FontDescriptor'));
    this.name = (asName(context, entry(dict, 'BaseFont')) ?? '').replace(/^[A-Z]{6}\+/, '');
    this.#map = readEncodingMap(context, dict);
    this.vertical = this.#map.vertical;
    this.#toUnicode = readToUnicode(context, dict);
    const own = this.#descendant;
    this.#widths = own === undefined ? new Map() : readWidths(context, entry(own, 'W'));
    this.#defaultWidth = (own === undefined ? undefined : asNumber(context, entry(own, 'DW'))) ?? 1000;
    this.#heights = own === undefined || !this.vertical ? new Map() : readHeights(context, entry(own, 'W2'));
    this.#defaultHeight =
      (own === undefined ? undefined : asNumber(context, elements(context, entry(own, 'DW2'))[1])) ?? -1000;
    [this.descent, this.ascent] = heights(context, this.#descriptor, undefined);
  }

  decode(bytes: Uint8Array): readonly FontGlyph[] {
    const glyphs: FontGlyph[] = [];
    for (let at = 0; at < bytes.length;) {
      const { code, length } = this.#map.codeAt(bytes, at);
      glyphs.push(this.#glyph(code, length));
      at += length;
    }
    return glyphs;
  }

  encode(text: string): Uint8Array | undefined {
    this.#codes ??= this.#readCodes();
    return encodeWith(text, this.#codes);
  }

  #glyph(code: number, length: number): FontGlyph {
    const key = code * 8 + length;
    const known = this.#glyphs.get(key);
    if (known !== undefined) return known;
    const named = this.#map.textOf?.(bytesOf(code, length) ?? new Uint8Array(0));
    // A CMap named after a character set: its CIDs are those of the collection for the same characters.
    const cid =
      named === undefined || this.#map.cids.has(code)
        ? this.#map.cid(code)
        : cidsOfCollection(this.#ordering()).get(named);
    const width = (cid === undefined ? undefined : this.#widths.get(cid)) ?? this.#defaultWidth;
    const own = this.#toUnicode?.texts.get(code) ?? named ?? this.#textOfGlyph(cid ?? 0) ?? '';
    const [height, originX] = this.#heights.get(cid ?? -1) ?? [this.#defaultHeight, width / 2];
    const text = plainText(own);
    const drawn =
      this.readsBoth && this.#toUnicode !== undefined && cid !== undefined
        ? otherReading(text, named ?? this.#shownText(cid, text))
        : undefined;
    if (drawn !== undefined) this.isAmbiguous = true;
    const glyph: FontGlyph = {
      code,
      length,
      text,
      ...(drawn === undefined ? {} : { drawn }),
      width,
      blank: length === 1 && code === 32,
      ...(this.vertical ? { height, originX } : {}),
    };
    this.#glyphs.set(key, glyph);
    return glyph;
  }

  /** The text of the glyph that viewers draw for a CID, whatever the ToUnicode map says of its codes. */
  #shownText(cid: number, likely: string): string | undefined {
    this.#collection ??= textsOfCollection(this.#ordering()) ?? new Map<number, string>();
    if (this.#collection.size > 0) {
      // Several characters may share a CID.
      return cidsOfCollection(this.#ordering()).get(likely) === cid ? likely : this.#collection.get(cid);
    }
    const program = this.#embedded;
    if (program?.trueType !== undefined) return program.trueType.textOf(this.#glyphIndex(cid), likely);
    const name = program?.cids === undefined ? program?.ordered?.[cid] : undefined;
    return name === undefined ? undefined : textOfName(name, false);
  }

  /** The text from the CIDs' collection or the embedded program, for a font without a ToUnicode map. */
  #textOfGlyph(cid: number): string | undefined {
    if (this.#toUnicode !== undefined) return undefined;
    this.#collection ??= textsOfCollection(this.#ordering()) ?? new Map<number, string>();
    const listed = this.#collection.get(cid);
    if (listed !== undefined || this.#collection.size > 0) return listed;
    // Without a program the code can only be a character.
    if (!this.#isEmbedded()) return this.#map.identity && cid >= 0x20 ? String.fromCharCode(cid) : undefined;
    this.#glyphTexts ??= this.#embedded?.trueType?.texts() ?? new Map<number, string>();
    return this.#glyphTexts.get(this.#glyphIndex(cid));
  }

  get #embedded(): FontProgram | undefined {
    if (this.#program === null) this.#program = readFontProgram(this.#context, this.#descriptor);
    return this.#program;
  }

  #readCodes(): Map<string, Uint8Array> {
    const codes = new Map<string, Uint8Array>();
    const add = (code: number, text: string): void => {
      const bytes = bytesOf(code, this.#map.lengthOf(code));
      const plain = plainText(text);
      if (bytes !== undefined && plain !== '' && !codes.has(plain) && this.#hasGlyph(this.#map.cid(code), plain))
        codes.set(plain, bytes);
    };
    if (this.#toUnicode !== undefined) for (const [code, text] of this.#toUnicode.texts) add(code, text);
    else if (this.#map.identity && this.#embedded?.trueType !== undefined)
      for (let cid = 0; cid < this.#embedded.trueType.glyphs; cid++) add(cid, this.#textOfGlyph(cid) ?? '');
    return codes;
  }

  #hasGlyph(cid: number, text: string): boolean {
    const program = this.#embedded;
    // A viewer's font would draw it, but its glyph for the CID is unknown.
    if (program === undefined) return false;
    if (text.trim() === '') return true;
    if (program.cids !== undefined) return program.cids.has(cid);
    const glyph = this.#glyphIndex(cid);
    if (program.trueType !== undefined) return program.trueType.hasOutline(glyph);
    return cid > 0 && cid < (program.glyphs ?? 0);
  }

  /** The collection that numbers the CIDs, unless they are glyphs of this font only. */
  #ordering(): string {
    const info =
      this.#descendant === undefined ? undefined : asDict(this.#context, entry(this.#descendant, 'CIDSystemInfo'));
    return info === undefined ? '' : (asText(this.#context, entry(info, 'Ordering')) ?? '');
  }

  #isEmbedded(): boolean {
    const descriptor = this.#descriptor;
    return (
      descriptor !== undefined &&
      ['FontFile', 'FontFile2', 'FontFile3'].some((key) => resolve(this.#context, entry(descriptor, key)) !== undefined)
    );
  }

  /** ISO 32000-1, table 117, CIDToGIDMap. */
  #glyphIndex(cid: number): number {
    const stream =
      this.#descendant === undefined ? undefined : resolve(this.#context, entry(this.#descendant, 'CIDToGIDMap'));
    if (!(stream instanceof PDFRawStream)) return cid;
    this.#gids ??= decodedContent(this.#context, stream) ?? new Uint8Array(0);
    return ((this.#gids[cid * 2] ?? 0) << 8) | (this.#gids[cid * 2 + 1] ?? 0);
  }
}

function readEncodingMap(context: PDFContext, dict: PDFDict): CMap {
  const value = resolve(context, entry(dict, 'Encoding'));
  if (value instanceof PDFName)
    return predefinedMap(value.decodeText()) ?? identityMap(value.decodeText().endsWith('V'));
  if (!(value instanceof PDFRawStream)) return identityMap(false);
  const data = decodedContent(context, value);
  const map = data === undefined ? identityMap(false) : parseCMap(data, (name) => predefinedMap(name));
  const base = asName(context, entry(value.dict, 'UseCMap'));
  const below = base === undefined ? undefined : predefinedMap(base);
  if (below !== undefined && map.spaces.length === 0) map.extend(below);
  if (map.spaces.length === 0) map.spaces.push({ low: Uint8Array.of(0, 0), high: Uint8Array.of(255, 255) });
  if (asNumber(context, entry(value.dict, 'WMode')) === 1) map.vertical = true;
  return map;
}

/** ISO 32000-1, 9.7.4.3: `c [w1 w2 …]` and `first last w`. */
function readWidths(context: PDFContext, value: Parameters<typeof elements>[1]): Map<number, number> {
  const widths = new Map<number, number>();
  const items = elements(context, value).map((item) => resolve(context, item));
  for (let i = 0; i < items.length && widths.size < MAX_WIDTHS;) {
    const first = numberIn(items[i]);
    const next = items[i + 1];
    if (next instanceof PDFArray) {
      next.asArray().forEach((width, j) => widths.set(first + j, asNumber(context, width) ?? 0));
      i += 2;
    } else {
      const last = Math.min(numberIn(next), first + 0xffff);
      for (let cid = first; cid <= last; cid++) widths.set(cid, numberIn(items[i + 2]));
      i += 3;
    }
  }
  return widths;
}

/** The same for vertical writing: the pen's displacement and its x position in the glyph, by CID. */
function readHeights(
  context: PDFContext,
  value: Parameters<typeof elements>[1],
): Map<number, readonly [number, number]> {
  const heightsOf = new Map<number, readonly [number, number]>();
  const items = elements(context, value).map((item) => resolve(context, item));
  for (let i = 0; i < items.length && heightsOf.size < MAX_WIDTHS;) {
    const first = numberIn(items[i]);
    const next = items[i + 1];
    if (next instanceof PDFArray) {
      const numbers = next.asArray().map((number) => asNumber(context, number) ?? 0);
      for (let j = 0; j + 2 < numbers.length; j += 3) heightsOf.set(first + j / 3, [numbers[j]!, numbers[j + 1]!]);
      i += 2;
    } else {
      const last = Math.min(numberIn(next), first + 0xffff);
      for (let cid = first; cid <= last; cid++) heightsOf.set(cid, [numberIn(items[i + 2]), numberIn(items[i + 3])]);
      i += 5;
    }
  }
  return heightsOf;
}

function numberIn(value: unknown): number {
  return value instanceof PDFNumber && Number.isFinite(value.asNumber()) ? value.asNumber() : 0;
}
