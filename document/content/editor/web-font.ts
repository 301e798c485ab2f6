import type { PDFContext, PDFDict } from 'pdf-lib';
import type { ContentFont } from '../../fonts/pdf-fonts/index.js';
import { wrapTables } from '../../fonts/truetype.js';
import { asDict, asNumber, elements, entry } from '../../file/objects/index.js';
import { webGlyphs } from './web-font-glyphs.js';

/** A font as browsers load it. */
export interface WebFont {
  readonly data: Uint8Array;
  readonly format: 'ttf' | 'otf';
}

/** Tables that are copied; layout and colour tables depend on others that a subset may lack. */
const TAKEN: ReadonlySet<string> = new Set([
  'CFF ',
  'cvt ',
  'fpgm',
  'glyf',
  'head',
  'hhea',
  'hmtx',
  'loca',
  'maxp',
  'prep',
  'vhea',
  'vmtx',
  'VORG',
  'gasp',
]);
const OTTO = 0x4f54544f;
const TRUE_TYPE = 0x00010000;

/**
 * Converts an embedded font program to an OpenType font that browsers load: with a character map built from the
 * document's codes, and the required tables. Undefined for Type 1 programs, broken ones, and if no code has both a
 * character and a glyph.
 */
export function webFont(context: PDFContext, dict: PDFDict, font: ContentFont, data: Buffer): WebFont | undefined {
  try {
    const found = webGlyphs(context, dict, font, data);
    if (found === undefined || found.characters.size === 0) return undefined;
    const tables = found.bare ? bareTables(context, dict, font, data, found.widths) : tablesOf(data);
    const isCff = tables.has('CFF ');
    for (const tag of isCff ? ['head', 'hhea', 'hmtx', 'maxp'] : ['glyf', 'head', 'hhea', 'hmtx', 'loca', 'maxp'])
      if (!tables.has(tag)) return undefined;
    const characters = [...found.characters].sort(([a], [b]) => a - b);
    tables.set('cmap', characterMap(characters));
    tables.set('name', nameTable(font.name === '' ? 'Font' : font.name));
    tables.set('OS/2', metricsTable(font, tables.get('head')!, characters));
    tables.set('post', postTable());
    const sorted = [...tables].sort(([a], [b]) => (a < b ? -1 : 1));
    return { data: wrapTables(sorted, isCff ? OTTO : TRUE_TYPE), format: isCff ? 'otf' : 'ttf' };
  } catch {
    // A partial program is not a font; the browser uses another one.
    return undefined;
  }
}

/** The tables of a font file that are copied. */
function tablesOf(data: Buffer): Map<string, Buffer> {
  const tables = new Map<string, Buffer>();
  for (let i = 0; i < Math.min(data.readUInt16BE(4), 64); i++) {
    const at = 12 + i * 16;
    const tag = data.toString('latin1', at, at + 4);
    const [offset, length] = [data.readUInt32BE(at + 8), data.readUInt32BE(at + 12)];
    // A copy, since checksums are written into it.
    if (TAKEN.has(tag) && offset + length <= data.length)
      tables.set(tag, Buffer.from(data.subarray(offset, offset + length)));
  }
  tables.get('head')?.writeUInt32BE(0, 8);
  return tables;
}

/** The tables around a CFF program that stands alone (OpenType, required tables). */
function bareTables(
  context: PDFContext,
  dict: PDFDict,
  { ascent, descent }: ContentFont,
  data: Buffer,
  widths: readonly number[],
): Map<string, Buffer> {
  const descendant = asDict(context, elements(context, entry(dict, 'DescendantFonts'))[0]) ?? dict;
  const descriptor = asDict(context, entry(descendant, 'FontDescriptor'));
  const box = elements(context, descriptor === undefined ? undefined : entry(descriptor, 'FontBBox')).map((side) =>
    Math.round(clamp(asNumber(context, side) ?? 0, -32768, 32767)),
  );
  const head = Buffer.alloc(54);
  head.writeUInt32BE(0x00010000, 0);
  head.writeUInt32BE(0x00010000, 4);
  head.writeUInt32BE(0x5f0f3cf5, 12);
  head.writeUInt16BE(0x0003, 16);
  head.writeUInt16BE(1000, 18);
  [0, 1, 2, 3].forEach((i) => head.writeInt16BE(box[i] ?? 0, 36 + i * 2));
  head.writeUInt16BE(8, 46);
  head.writeInt16BE(2, 48);
  const hhea = Buffer.alloc(36);
  hhea.writeUInt32BE(0x00010000, 0);
  hhea.writeInt16BE(Math.round(ascent), 4);
  hhea.writeInt16BE(Math.round(descent), 6);
  hhea.writeUInt16BE(clamp(Math.max(0, ...widths.map(Math.round)), 0, 0xffff), 10);
  hhea.writeInt16BE(1, 18);
  hhea.writeUInt16BE(widths.length, 34);
  const hmtx = Buffer.alloc(widths.length * 4);
  widths.forEach((width, i) => hmtx.writeUInt16BE(clamp(Math.round(width), 0, 0xffff), i * 4));
  const maxp = Buffer.alloc(6);
  maxp.writeUInt32BE(0x00005000, 0);
  maxp.writeUInt16BE(widths.length, 4);
  return new Map([
    ['CFF ', data],
    ['head', head],
    ['hhea', hhea],
    ['hmtx', hmtx],
    ['maxp', maxp],
  ]);
}

