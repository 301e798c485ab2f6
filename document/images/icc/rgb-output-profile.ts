import { BLUE, descriptionTag, fixed, GREEN, lightOf, profileOf, RED, textTag, WHITE, xyzTag } from './srgb-profile.js';

const CURVE_POINTS = 4096;
/** XYZ is encoded in units of 1 + 32767/32768 (ICC.1:2001-04, 6.5.12), which a table's 1 stands for. */
const XYZ_RANGE = 1 + 32_767 / 32_768;
const NAME = 'sRGB output';

/**
 * Returns an ICC profile of class output device whose device is sRGB (ICC.1:2001-04, 6.3.3): PDF/X does not accept
 * display profiles as output intents. The conversion to and from XYZ is that of `srgbProfile`, as tables around a
 * matrix. Always the same bytes.
 */
export function rgbOutputProfile(): Uint8Array {
  const columns = [RED, GREEN, BLUE];
  const identity = [1, 0, 0, 0, 1, 0, 0, 0, 1];
  const light = Array.from({ length: CURVE_POINTS }, (_unused, i) => lightOf(i / (CURVE_POINTS - 1)));
  const device = Array.from({ length: CURVE_POINTS }, (_unused, i) => valueOf(i / (CURVE_POINTS - 1)));
  const line = [0, 1];
  // Interpolating between the eight corners of a cube is exact for linear functions.
  const toXyz = corners((rgb) =>
    [0, 1, 2].map((row) => columns.reduce((sum, column, i) => sum + (column[row] ?? 0) * (rgb[i] ?? 0), 0) / XYZ_RANGE),
  );
  const a2b = lut16(identity, light, toXyz, line, 3);
  const b2a = lut16(
    inverse(columns).map((value) => value * XYZ_RANGE),
    device,
    corners((rgb) => [...rgb]),
    line,
    3,
  );
  const gamut = lut16(
    identity,
    line,
    corners(() => [0]),
    line,
    1,
  );
  return profileOf('prtr', [
    ['desc', descriptionTag(NAME)],
    ['cprt', textTag('No rights reserved')],
    ['wtpt', xyzTag(WHITE)],
    ['A2B0', a2b],
    ['A2B1', a2b],
    ['A2B2', a2b],
    ['B2A0', b2a],
    ['B2A1', b2a],
    ['B2A2', b2a],
    ['gamt', gamut],
  ]);
}

function valueOf(light: number): number {
  return light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055;
}

function corners(at: (point: readonly number[]) => readonly number[]): number[] {
  return [0, 1].flatMap((a) => [0, 1].flatMap((b) => [0, 1].flatMap((c) => [...at([a, b, c])])));
}

/**
 * lut16Type (ICC.1:2001-04, 6.5.7): matrix, a curve for each of three inputs, a cube of two points per side, a curve
 * for each output.
 */
function lut16(
  matrix: readonly number[],
  input: readonly number[],
  cube: readonly number[],
  output: readonly number[],
  outputs: number,
): Buffer {
  const head = Buffer.alloc(52);
  head.write('mft2', 0, 'latin1');
  [3, outputs, 2].forEach((value, i) => head.writeUInt8(value, 8 + i));
  matrix.forEach((value, i) => head.writeInt32BE(fixed(value), 12 + 4 * i));
  head.writeUInt16BE(input.length, 48);
  head.writeUInt16BE(output.length, 50);
  const numbers = [...input, ...input, ...input, ...cube, ...Array.from({ length: outputs }, () => output).flat()];
  const body = Buffer.alloc(numbers.length * 2);
  numbers.forEach((value, i) => body.writeUInt16BE(Math.round(Math.min(1, Math.max(0, value)) * 65_535), i * 2));
  return Buffer.concat([head, body]);
}

/** The inverse of the matrix with these columns, by rows. */
function inverse([a, b, c]: readonly (readonly number[])[]): number[] {
  const cross = (u: readonly number[] = [], v: readonly number[] = []): number[] =>
    [0, 1, 2].map((i) => u[(i + 1) % 3]! * v[(i + 2) % 3]! - u[(i + 2) % 3]! * v[(i + 1) % 3]!);
  const determinant = (a ?? []).reduce((sum, value, i) => sum + value * cross(b, c)[i]!, 0);
  return [cross(b, c), cross(c, a), cross(a, b)].flat().map((value) => value / determinant);
}
