import { runCodes } from './ccitt-codes.js';

/** Vertical mode by the distance from the changing element above, -3 to 3 (ITU-T T.6, table 1). */
const VERTICAL = ['0000010', '000010', '010', '1', '011', '000011', '0000011'] as const;
const [PASS, HORIZONTAL, END] = ['0001', '001', '000000000001000000000001'] as const;

/**
 * Encodes an image of one bit per pixel as CCITT group 4 (ITU-T T.6; /CCITTFaxDecode with /K -1, ISO 32000-1, 7.4.6).
 * `bits` holds rows of whole bytes, the leftmost pixel in the highest bit; 1 is black (/BlackIs1 true).
 */
export function encodeG4(bits: Uint8Array, width: number, height: number): Uint8Array {
  const out = new BitSink(bits.length);
  const rowBytes = Math.ceil(width / 8);
  let above: Uint32Array = Uint32Array.of(width, width);
  for (let row = 0; row < height; row++) {
    const here = changes(bits, row * rowBytes, width);
    codeRow(out, above, here, width);
    above = here;
  }
  out.add(END);
  return out.end();
}

/**
 * The columns where a row changes colour, beginning with the first black pixel; ends with the width twice, so that
 * looking ahead is safe.
 */
function changes(bits: Uint8Array, from: number, width: number): Uint32Array {
  const found = new Uint32Array(width + 3);
  let count = 0;
  let colour = 0;
  for (let x = 0; x < width;) {
    const byte = bits[from + (x >> 3)] ?? 0;
    // Whole bytes of one colour are most of a page.
    if ((x & 7) === 0 && byte === (colour === 0 ? 0x00 : 0xff)) {
      x += 8;
      continue;
    }
    const bit = (byte >> (7 - (x & 7))) & 1;
    if (bit !== colour) {
      found[count++] = x;
      colour = bit;
    }
    x++;
  }
  // A run of whole bytes may have gone past the end.
  while (count > 0 && (found[count - 1] ?? 0) >= width) count--;
  found[count] = width;
  found[count + 1] = width;
  found[count + 2] = width;
  return found.subarray(0, count + 3);
}

/** Encodes a row relative to the one above it (ITU-T T.6, 2.2.4): a0, a1, a2 are changes in this row, b1, b2 above. */
function codeRow(out: BitSink, above: Uint32Array, here: Uint32Array, width: number): void {
  let a0 = 0;
  let atA = 0;
  let atB = 0;
  let black = 0;
  while (a0 < width) {
    const a1 = here[atA] ?? width;
    // b1: the first change above to the right of a0 and of the colour opposite to a0's.
    const start = a0 === 0 && atA === 0 ? -1 : a0;
    while (atB > 0 && (above[atB - 1] ?? width) > start) atB--;
    while ((above[atB] ?? width) < width && ((above[atB] ?? width) <= start || (atB & 1) !== black)) atB++;
    const b1 = above[atB] ?? width;
    const b2 = above[atB + 1] ?? width;
    if (b2 < a1) {
      out.add(PASS);
      a0 = b2;
      continue;
    }
    const distance = a1 - b1;
    if (distance >= -3 && distance <= 3) {
      out.add(VERTICAL[distance + 3] ?? '');
      a0 = a1;
      atA++;
      black ^= 1;
      continue;
    }
    const a2 = here[atA + 1] ?? width;
    out.add(HORIZONTAL);
    for (const code of runCodes(black === 1, a1 - a0)) out.add(code);
    for (const code of runCodes(black === 0, a2 - a1)) out.add(code);
    a0 = a2;
    atA += 2;
  }
}

/** Collects codes, highest bit first. */
class BitSink {
  #bytes: Uint8Array;
  #length = 0;
  #byte = 0;
  #used = 0;

  constructor(expected: number) {
    this.#bytes = new Uint8Array(Math.max(64, expected >> 2));
  }

  add(code: string): void {
    for (let i = 0; i < code.length; i++) {
      this.#byte = (this.#byte << 1) | (code.charCodeAt(i) & 1);
      if (++this.#used === 8) this.#push();
    }
  }

  /** All bytes, the last one padded with zeros. */
  end(): Uint8Array {
    if (this.#used > 0) {
      this.#byte <<= 8 - this.#used;
      this.#push();
    }
    return this.#bytes.slice(0, this.#length);
  }

  #push(): void {
    if (this.#length === this.#bytes.length) {
      const larger = new Uint8Array(this.#bytes.length * 2);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes[this.#length++] = this.#byte;
    this.#byte = 0;
    this.#used = 0;
  }
}