/** Characters to glyphs: format 12 for all, format 4 for those of the basic plane (OpenType, cmap). */
function characterMap(characters: readonly (readonly [number, number])[]): Buffer {
  const runs = runsOf(characters);
  const long = Buffer.alloc(16 + runs.length * 12);
  long.writeUInt16BE(12, 0);
  long.writeUInt32BE(long.length, 4);
  long.writeUInt32BE(runs.length, 12);
  runs.forEach(([first, last, glyph], i) =>
    [first, last, glyph].forEach((value, j) => long.writeUInt32BE(value, 16 + i * 12 + j * 4)),
  );
  const short = [...runsOf(characters.filter(([character]) => character < 0xffff)), [0xffff, 0xffff, 0] as const].slice(
    -8000,
  );
  const count = short.length;
  const power = 2 ** Math.floor(Math.log2(count));
  const table = Buffer.alloc(16 + count * 8);
  [4, table.length, 0, count * 2, power * 2, Math.log2(power), (count - power) * 2].forEach((value, i) =>
    table.writeUInt16BE(value, i * 2),
  );
  short.forEach(([first, last, glyph], i) => {
    table.writeUInt16BE(last, 14 + i * 2);
    table.writeUInt16BE(first, 16 + count * 2 + i * 2);
    table.writeUInt16BE((first === 0xffff ? 1 : glyph - first) & 0xffff, 16 + count * 4 + i * 2);
  });
  const head = Buffer.alloc(4 + 16);
  head.writeUInt16BE(2, 2);
  [3, 1].forEach((value, i) => head.writeUInt16BE(value, 4 + i * 2));
  head.writeUInt32BE(head.length, 8);
  [3, 10].forEach((value, i) => head.writeUInt16BE(value, 12 + i * 2));
  head.writeUInt32BE(head.length + table.length, 16);
  return Buffer.concat([head, table, long]);
}

/** Stretches of characters whose glyphs follow each other: first, last, glyph of the first. */
function runsOf(characters: readonly (readonly [number, number])[]): (readonly [number, number, number])[] {
  const runs: [number, number, number][] = [];
  for (const [character, glyph] of characters) {
    const last = runs.at(-1);
    if (last !== undefined && character === last[1] + 1 && glyph === last[2] + character - last[0]) last[1] = character;
    else runs.push([character, character, glyph]);
  }
  return runs;
}

function nameTable(name: string): Buffer {
  const plain = name.replaceAll(/[^\x21-\x7e]/g, '').slice(0, 60) || 'Font';
  const names = [
    [1, plain],
    [2, 'Regular'],
    [4, plain],
    [6, plain],
  ] as const;
  const texts = names.map(([, text]) => Buffer.from(text, 'utf16le').swap16());
  const table = Buffer.alloc(6 + names.length * 12);
  table.writeUInt16BE(names.length, 2);
  table.writeUInt16BE(table.length, 4);
  let offset = 0;
  names.forEach(([id], i) => {
    [3, 1, 0x0409, id, texts[i]!.length, offset].forEach((value, j) => table.writeUInt16BE(value, 6 + i * 12 + j * 2));
    offset += texts[i]!.length;
  });
  return Buffer.concat([table, ...texts]);
}

/** OS/2, version 4: line heights as the document has them, and that it may be embedded. */
function metricsTable(
  { ascent, descent }: ContentFont,
  head: Buffer,
  characters: readonly (readonly [number, number])[],
): Buffer {
  const scale = head.readUInt16BE(18) / 1000;
  const [high, low] = [Math.round(clamp(ascent * scale, 0, 32767)), Math.round(clamp(-descent * scale, 0, 32767))];
  const table = Buffer.alloc(96);
  table.writeUInt16BE(4, 0);
  table.writeInt16BE(Math.round(500 * scale), 2);
  table.writeUInt16BE(400, 4);
  table.writeUInt16BE(5, 6);
  table.write('NONE', 58, 'latin1');
  table.writeUInt16BE(0x0040, 62);
  table.writeUInt16BE(Math.min(0xffff, characters[0]?.[0] ?? 0), 64);
  table.writeUInt16BE(Math.min(0xffff, characters.at(-1)?.[0] ?? 0), 66);
  table.writeInt16BE(high, 68);
  table.writeInt16BE(-low, 70);
  table.writeUInt16BE(high, 74);
  table.writeUInt16BE(low, 76);
  return table;
}

function postTable(): Buffer {
  const table = Buffer.alloc(32);
  table.writeUInt32BE(0x00030000, 0);
  return table;
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
