import { type PDFContext, PDFDict, PDFName, PDFNumber, type PDFRef, PDFString } from 'pdf-lib';
import { packedStream, readFontProgram, SimpleFont, standardFont, standardName } from '../../content/index.js';
import {
  arrayOf,
  asDict,
  asName,
  asNumber,
  dictOf,
  elements,
  entry,
  resolve,
  setEntry,
} from '../../file/objects/index.js';
import { everyObject } from '../../file/objects/index.js';
import { standardFontProgram } from '../../engines/pdfium/index.js';
import { withWidths } from './cff-widths.js';

/** What became of fonts that were not embedded. */
export interface EmbeddedFonts {
  readonly embedded: number;
  /** Names of those for which no program is at hand. */
  readonly missing: readonly string[];
}

const KINDS: ReadonlySet<string> = new Set(['Type1', 'MMType1', 'TrueType', 'CIDFontType0', 'CIDFontType2']);
const PROGRAMS = ['FontFile', 'FontFile2', 'FontFile3'] as const;
/**
 * A document's own widths may be rounded otherwise than the program's; beyond this, in thousandths, it is another font.
 */
const ROUNDING = 2;
const ASCII_END = 0x7f;
/** Font descriptor flags (ISO 32000-1, table 123). */
const flags = { fixedPitch: 1, serif: 2, symbolic: 4, nonsymbolic: 32, italic: 64 } as const;

/**
 * Gives the fonts that lean on the viewer's (ISO 32000-1, 9.6.2.2) a program, in place: the 14 standard fonts and those
 * with the same widths under their usual other names get PDFium's own, so pages look as PDFium shows them. Letters stay
 * where they are: a font whose widths differ from the program's is left as it was; only rare signs beyond ASCII take
 * the program's width.
 */
export async function embedStandardFonts(context: PDFContext): Promise<EmbeddedFonts> {
  const shared = new Map<string, PDFRef>();
  const missing = new Set<string>();
  let embedded = 0;
  // What is embedded on the way must not be walked, too.
  const fonts = [...fontsOf(context)];
  for (const font of fonts) {
    if (isEmbedded(context, font)) continue;
    const base = asName(context, entry(font, 'BaseFont')) ?? '';
    const name = (asName(context, entry(font, 'Subtype')) ?? '').startsWith('CID')
      ? undefined
      : standardLike(base.replace(/^[A-Z]{6}\+/, ''));
    if (name !== undefined && (await embed(context, font, name, shared))) embedded += 1;
    else missing.add(base);
  }
  return { embedded, missing: [...missing] };
}

/** Names of the fonts that need a program and have none, used or not. */
export function fontsWithoutProgram(context: PDFContext): string[] {
  return [
    ...new Set(
      [...fontsOf(context)]
        .filter((font) => !isEmbedded(context, font))
        .map((font) => asName(context, entry(font, 'BaseFont')) ?? ''),
    ),
  ];
}

/** Every font dictionary that needs a program. */
function* fontsOf(context: PDFContext): Generator<PDFDict> {
  for (const object of everyObject(context)) {
    if (
      object instanceof PDFDict &&
      KINDS.has(asName(context, entry(object, 'Subtype')) ?? '') &&
      entry(object, 'BaseFont') !== undefined
    )
      yield object;
  }
}

/** Free families were drawn to the widths of the standard fonts; their own widths are held against those anyway. */
function standardLike(name: string): string | undefined {
  const [, family = '', style = ''] =
    /^(LiberationSans|LiberationSerif|LiberationMono|Arimo|Tinos|Cousine|NimbusSans|NimbusRoman|NimbusMono)(?:L|PS|No9L)?(?:[-,](.*))?$/.exec(
      name,
    ) ?? [];
  if (family === '') return standardName(name);
  const standard = /Serif|Tinos|Roman/.test(family) ? 'Times' : /Mono|Cousine/.test(family) ? 'Courier' : 'Helvetica';
  return standardName(style === '' ? standard : `${standard}-${style}`);
}

