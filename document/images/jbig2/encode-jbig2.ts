import { ArithmeticEncoder } from './arithmetic-encoder.js';

/** Segment types (ITU-T T.88, 7.3). */
const [PAGE_INFORMATION, IMMEDIATE_LOSSLESS_REGION] = [48, 39] as const;
/** The context of the decision whether a row equals the one above it, for template 0 (ITU-T T.88, figure 8). */
const SAME_ROW_CONTEXT = 0x9b25;
/** Typical prediction, template 0, arithmetic coding (ITU-T T.88, 7.4.6.2). */
const REGION_FLAGS = 0x08;
/** The adaptive pixels of template 0 at their usual places: x and y of each (ITU-T T.88, 7.4.6.3). */
const ADAPTIVE_PIXELS = [3, -1, -3, -1, 2, -2, -2, -2] as const;

/**
 * Encodes an image of one bit per pixel without loss as JBIG2 for a PDF (/JBIG2Decode without globals, ISO 32000-1,
 * 7.4.7): a page of one generic region, without file header and end segments. `bits` holds rows of whole bytes, the
 * leftmost pixel in the highest bit; 1 is black, for which the filter returns 0.
 */
export function encodeJbig2(bits: Uint8Array, width: number, height: number): Uint8Array {
  const page = Buffer.alloc(19);
  page.writeUInt32BE(width, 0);
  page.writeUInt32BE(height, 4);
  // Lossless; the resolution stays unknown, and the page is not striped.
  page[16] = 0x01;
  const region = Buffer.alloc(18 + ADAPTIVE_PIXELS.length);
  region.writeUInt32BE(width, 0);
  region.writeUInt32BE(height, 4);
  region[17] = REGION_FLAGS;
  ADAPTIVE_PIXELS.forEach((place, i) => region.writeInt8(place, 18 + i));
  return Buffer.concat([
    segment(0, PAGE_INFORMATION, [page]),
    segment(1, IMMEDIATE_LOSSLESS_REGION, [region, regionData(bits, width, height)]),
  ]);
}

/** A segment of page 1 that refers to no other (ITU-T T.88, 7.2). */
function segment(number: number, type: number, parts: readonly Uint8Array[]): Buffer {
  const data = Buffer.concat(parts);
  const head = Buffer.alloc(11);
  head.writeUInt32BE(number, 0);
  head[4] = type;
  head[6] = 1;
  head.writeUInt32BE(data.length, 7);
  return Buffer.concat([head, data]);
}

/** The arithmetic code of a generic region (ITU-T T.88, 6.2.5.7). */
function regionData(bits: Uint8Array, width: number, height: number): Uint8Array {
  const encoder = new ArithmeticEncoder(1 << 16);
  // A pixel each, with a margin of white, so that the neighbours of the first and last pixels can be read as well.
  const margin = 4;
  let [above2, above, here] = Array.from({ length: 3 }, () => new Uint8Array(width + 2 * margin)) as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ];
  const rowBytes = Math.ceil(width / 8);
  let wasSame = 0;
  for (let row = 0; row < height; row++) {
    let same = 1;
    for (let x = 0, at = row * rowBytes; x < width; x++) {
      const pixel = (bits[at + (x >> 3)]! >> (7 - (x & 7))) & 1;
      here[margin + x] = pixel;
      if (pixel !== above[margin + x]) same = 0;
    }
    encoder.encode(SAME_ROW_CONTEXT, same ^ wasSame);
    wasSame = same;
    if (same === 0) encodeRow(encoder, { above2, above, here }, margin, width);
    [above2, above, here] = [above, here, above2];
  }
  return encoder.end();
}

interface Rows {
  readonly above2: Uint8Array;
  readonly above: Uint8Array;
  readonly here: Uint8Array;
}

/** Encodes each pixel in the context of the sixteen pixels of template 0 (ITU-T T.88, figure 3). */
function encodeRow(encoder: ArithmeticEncoder, { above2, above, here }: Rows, margin: number, width: number): void {
  // The five pixels two rows above, the seven of the row above, and the four before this one.
  let far = (above2[margin]! << 2) | (above2[margin + 1]! << 1);
  let near = (above[margin]! << 3) | (above[margin + 1]! << 2) | (above[margin + 2]! << 1);
  let left = 0;
  for (let x = margin; x < margin + width; x++) {
    far = (far & 0x1e) | above2[x + 2]!;
    near = (near & 0x7e) | above[x + 3]!;
    const pixel = here[x]!;
    encoder.encode((far << 11) | (near << 4) | left, pixel);
    far = (far << 1) & 0x1f;
    near = (near << 1) & 0x7f;
    left = ((left << 1) & 0xf) | pixel;
  }
}
