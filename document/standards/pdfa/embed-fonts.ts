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

export interface EmbeddedFonts {
  readonly embedded: number;
  /** Names of fonts for which no program is available. */
  readonly missing: readonly string[];
}

const KINDS: ReadonlySet<string> = new Set(['Type1', 'MMType1', 'TrueType', 'CIDFontType0', 'CIDFontType2']);
const PROGRAMS = ['FontFile', 'FontFile2', 'FontFile3'] as const;
/**
 * A document's widths may be rounded differently from the program's; a larger difference, in thousandths, means another
 * font.
 */
const ROUNDING = 2;
const ASCII_END = 0x7f;
/** Font descriptor flags (ISO 32000-1, table 123). */
const flags = { fixedPitch: 1, serif: 2, symbolic: 4, nonsymbolic: 32, italic: 64 } as const;

/**
 * Embeds programs for fonts that rely on the viewer (ISO 32000-1, 9.6.2.2), in place: the 14 standard fonts and
 * metric-compatible fonts under common aliases get PDFium's programs, so pages look as in PDFium. Letters keep their
 * positions: a font whose widths differ from the program's stays unchanged; only rare characters outside ASCII take the
 * program's width.
 */
export async function embedStandardFonts(context: PDFContext): Promise<EmbeddedFonts> {
  const shared = new Map<string, PDFRef>();
  const missing = new Set<string>();
  let embedded = 0;
  // A copy: newly embedded objects must not be visited.
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

const COMPATIBLE_FAMILIES = new RegExp(
  '^(LiberationSans|LiberationSerif|LiberationMono|Arimo|Tinos|Cousine|NimbusSans|NimbusRoman|NimbusMono)' +
    '(?:L|PS|No9L)?(?:[-,](.*))?$',
);

/** Free families have the widths of the standard fonts; the widths in the document are compared anyway. */
function standardLike(name: string): string | undefined {
  const [, family = '', style = ''] = COMPATIBLE_FAMILIES.exec(name) ?? [];
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
  // The program's width applies to codes without a stated width, too.
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
  // Without an encoding, viewers use another default for TrueType fonts than for Type 1 fonts.
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
 * Fixes common faults of embedded fonts, in place: a missing CIDToGIDMap (ISO 19005-2, 6.2.11.3.2), and, from part 2
 * on, glyph lists, which must be complete if present (6.2.11.4.2) and contain nothing that is missing from the program.
 */
export function fixEmbeddedFonts(context: PDFContext, part: number): void {
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
 * Adds a width for every code between the first and the last (ISO 19005-2, 6.2.11.2); readers use the missing width for
 * the others.
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

/** PDF/A-1 requires the list for subsets (ISO 19005-1, 6.3.5). */
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
