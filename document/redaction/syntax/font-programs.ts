import { PDFArray, type PDFContext, PDFRawStream } from 'pdf-lib';
import { dictOfHolder, entry, everyObject, resolve } from '../../file/objects/index.js';
import { decodedBytes } from '../document-data/found-in.js';
import { rewriteStreams } from '../document-data/rewrite-streams.js';
import type { TextFinder } from '../document-data/text-finder.js';
import { overwriteFound } from './overwrite.js';

const PROGRAMS = ['FontFile', 'FontFile2', 'FontFile3'] as const;
const FILLER = 0x78;
/** Operators of a Top DICT whose operand is a string about the font (Adobe technical note 5176, table 9). */
const ABOUT: ReadonlySet<number> = new Set([0, 1, 2, 3, 4, 0x0c00, 0x0c15, 0x0c16, 0x0c26]);
/** Strings with lower numbers are the standard's. */
const STANDARD_STRINGS = 391;

interface Region {
  readonly from: number;
  readonly to: number;
}

/**
 * Overwrites found text in what embedded font programs say of themselves, in place: names, makers, copyright. Outlines
 * and glyph names stay, so the font draws the same. Returns the number of changed programs.
 */
export function cleanFontPrograms(context: PDFContext, find: TextFinder): number {
  const changed = new Map<PDFRawStream, Uint8Array>();
  for (const holder of everyObject(context)) {
    if (holder instanceof PDFArray) continue;
    for (const key of PROGRAMS) {
      const stream = resolve(context, entry(dictOfHolder(holder), key));
      if (!(stream instanceof PDFRawStream)) continue;
      const bytes = decodedBytes(context, stream);
      const clean = bytes === undefined ? undefined : withoutNames(bytes, find);
      if (clean !== undefined) changed.set(stream, clean);
    }
  }
  return rewriteStreams(context, changed);
}

function withoutNames(program: Buffer, find: TextFinder): Buffer | undefined {
  let clean: Buffer | undefined;
  for (const { from, to } of regionsOf(program)) {
    const put = overwriteFound(program.subarray(from, to), find, () => FILLER);
    if (put === undefined) continue;
    clean ??= Buffer.from(program);
    clean.set(put, from);
  }
  return clean;
}

/** Where a program says something of itself. A damaged one has none, or fewer. */
function regionsOf(program: Buffer): Region[] {
  try {
    const tag = program.toString('latin1', 0, 4);
    if (tag === '\0\x01\0\0' || tag === 'true' || tag === 'OTTO') return tablesOf(program);
    if (program[0] === 1) return namesOfCff(program, 0);
    // The rest of a Type 1 program is encrypted.
    const end = program.indexOf('eexec');
    return [{ from: 0, to: end < 0 ? program.length : end }];
  } catch (error) {
    if (error instanceof RangeError) return [];
    throw error;
  }
}

/** The table `name` of a TrueType or OpenType program, and the names of its CFF outlines. */
function tablesOf(program: Buffer): Region[] {
  const regions: Region[] = [];
  for (let i = 0; i < program.readUInt16BE(4); i++) {
    const at = 12 + 16 * i;
    const tag = program.toString('latin1', at, at + 4);
    const [from, length] = [program.readUInt32BE(at + 8), program.readUInt32BE(at + 12)];
    if (tag === 'name') regions.push({ from, to: from + length });
    if (tag === 'CFF ') regions.push(...namesOfCff(program, from));
  }
  return regions;
}

/** The Name INDEX, and the strings that the Top DICT refers to. */
function namesOfCff(program: Buffer, start: number): Region[] {
  const names = indexAt(program, start + (program[start + 2] ?? 4));
  const dicts = indexAt(program, names.end);
  const strings = indexAt(program, dicts.end).items;
  const about = dicts.items.flatMap(({ from, to }) => stringNumbers(program.subarray(from, to)));
  return [...names.items, ...about.flatMap((number) => strings[number - STANDARD_STRINGS] ?? [])];
}

/** An INDEX (technical note 5176, 5). */
function indexAt(program: Buffer, at: number): { readonly items: readonly Region[]; readonly end: number } {
  const count = program.readUInt16BE(at);
  if (count === 0) return { items: [], end: at + 2 };
  const size = program.readUInt8(at + 2);
  const first = at + 3 + (count + 1) * size - 1;
  const offset = (i: number): number => first + program.readUIntBE(at + 3 + i * size, size);
  const items = Array.from({ length: count }, (_none, i) => ({ from: offset(i), to: offset(i + 1) }));
  return { items, end: offset(count) };
}

/** The string numbers in a DICT (technical note 5176, 4). */
function stringNumbers(dict: Buffer): number[] {
  const numbers: number[] = [];
  let operand = -1;
  for (let at = 0; at < dict.length;) {
    const byte = dict[at++]!;
    if (byte <= 21) {
      const operator = byte === 12 ? 0x0c00 | (dict[at++] ?? 0) : byte;
      if (ABOUT.has(operator)) numbers.push(operand);
      operand = -1;
    } else if (byte === 28) {
      operand = dict.readInt16BE(at);
      at += 2;
    } else if (byte === 29) {
      operand = dict.readInt32BE(at);
      at += 4;
    } else if (byte === 30) {
      while (at < dict.length && (dict[at++]! & 0xf) !== 0xf);
    } else if (byte <= 246) operand = byte - 139;
    else if (byte <= 250) operand = (byte - 247) * 256 + dict[at++]! + 108;
    else operand = -(byte - 251) * 256 - dict[at++]! - 108;
  }
  return numbers;
}