function isEmbedded(context: PDFContext, font: PDFDict): boolean {
  const descriptor = asDict(context, entry(font, 'FontDescriptor'));
  return descriptor !== undefined && PROGRAMS.some((key) => resolve(context, entry(descriptor, key)) !== undefined);
}

async function embed(context: PDFContext, font: PDFDict, name: string, shared: Map<string, PDFRef>): Promise<boolean> {
  const metrics = standardFont(name);
  if (metrics === undefined) return false;
  const before = new SimpleFont(context, font);
  const widths = before.encoding.map((glyph) => (glyph === undefined ? 0 : (metrics.width(glyph) ?? 0)));
  const first = asNumber(context, entry(font, 'FirstChar')) ?? 0;
  const stated = elements(context, entry(font, 'Widths')).map((value) => asNumber(context, value) ?? 0);
  if (
    stated.some(
      (width, i) =>
        first + i < ASCII_END &&
        width > 0 &&
        (widths[first + i] ?? 0) > 0 &&
        Math.abs(width - (widths[first + i] ?? 0)) > ROUNDING,
    )
  )
    return false;
  let program = shared.get(name);
  if (program === undefined)
    shared.set(
      name,
      (program = packedStream(
        context,
        dictOf(context, { Subtype: PDFName.of('Type1C') }),
        withWidths(await standardFontProgram(name), (glyph) => metrics.width(glyph)),
      )),
    );
  const own = asDict(context, entry(font, 'FontDescriptor'));
  const descriptor = describe(context, name, program, own);
  // A width beyond those that it states is that of the program, too.
  setEntry(font, 'FirstChar', PDFNumber.of(0));
  setEntry(font, 'LastChar', PDFNumber.of(255));
  setEntry(
    font,
    'Widths',
    arrayOf(
      context,
      widths.map((width) => PDFNumber.of(width)),
    ),
  );
  setEntry(font, 'FontDescriptor', context.register(descriptor));
  setEntry(font, 'BaseFont', PDFName.of(name));
  const encoding = resolve(context, entry(font, 'Encoding'));
  // The programs of the two symbolic fonts have the standard's glyphs but not its codes.
  if (metrics.symbolic !== undefined) setEntry(font, 'Encoding', differences(context, before.encoding));
  // Without an encoding TrueType fonts of viewers have another one than Type 1 fonts.
  if (
    metrics.symbolic === undefined &&
    encoding === undefined &&
    asName(context, entry(font, 'Subtype')) === 'TrueType'
  )
    setEntry(font, 'Encoding', PDFName.of('WinAnsiEncoding'));
  setEntry(font, 'Subtype', PDFName.of('Type1'));
  return true;
}

function differences(context: PDFContext, encoding: readonly (string | undefined)[]): PDFDict {
  const named = encoding.flatMap((glyph, code) => (glyph === undefined ? [] : [PDFNumber.of(code), PDFName.of(glyph)]));
  return dictOf(context, { Type: PDFName.of('Encoding'), Differences: arrayOf(context, named) });
}

function describe(context: PDFContext, name: string, program: PDFRef, own: PDFDict | undefined): PDFDict {
  const symbolic = name === 'Symbol' || name === 'ZapfDingbats';
  const metrics = standardFont(name);
  const kind = symbolic
    ? flags.symbolic
    : flags.nonsymbolic |
      (name.startsWith('Courier') ? flags.fixedPitch : 0) |
      (name.startsWith('Times') ? flags.serif : 0);
  const italic = /Italic|Oblique/.test(name);
  const number = (value: number): PDFNumber => PDFNumber.of(value);
  const boxOf = (): PDFNumber[] => [-250, metrics?.descent ?? -300, 1200, metrics?.ascent ?? 1000].map(number);
  return dictOf(context, {
    Type: PDFName.of('FontDescriptor'),
    FontName: PDFName.of(name),
    Flags: number(kind | (italic ? flags.italic : 0)),
    FontBBox: own === undefined ? arrayOf(context, boxOf()) : (entry(own, 'FontBBox') ?? arrayOf(context, boxOf())),
    ItalicAngle: number(italic ? -12 : 0),
    Ascent: number(metrics?.ascent ?? 750),
    Descent: number(metrics?.descent ?? -250),
    CapHeight: number(Math.min(metrics?.ascent ?? 700, 720)),
    StemV: number(name.includes('Bold') ? 140 : 84),
    FontFile3: program,
  });
}

