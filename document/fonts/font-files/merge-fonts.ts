import { wrapTables } from '../truetype.js';
import { cmapOf, eachCharacter, type FontTables, nameTable, tableOf, tablesOf } from './font-tables.js';

const MOST_GLYPHS = 0xffff;
/** Flags of a part of a composed glyph (OpenType, glyf). */
const part = { words: 0x0001, scale: 0x0008, more: 0x0020, bothScales: 0x0040, matrix: 0x0080 };

/**
 * Makes one TrueType font of the files into which a family is split by ranges of characters: outlines, widths and
 * characters, without rules of layout. All must have one design size and no variations.
 */
export function mergeFonts(files: readonly Uint8Array[], family: string): Uint8Array {
  const fonts = files.map(tablesOf);
  const [first] = fonts;
  if (first === undefined) throw new Error(`${family} has no files`);
  const glyphs = new Map<number, number>();
  const [outlines, ends, metrics] = [[] as Buffer[], [0], [] as Buffer[]];
  let end = 0;
  for (const font of fonts) {
    const before = ends.length - 1;
    const count = tableOf(font, 'maxp').readUInt16BE(4);
    if (before + count > MOST_GLYPHS) throw new Error(`${family} has too many glyphs for one file`);
    for (let glyph = 0; glyph < count; glyph++) {
      const outline = outlineOf(font, glyph, before);
      outlines.push(outline);
      ends.push((end += outline.length));
      metrics.push(metricsOf(font, glyph));
    }
    eachCharacter(tableOf(font, 'cmap'), (codePoint, glyph) => {
      if (glyph > 0 && !glyphs.has(codePoint)) glyphs.set(codePoint, before + glyph);
    });
  }
  return wrapTables([
    ['OS/2', regularStyle(fonts.map((font) => tableOf(font, 'OS/2')))],
    ['cmap', cmapOf(glyphs)],
    ['glyf', Buffer.concat(outlines)],
    ['head', headOf(fonts)],
    ['hhea', changed(tableOf(first, 'hhea'), (table) => table.writeUInt16BE(metrics.length, 34))],
    ['hmtx', Buffer.concat(metrics)],
    ['loca', offsets(ends)],
    [
      'maxp',
      largest(
        fonts.map((font) => tableOf(font, 'maxp')),
        metrics.length,
      ),
    ],
    ['name', nameTable(family, tableOf(first, 'name'))],
    ['post', noNames()],
  ]);
}

/** The font under another name, as a regular one; its rules of layout stay. */
export function renameFont(file: Uint8Array, family: string): Uint8Array {
  const font = tablesOf(file);
  const changes = new Map([
    ['name', nameTable(family, tableOf(font, 'name'))],
    ['OS/2', regularStyle([tableOf(font, 'OS/2')])],
    ['head', changed(tableOf(font, 'head'), (head) => head.fill(0, 8, 12))],
  ]);
  return wrapTables([...font].map(([tag, table]): [string, Buffer] => [tag, changes.get(tag) ?? table]));
}

function outlineOf(font: FontTables, glyph: number, shift: number): Buffer {
  const loca = tableOf(font, 'loca');
  const isLong = tableOf(font, 'head').readInt16BE(50) === 1;
  const offset = (index: number): number => (isLong ? loca.readUInt32BE(index * 4) : loca.readUInt16BE(index * 2) * 2);
  const outline = tableOf(font, 'glyf').subarray(offset(glyph), offset(glyph + 1));
  const padded = Buffer.concat([outline, Buffer.alloc((4 - (outline.length % 4)) % 4)]);
  if (outline.length > 0 && outline.readInt16BE(0) < 0) shiftParts(padded, shift);
  return padded;
}

/** Parts of a composed glyph are named by number. */
function shiftParts(outline: Buffer, shift: number): void {
  for (let at = 10; ;) {
    const flags = outline.readUInt16BE(at);
    outline.writeUInt16BE(outline.readUInt16BE(at + 2) + shift, at + 2);
    if ((flags & part.more) === 0) return;
    at += 4 + ((flags & part.words) === 0 ? 2 : 4);
    at += (flags & part.scale) !== 0 ? 2 : (flags & part.bothScales) !== 0 ? 4 : (flags & part.matrix) !== 0 ? 8 : 0;
  }
}

/** Advance and left side bearing; the last advances of a font may be left out where they are alike. */
function metricsOf(font: FontTables, glyph: number): Buffer {
  const hmtx = tableOf(font, 'hmtx');
  const full = tableOf(font, 'hhea').readUInt16BE(34);
  const entry = Buffer.alloc(4);
  hmtx.copy(entry, 0, Math.min(glyph, full - 1) * 4, Math.min(glyph, full - 1) * 4 + 2);
  const bearing = glyph < full ? glyph * 4 + 2 : full * 4 + (glyph - full) * 2;
  hmtx.copy(entry, 2, bearing, bearing + 2);
  return entry;
}

function headOf(fonts: readonly FontTables[]): Buffer {
  const heads = fonts.map((font) => tableOf(font, 'head'));
  return changed(heads[0] ?? Buffer.alloc(54), (head) => {
    head.fill(0, 8, 12);
    for (const [at, most] of [
      [36, Math.min],
      [38, Math.min],
      [40, Math.max],
      [42, Math.max],
    ] as const)
      head.writeInt16BE(most(...heads.map((one) => one.readInt16BE(at))), at);
    head.writeUInt16BE(0, 44);
    head.writeInt16BE(1, 50);
  });
}

/** Weight and style of a regular font, and the alphabets of all. */
function regularStyle(tables: readonly Buffer[]): Buffer {
  return changed(tables[0] ?? Buffer.alloc(96), (style) => {
    style.writeUInt16BE(400, 4);
    for (const at of [42, 46, 50, 54, 78, 82].filter((offset) => offset + 4 <= style.length))
      style.writeUInt32BE(
        tables.reduce((bits, table) => (bits | table.readUInt32BE(at)) >>> 0, 0),
        at,
      );
    style.writeUInt16BE((style.readUInt16BE(62) & ~0x21) | 0x40, 62);
  });
}

function largest(tables: readonly Buffer[], glyphs: number): Buffer {
  return changed(tables[0] ?? Buffer.alloc(32), (table) => {
    for (let at = 6; at + 2 <= table.length; at += 2)
      table.writeUInt16BE(Math.max(...tables.map((one) => one.readUInt16BE(at))), at);
    table.writeUInt16BE(glyphs, 4);
  });
}

function offsets(ends: readonly number[]): Buffer {
  const table = Buffer.alloc(ends.length * 4);
  ends.forEach((end, index) => table.writeUInt32BE(end, index * 4));
  return table;
}

function noNames(): Buffer {
  const post = Buffer.alloc(32);
  post.writeUInt32BE(0x00030000, 0);
  post.writeInt16BE(-100, 8);
  post.writeInt16BE(50, 10);
  return post;
}

function changed(table: Buffer, change: (copy: Buffer) => void): Buffer {
  const copy = Buffer.from(table);
  change(copy);
  return copy;
}
