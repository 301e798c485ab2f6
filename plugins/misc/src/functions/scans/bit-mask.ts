const BITS = 32;
const ALL = 0xffffffff;

/** Marked pixels, one bit each, the leftmost in the lowest bit; bits beyond the width are 0. Rows from the top. */
export interface Mask {
  readonly width: number;
  readonly height: number;
  /** Words per row. */
  readonly stride: number;
  readonly data: Uint32Array;
}

/** A mask without marks. */
export function emptyMask(width: number, height: number): Mask {
  const stride = Math.ceil(width / BITS);
  return { width, height, stride, data: new Uint32Array(stride * height) };
}

/** Dilates (`grow`) or erodes a mask with a square of `2 * radius + 1` pixels; there is nothing beyond its edges. */
export function spread(mask: Mask, radius: number, grow: boolean): Mask {
  let spreaded = mask;
  for (let step = 0; step < radius; step++) spreaded = spreadOnce(spreaded, grow);
  return spreaded;
}

/** Removes everything thinner than `2 * radius + 1` pixels: dust, scratches, hairlines. */
export function opened(mask: Mask, radius: number): Mask {
  return radius < 1 ? mask : spread(spread(mask, radius, false), radius, true);
}

/** By a square of 3 pixels, 32 pixels at a time: first along the rows, then along the columns. */
function spreadOnce({ width, height, stride, data }: Mask, grow: boolean): Mask {
  // Eroding a mask is dilating its complement.
  const flip = grow ? 0 : ALL;
  const rest = width % BITS === 0 ? ALL : ALL >>> (BITS - (width % BITS));
  const flipped = (at: number, last: boolean): number => (data[at]! ^ flip) & (last ? rest : ALL);
  const across = new Uint32Array(data.length);
  for (let y = 0; y < height; y++) {
    let before = 0;
    let here = flipped(y * stride, stride === 1);
    for (let x = 0, at = y * stride; x < stride; x++, at++) {
      const after = x + 1 < stride ? flipped(at + 1, x + 2 === stride) : 0;
      across[at] = here | (here << 1) | (before >>> (BITS - 1)) | (here >>> 1) | (after << (BITS - 1));
      before = here;
      here = after;
    }
  }
  const result = new Uint32Array(data.length);
  for (let y = 0; y < height; y++) {
    const [above, below] = [y > 0 ? -stride : 0, y < height - 1 ? stride : 0];
    const end = (y + 1) * stride;
    for (let at = y * stride; at < end; at++)
      result[at] = (across[at + above]! | across[at]! | across[at + below]!) ^ flip;
    result[end - 1]! &= rest;
  }
  return { width, height, stride, data: result };
}

/** The first pixel of a row from `from` to just before `to` that is marked, or is not (`marked` false); else `to`. */
export function nextPixel({ stride, data }: Mask, y: number, from: number, to: number, marked: boolean): number {
  const flip = marked ? 0 : ALL;
  let word = from >>> 5;
  let bits = ((data[y * stride + word]! ^ flip) & (ALL << (from % BITS))) >>> 0;
  for (;;) {
    if (bits !== 0) return Math.min(to, word * BITS + BITS - 1 - Math.clz32(bits & -bits));
    if (++word * BITS >= to) return to;
    bits = (data[y * stride + word]! ^ flip) >>> 0;
  }
}

/** Just behind the last marked pixel of a row from `from` to just before `to`, else `from`. */
export function endOfMarks({ stride, data }: Mask, y: number, from: number, to: number): number {
  if (to <= from) return from;
  let word = (to - 1) >>> 5;
  let bits = (data[y * stride + word]! & (ALL >>> (BITS - 1 - ((to - 1) % BITS)))) >>> 0;
  for (;;) {
    if (bits !== 0) return Math.max(from, word * BITS + BITS - Math.clz32(bits));
    if (word * BITS <= from) return from;
    bits = data[y * stride + --word]!;
  }
}