/**
 * Puts right, in place, what embedded fonts often say of themselves and PDF/A asks for otherwise: CIDToGIDMap where a
 * font leaves it to its default (ISO 19005-2, 6.2.11.3.2), and, from part 2 on, lists of glyphs, which must be complete
 * if they are there (6.2.11.4.2) and tell nothing that the program does not.
 */
export function mendEmbeddedFonts(context: PDFContext, part: number): void {
  for (const font of fontsOf(context)) {
    const kind = asName(context, entry(font, 'Subtype'));
    const descriptor = asDict(context, entry(font, 'FontDescriptor'));
    setEntry(font, 'Type', PDFName.of('Font'));
    if (descriptor === undefined) continue;
    completeWidths(context, font, descriptor);
    if (
      kind === 'CIDFontType2' &&
      resolve(context, entry(font, 'CIDToGIDMap')) === undefined &&
      isEmbedded(context, font)
    )
      setEntry(font, 'CIDToGIDMap', PDFName.of('Identity'));
    if (part > 1) for (const key of ['CIDSet', 'CharSet']) setEntry(descriptor, key, undefined);
    else listGlyphs(context, font, descriptor);
  }
}

/**
 * A width for every code between the first and the last (ISO 19005-2, 6.2.11.2); readers take the missing width for the
 * others.
 */
function completeWidths(context: PDFContext, font: PDFDict, descriptor: PDFDict): void {
  const widths = elements(context, entry(font, 'Widths'));
  const [first, last] = ['FirstChar', 'LastChar'].map((key) => asNumber(context, entry(font, key)));
  if (widths.length === 0 || first === undefined || last === undefined || last > 255) return;
  const missing = PDFNumber.of(asNumber(context, entry(descriptor, 'MissingWidth')) ?? 0);
  const wanted = last - first + 1;
  if (wanted > widths.length)
    setEntry(
      font,
      'Widths',
      arrayOf(context, [...widths, ...Array.from({ length: wanted - widths.length }, () => missing)]),
    );
  else if (wanted < widths.length) setEntry(font, 'LastChar', PDFNumber.of(first + widths.length - 1));
}

/** PDF/A-1 asks for the list, of subsets (ISO 19005-1, 6.3.5). */
function listGlyphs(context: PDFContext, font: PDFDict, descriptor: PDFDict): void {
  if (!/^[A-Z]{6}\+/.test(asName(context, entry(font, 'BaseFont')) ?? '')) return;
  const program = readFontProgram(context, descriptor);
  if (program === undefined) return;
  const kind = asName(context, entry(font, 'Subtype')) ?? '';
  if (kind === 'Type1' && program.names !== undefined && entry(descriptor, 'CharSet') === undefined) {
    const names = [...program.names].filter((name) => name !== '.notdef' && name !== '');
    setEntry(descriptor, 'CharSet', PDFString.of(names.map((name) => `/${name}`).join('')));
  }
  if (!kind.startsWith('CIDFont')) return;
  const cids = program.cids ?? everyUpTo(program.trueType?.glyphs ?? program.glyphs ?? 0);
  const top = [...cids].reduce((most, cid) => Math.max(most, cid), -1);
  if (top < 0 || top > 0xffff) return;
  const bits = Buffer.alloc(Math.ceil((top + 1) / 8));
  for (const cid of cids) bits[cid >> 3] = (bits[cid >> 3] ?? 0) | (0x80 >> (cid & 7));
  setEntry(descriptor, 'CIDSet', packedStream(context, dictOf(context, {}), bits));
}

function everyUpTo(count: number): ReadonlySet<number> {
  return new Set(Array.from({ length: count }, (_unused, i) => i));
}
