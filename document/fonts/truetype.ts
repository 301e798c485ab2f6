/** One step of an outline in font units, quadratic curves only (TrueType). */
export interface OutlineStep {
  readonly command: string;
  readonly args: readonly number[];
}

/** A glyph for `buildTrueType`: its outline and advance, in units of 1/1000 em. */
export interface OutlineGlyph {
  readonly steps: readonly OutlineStep[];
  readonly advance: number;
}

interface Point {
  readonly x: number;
  readonly y: number;
  readonly on: boolean;
}

interface Box {
  readonly xMin: number;
  readonly yMin: number;
  readonly xMax: number;
  readonly yMax: number;
}

const UNITS_PER_EM = 1000;
const CHECKSUM_MAGIC = 0xb1b0afba;
const emptyBox: Box = { xMin: 0, yMin: 0, xMax: 0, yMax: 0 };

/**
 * Builds a TrueType program with only these glyphs, glyph 0 first, as a PDF's CIDFontType2 needs it (ISO 32000-1, 9.9,
 * table 126: glyf, head, hhea, hmtx, loca, maxp). Building from outlines instead of copying tables combines glyphs of
 * several font files at one weight of a variable font.
 */
export function buildTrueType(
  glyphs: readonly OutlineGlyph[],
  ascent: number,
  descent: number,
): { bytes: Uint8Array; box: Box } {
  const encoded = glyphs.map((glyph) => encodeGlyph(contoursOf(glyph.steps)));
  const box =
    encoded
      .map((glyph) => glyph.box)
      .filter((one) => one !== emptyBox)
      .reduce(union, undefined) ?? emptyBox;

  const loca = Buffer.alloc((glyphs.length + 1) * 4);
  let offset = 0;
  encoded.forEach((glyph, i) => {
    offset += glyph.bytes.length;
    loca.writeUInt32BE(offset, (i + 1) * 4);
  });

  const hmtx = Buffer.alloc(glyphs.length * 4);
  glyphs.forEach((glyph, i) => {
    hmtx.writeUInt16BE(clamp(Math.round(glyph.advance), 0, 0xffff), i * 4);
    hmtx.writeInt16BE(encoded[i]?.box.xMin ?? 0, i * 4 + 2);
  });

  const tables: [string, Buffer][] = [
    ['glyf', Buffer.concat(encoded.map((glyph) => glyph.bytes))],
    ['head', headTable(box)],
    ['hhea', hheaTable(glyphs, box, ascent, descent)],
    ['hmtx', hmtx],
    ['loca', loca],
    [
      'maxp',
      maxpTable(
        glyphs.length,
        Math.max(0, ...encoded.map((glyph) => glyph.points)),
        Math.max(0, ...encoded.map((glyph) => glyph.contours)),
      ),
    ],
  ];
  return { bytes: wrapTables(tables), box };
}

/** Closed rings of points; a last point equal to the first is dropped, since TrueType closes rings itself. */
function contoursOf(steps: readonly OutlineStep[]): Point[][] {
  const contours: Point[][] = [];
  let current: Point[] = [];
  const finish = (): void => {
    const first = current[0];
    const last = current.at(-1);
    if (
      current.length > 1 &&
      first !== undefined &&
      last !== undefined &&
      last.on &&
      first.x === last.x &&
      first.y === last.y
    )
      current.pop();
    if (current.length > 1) contours.push(current);
    current = [];
  };
  for (const { command, args } of steps) {
    const at = (i: number, on: boolean): Point => ({
      x: Math.round(args[i] ?? 0),
      y: Math.round(args[i + 1] ?? 0),
      on,
    });
    if (command === 'moveTo') {
      finish();
      current.push(at(0, true));
    } else if (command === 'lineTo') current.push(at(0, true));
    else if (command === 'quadraticCurveTo') current.push(at(0, false), at(2, true));
    else if (command === 'closePath') finish();
  }
  finish();
  return contours;
}

/** A simple glyph description (OpenType, glyf) without instructions, padded to four bytes. */
function encodeGlyph(contours: readonly Point[][]): { bytes: Buffer; box: Box; points: number; contours: number } {
  const points = contours.flat();
  if (points.length === 0) return { bytes: Buffer.alloc(0), box: emptyBox, points: 0, contours: 0 };
  const box =
    points.map(({ x, y }): Box => ({ xMin: x, yMin: y, xMax: x, yMax: y })).reduce<Box | undefined>(union, undefined) ??
    emptyBox;
  const header = Buffer.alloc(10 + contours.length * 2 + 2);
  header.writeInt16BE(contours.length, 0);
  [box.xMin, box.yMin, box.xMax, box.yMax].forEach((value, i) => header.writeInt16BE(value, 2 + i * 2));
  let end = -1;
  contours.forEach((contour, i) => {
    end += contour.length;
    header.writeUInt16BE(end, 10 + i * 2);
  });
  const flags: number[] = [];
  const xs: number[] = [];
  const ys: number[] = [];
  let x = 0;
  let y = 0;
  for (const point of points) {
    flags.push((point.on ? 1 : 0) | pushDelta(xs, point.x - x, 0x02, 0x10) | pushDelta(ys, point.y - y, 0x04, 0x20));
    ({ x, y } = point);
  }
  const body = Buffer.concat([header, Buffer.from(flags), Buffer.from(xs), Buffer.from(ys)]);
  return {
    bytes: Buffer.concat([body, Buffer.alloc((4 - (body.length % 4)) % 4)]),
    box,
    points: points.length,
    contours: contours.length,
  };
}

