import { type PDFContext, PDFDict, PDFName, type PDFObject, PDFRawStream } from 'pdf-lib';
import { type ContentFont, standardName } from '../../../fonts/pdf-fonts/index.js';
import { asDict, asName, asNumber, asText, elements, entry, nameText, resolve } from '../../../file/objects/index.js';
import { streamBytes } from '../../../file/objects/text-streams.js';
import type { JsonFont, RawObject, Type3Glyph } from '../model.js';
import { webFont } from '../web-font.js';

/** Largest font program that is exported a second time for browsers. */
const MAX_WEB_PROGRAM = 4 * 1024 * 1024;
/** Largest font program that is exported. */
const MAX_PROGRAM = 64 * 1024 * 1024;

/** Which parts of a font are exported. */
export interface FontDetail {
  /** With programs and the dictionary's tree. */
  readonly programs: boolean;
  /** Tree of the font's dictionary; absent if it is not exported. */
  readonly tree?: (font: PDFObject) => RawObject | undefined;
}

/** A font that a page uses. */
export interface UsedFont {
  readonly dict: PDFDict;
  readonly id: string;
  /** The first page that uses it, from 1. */
  readonly pageNumber: number;
}

/** Exports a font (ISO 32000-1, 9.6 to 9.8). */
export function tellFont(
  context: PDFContext,
  { dict, id, pageNumber }: UsedFont,
  font: ContentFont,
  { programs, tree }: FontDetail,
): JsonFont {
  const subtype = asName(context, entry(dict, 'Subtype'));
  const descendant = asDict(context, elements(context, entry(dict, 'DescendantFonts'))[0]);
  const descriptor = asDict(context, entry(descendant ?? dict, 'FontDescriptor'));
  const number = (key: string): number | undefined =>
    descriptor === undefined ? undefined : asNumber(context, entry(descriptor, key));
  const baseName = asName(context, entry(dict, 'BaseFont'));
  const program = programOf(context, descriptor);
  const collection = asDict(context, descendant === undefined ? undefined : entry(descendant, 'CIDSystemInfo'));
  const toUnicode = resolve(context, entry(dict, 'ToUnicode'));
  const map = programs && toUnicode instanceof PDFRawStream ? streamBytes(context, toUnicode) : undefined;
  const web =
    programs && program !== undefined && program.data.length <= MAX_WEB_PROGRAM
      ? webFont(context, dict, font, program.data)
      : undefined;
  const standard =
    program === undefined && subtype !== 'Type3' && descendant === undefined ? standardName(font.name) : undefined;
  const cosDictionary = programs ? tree?.(dict) : undefined;
  return dropUndefined({
    // An id is of one font in all of the document.
    id,
    pageNumber,
    uid: id,
    baseName,
    subtype,
    encoding: encodingName(context, dict),
    cidSystemInfo:
      collection === undefined
        ? undefined
        : dropUndefined({
            registry: asText(context, entry(collection, 'Registry')),
            ordering: asText(context, entry(collection, 'Ordering')),
            supplement: asNumber(context, entry(collection, 'Supplement')),
          }),
    embedded: program !== undefined || subtype === 'Type3',
    ...(programs && program !== undefined
      ? { program: program.data.toString('base64'), programFormat: program.format }
      : {}),
    ...(web === undefined
      ? {}
      : { webProgram: Buffer.from(web.data).toString('base64'), webProgramFormat: web.format }),
    type3Glyphs: subtype === 'Type3' ? type3Glyphs(context, dict, font) : undefined,
    toUnicode: map?.toString('base64'),
    standard14Name: standard,
    fontDescriptorFlags: number('Flags'),
    ascent: number('Ascent') ?? font.ascent,
    descent: number('Descent') ?? font.descent,
    capHeight: number('CapHeight'),
    xHeight: number('XHeight'),
    italicAngle: number('ItalicAngle'),
    unitsPerEm: subtype === 'Type3' ? undefined : program === undefined ? 1000 : unitsOf(program.data),
    cosDictionary,
  });
}

/** The object without members that are undefined or empty lists. */
export function dropUndefined<T extends object>(members: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(
    Object.entries(members).filter(
      ([, value]) => value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0),
    ),
  ) as T;
}

/** The embedded program as it is unpacked, with its kind (ISO 32000-1, table 126). */
function programOf(
  context: PDFContext,
  descriptor: PDFDict | undefined,
): { readonly data: Buffer; readonly format: 'ttf' | 'otf' | 'cff' | 'type1' } | undefined {
  if (descriptor === undefined) return undefined;
  for (const key of ['FontFile2', 'FontFile3', 'FontFile']) {
    const stream = resolve(context, entry(descriptor, key));
    const data = stream instanceof PDFRawStream ? streamBytes(context, stream, MAX_PROGRAM) : undefined;
    if (data === undefined || data.length < 4) continue;
    const tag = data.toString('latin1', 0, 4);
    const format =
      tag === 'OTTO'
        ? 'otf'
        : tag === '\0\x01\0\0' || tag === 'true' || tag === 'ttcf'
          ? 'ttf'
          : key === 'FontFile3' || (data[0] === 1 && data[1] === 0)
            ? 'cff'
            : 'type1';
    return { data, format };
  }
  return undefined;
}

function unitsOf(data: Buffer): number {
  const tables =
    data.length > 12 && /^(\0\x01\0\0|true|OTTO)$/.test(data.toString('latin1', 0, 4))
      ? Math.min(data.readUInt16BE(4), 64)
      : 0;
  for (let at = 12; at < 12 + tables * 16 && at + 16 <= data.length; at += 16) {
    const offset = data.readUInt32BE(at + 8);
    if (data.toString('latin1', at, at + 4) === 'head' && offset + 20 <= data.length)
      return data.readUInt16BE(offset + 18) || 1000;
  }
  return 1000;
}

function encodingName(context: PDFContext, dict: PDFDict): string | undefined {
  const value = resolve(context, entry(dict, 'Encoding'));
  if (value instanceof PDFName) return nameText(value);
  if (value instanceof PDFRawStream) return asName(context, entry(value.dict, 'CMapName')) ?? 'Custom';
  if (!(value instanceof PDFDict)) return undefined;
  return resolve(context, entry(value, 'Differences')) === undefined
    ? asName(context, entry(value, 'BaseEncoding'))
    : 'Custom';
}

/** The glyphs of a Type 3 font by their codes (ISO 32000-1, 9.6.5). */
function type3Glyphs(context: PDFContext, dict: PDFDict, font: ContentFont): Type3Glyph[] {
  const procs = asDict(context, entry(dict, 'CharProcs'));
  const encoding = asDict(context, entry(dict, 'Encoding'));
  const glyphs: Type3Glyph[] = [];
  let code = 0;
  for (const item of elements(context, encoding === undefined ? undefined : entry(encoding, 'Differences'))) {
    const number = asNumber(context, item);
    const glyphName = asName(context, item);
    if (number !== undefined) code = number;
    if (glyphName === undefined) continue;
    if (code >= 0 && code < 256 && procs !== undefined && resolve(context, entry(procs, glyphName)) !== undefined) {
      const unicode = font.decode(Uint8Array.of(code))[0]?.text.codePointAt(0);
      glyphs.push({ charCode: code, glyphName, ...(unicode === undefined ? {} : { unicode }), charCodeRaw: code });
    }
    code++;
  }
  return glyphs;
}
