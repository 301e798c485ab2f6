/** Entries of the curve from device values to linear light. */
const CURVE_POINTS = 1024;
/** Columns of the matrix to XYZ for D50 (IEC 61966-2-1, adapted by Bradford): red. */
export const RED = [0.43607, 0.22249, 0.01392] as const;
/** The green column. */
export const GREEN = [0.38515, 0.71687, 0.09708] as const;
/** The blue column. */
export const BLUE = [0.14307, 0.06061, 0.7141] as const;
/** The white of D50 (ICC.1:2001-04, 6.1.7). */
export const WHITE = [0.9642, 1, 0.8249] as const;
const NAME = 'sRGB IEC61966-2.1';

/**
 * Returns an ICC profile of sRGB (ICC.1:2001-04, version 2.1; matrix and curves), which PDF/A needs as an output
 * intent. Always the same bytes.
 */
export function srgbProfile(): Uint8Array {
  const curve = curveTag();
  const tags: readonly Tag[] = [
    ['desc', descriptionTag(NAME)],
    ['cprt', textTag('No rights reserved')],
    ['wtpt', xyzTag(WHITE)],
    ['rXYZ', xyzTag(RED)],
    ['gXYZ', xyzTag(GREEN)],
    ['bXYZ', xyzTag(BLUE)],
    ['rTRC', curve],
    ['gTRC', curve],
    ['bTRC', curve],
  ];
  return profileOf('mntr', tags);
}

/** A tag of a profile: its signature and its data. */
export type Tag = readonly [string, Buffer];

/** Builds a profile of this class for RGB devices, with XYZ as connection space; tags with the same data share it. */
export function profileOf(deviceClass: 'mntr' | 'prtr', tags: readonly Tag[]): Uint8Array {
  const table = Buffer.alloc(4 + 12 * tags.length);
  table.writeUInt32BE(tags.length);
  const blocks: Buffer[] = [];
  const places = new Map<Buffer, number>();
  let at = 128 + table.length;
  for (const [i, [signature, block]] of tags.entries()) {
    let place = places.get(block);
    if (place === undefined) {
      place = at;
      places.set(block, place);
      const padded = Buffer.alloc(Math.ceil(block.length / 4) * 4);
      block.copy(padded);
      blocks.push(padded);
      at += padded.length;
    }
    table.write(signature, 4 + 12 * i, 'latin1');
    table.writeUInt32BE(place, 8 + 12 * i);
    table.writeUInt32BE(block.length, 12 + 12 * i);
  }
  return Buffer.concat([header(at, deviceClass), table, ...blocks]);
}

function header(size: number, deviceClass: string): Buffer {
  const bytes = Buffer.alloc(128);
  bytes.writeUInt32BE(size, 0);
  bytes.writeUInt32BE(0x02100000, 8);
  bytes.write(`${deviceClass}RGB XYZ `, 12, 'latin1');
  // 1 January 2000, midnight: a profile must have a date.
  [2000, 1, 1, 0, 0, 0].forEach((value, i) => bytes.writeUInt16BE(value, 24 + 2 * i));
  bytes.write('acsp', 36, 'latin1');
  WHITE.forEach((value, i) => bytes.writeInt32BE(fixed(value), 68 + 4 * i));
  return bytes;
}

/** A number as s15Fixed16Number. */
export function fixed(value: number): number {
  return Math.round(value * 65_536);
}

/** XYZType of one colour. */
export function xyzTag(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(20);
  bytes.write('XYZ ', 0, 'latin1');
  values.forEach((value, i) => bytes.writeInt32BE(fixed(value), 8 + 4 * i));
  return bytes;
}

/** Linear light of a device value (IEC 61966-2-1), both from 0 to 1. */
export function lightOf(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function curveTag(): Buffer {
  const bytes = Buffer.alloc(12 + 2 * CURVE_POINTS);
  bytes.write('curv', 0, 'latin1');
  bytes.writeUInt32BE(CURVE_POINTS, 8);
  for (let i = 0; i < CURVE_POINTS; i++) {
    const value = i / (CURVE_POINTS - 1);
    bytes.writeUInt16BE(Math.round(lightOf(value) * 65_535), 12 + 2 * i);
  }
  return bytes;
}

/** textType, in ASCII. */
export function textTag(text: string): Buffer {
  return Buffer.concat([Buffer.from('text\0\0\0\0', 'latin1'), Buffer.from(`${text}\0`, 'latin1')]);
}

/** textDescriptionType: the name in ASCII, and neither Unicode nor ScriptCode. */
export function descriptionTag(text: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length + 1);
  return Buffer.concat([
    Buffer.from('desc\0\0\0\0', 'latin1'),
    length,
    Buffer.from(`${text}\0`, 'latin1'),
    Buffer.alloc(8 + 3 + 67),
  ]);
}
