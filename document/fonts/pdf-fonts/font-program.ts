import { createRequire } from 'node:module';
import { type PDFContext, type PDFDict, PDFRawStream } from 'pdf-lib';
import { entry, resolve } from '../../file/objects/index.js';
import { decodedContent } from '../../structure/pages/index.js';
import { TrueType } from './true-type.js';
import { readType1 } from './type1.js';

/** The font program embedded in a document, with the glyphs it reports. */
export interface FontProgram {
  /** Set for TrueType outlines and for OpenType wrappers. */
  readonly trueType?: TrueType;
  /** Glyph names of a Type 1 or CFF program that has names. */
  readonly names?: ReadonlySet<string>;
  /** The same by glyph index, of a CFF program. */
  readonly ordered?: readonly string[];
  /** The program's built-in encoding; undefined for StandardEncoding or without one. */
  readonly encoding?: readonly (string | undefined)[];
  /** CIDs that a CID-keyed CFF program has. */
  readonly cids?: ReadonlySet<number>;
  /** Number of glyphs in a CFF program without CIDs, where a CID is a glyph index. */
  readonly glyphs?: number;
}

/** The parts of fontkit's CFF table that are used here. */
interface Cff {
  readonly isCIDFont: boolean;
  readonly topDict: {
    readonly CharStrings: { readonly length: number };
    readonly Encoding?:
      | {
          readonly codes?: readonly number[];
          readonly ranges?: readonly { readonly first: number; readonly nLeft: number }[];
        }
      | readonly string[];
    readonly charset:
      | {
          readonly glyphs?: readonly number[];
          readonly ranges?: readonly { readonly first: number; readonly nLeft: number }[];
        }
      | readonly string[];
  };
  getGlyphName(glyph: number): string | null;
}

/** Reads the program of a font descriptor; undefined when there is none or it cannot be read. */
export function readFontProgram(context: PDFContext, descriptor: PDFDict | undefined): FontProgram | undefined {
  if (descriptor === undefined) return undefined;
  for (const key of ['FontFile2', 'FontFile3', 'FontFile']) {
    const stream = resolve(context, entry(descriptor, key));
    if (!(stream instanceof PDFRawStream)) continue;
    const data = decodedContent(context, stream);
    if (data === undefined || data.length < 8) return undefined;
    try {
      return readProgram(data);
    } catch {
      // A program that cannot be parsed counts as unreadable.
      return undefined;
    }
  }
  return undefined;
}

function readProgram(data: Uint8Array): FontProgram | undefined {
  const tag = Buffer.from(data.subarray(0, 4)).toString('latin1');
  if (tag === 'OTTO') return { ...readCff(data), trueType: new TrueType(data) };
  if (tag === '\0\x01\0\0' || tag === 'true' || tag === 'ttcf') return { trueType: new TrueType(data) };
  if (data[0] === 1 && data[1] === 0 && (data[2] ?? 0) <= 16) return readCff(wrapped(data));
  const type1 = readType1(data);
  return type1 === undefined
    ? undefined
    : { names: type1.glyphs, ...(type1.encoding === undefined ? {} : { encoding: type1.encoding }) };
}

/** Wraps a bare CFF program as the only table of an OpenType font, which fontkit reads. */
export function wrapped(data: Uint8Array): Uint8Array {
  const header = Buffer.alloc(28);
  header.write('OTTO', 0, 'latin1');
  header.writeUInt16BE(1, 4);
  header.write('CFF ', 12, 'latin1');
  header.writeUInt32BE(28, 20);
  header.writeUInt32BE(data.length, 24);
  return Buffer.concat([header, data]);
}

function readCff(data: Uint8Array): FontProgram {
  const fontkit = createRequire(import.meta.url)('fontkit') as typeof import('fontkit');
  const cff = (fontkit.create(Buffer.from(data)) as unknown as Record<string, Cff>)['CFF '];
  if (cff === undefined) return {};
  const count = cff.topDict.CharStrings.length;
  if (cff.isCIDFont) return { cids: cidsOf(cff, count) };
  const names: string[] = [];
  for (let glyph = 0; glyph < count; glyph++) names.push(cff.getGlyphName(glyph) ?? '');
  const encoding = encodingOf(cff, names);
  return { names: new Set(names), ordered: names, glyphs: count, ...(encoding === undefined ? {} : { encoding }) };
}

function cidsOf({ topDict: { charset } }: Cff, count: number): Set<number> {
  const cids = new Set<number>([0]);
  if (Array.isArray(charset)) for (let glyph = 0; glyph < count; glyph++) cids.add(glyph);
  const { glyphs = [], ranges = [] } = charset as Exclude<typeof charset, readonly string[]>;
  for (const cid of glyphs) cids.add(cid);
  for (const { first, nLeft } of ranges) for (let cid = first; cid <= first + nLeft; cid++) cids.add(cid);
  return cids;
}

/**
 * The codes of a CFF program's built-in encoding are in the order of its glyphs, from the second one (Adobe technical
 * note 5176, 12).
 */
function encodingOf({ topDict: { Encoding: own } }: Cff, names: readonly string[]): (string | undefined)[] | undefined {
  if (own === undefined || Array.isArray(own)) return undefined;
  const { codes = [], ranges = [] } = own as Exclude<typeof own, readonly string[] | undefined>;
  const encoding: (string | undefined)[] = new Array<undefined>(256).fill(undefined);
  let glyph = 1;
  for (const code of codes) encoding[code] = names[glyph++];
  for (const { first, nLeft } of ranges)
    for (let code = first; code <= Math.min(255, first + nLeft); code++) encoding[code] = names[glyph++];
  return encoding;
}