/** Appends a coordinate's delta and returns its flags: one byte with a sign bit, two bytes, or nothing when it is 0. */
function pushDelta(target: number[], delta: number, short: number, same: number): number {
  if (delta === 0) return same;
  if (Math.abs(delta) < 256) {
    target.push(Math.abs(delta));
    return short | (delta > 0 ? same : 0);
  }
  target.push((delta >> 8) & 0xff, delta & 0xff);
  return 0;
}

function union(a: Box | undefined, b: Box): Box {
  if (a === undefined) return b;
  return {
    xMin: Math.min(a.xMin, b.xMin),
    yMin: Math.min(a.yMin, b.yMin),
    xMax: Math.max(a.xMax, b.xMax),
    yMax: Math.max(a.yMax, b.yMax),
  };
}

function headTable(box: Box): Buffer {
  const head = Buffer.alloc(54);
  head.writeUInt32BE(0x00010000, 0);
  head.writeUInt32BE(0x00010000, 4);
  head.writeUInt32BE(0x5f0f3cf5, 12);
  head.writeUInt16BE(0x000b, 16);
  head.writeUInt16BE(UNITS_PER_EM, 18);
  [box.xMin, box.yMin, box.xMax, box.yMax].forEach((value, i) => head.writeInt16BE(value, 36 + i * 2));
  head.writeUInt16BE(8, 46);
  head.writeInt16BE(2, 48);
  head.writeInt16BE(1, 50);
  return head;
}

function hheaTable(glyphs: readonly OutlineGlyph[], box: Box, ascent: number, descent: number): Buffer {
  const hhea = Buffer.alloc(36);
  hhea.writeUInt32BE(0x00010000, 0);
  hhea.writeInt16BE(Math.round(ascent), 4);
  hhea.writeInt16BE(Math.round(descent), 6);
  hhea.writeUInt16BE(clamp(Math.round(Math.max(0, ...glyphs.map((glyph) => glyph.advance))), 0, 0xffff), 10);
  hhea.writeInt16BE(box.xMin, 12);
  hhea.writeInt16BE(box.xMax, 16);
  hhea.writeInt16BE(1, 18);
  hhea.writeUInt16BE(glyphs.length, 34);
  return hhea;
}

function maxpTable(glyphs: number, points: number, contours: number): Buffer {
  const maxp = Buffer.alloc(32);
  maxp.writeUInt32BE(0x00010000, 0);
  maxp.writeUInt16BE(glyphs, 4);
  maxp.writeUInt16BE(points, 6);
  maxp.writeUInt16BE(contours, 8);
  maxp.writeUInt16BE(1, 14);
  return maxp;
}

/**
 * Writes the table directory and the tables, in the order of their tags, with their checksums (OpenType, Organization
 * of an OpenType Font).
 */
export function wrapTables(tables: readonly [string, Buffer][], version = 0x00010000): Uint8Array {
  const power = 2 ** Math.floor(Math.log2(tables.length));
  const directory = Buffer.alloc(12 + tables.length * 16);
  directory.writeUInt32BE(version, 0);
  directory.writeUInt16BE(tables.length, 4);
  directory.writeUInt16BE(power * 16, 6);
  directory.writeUInt16BE(Math.log2(power), 8);
  directory.writeUInt16BE(tables.length * 16 - power * 16, 10);
  const parts: Buffer[] = [directory];
  let offset = directory.length;
  let headOffset = 0;
  tables.forEach(([tag, data], i) => {
    const padded = Buffer.concat([data, Buffer.alloc((4 - (data.length % 4)) % 4)]);
    directory.write(tag, 12 + i * 16, 'latin1');
    directory.writeUInt32BE(checksum(padded), 16 + i * 16);
    directory.writeUInt32BE(offset, 20 + i * 16);
    directory.writeUInt32BE(data.length, 24 + i * 16);
    if (tag === 'head') headOffset = offset;
    offset += padded.length;
    parts.push(padded);
  });
  const file = Buffer.concat(parts);
  file.writeUInt32BE((CHECKSUM_MAGIC - checksum(file)) >>> 0, headOffset + 8);
  return file;
}

function checksum(data: Buffer): number {
  let sum = 0;
  for (let i = 0; i + 3 < data.length; i += 4) sum = (sum + data.readUInt32BE(i)) >>> 0;
  return sum;
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
