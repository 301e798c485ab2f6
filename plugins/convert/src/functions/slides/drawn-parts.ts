/** An upright rectangle of pixels. */
export interface PixelArea {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Pixels of a square that is looked at as one. */
const SQUARE = 8;
/** More parts than these are one picture. */
const MAX_PARTS = 40;
/** A part of a colour at most so far from white is paper. */
const WHITE = 250;

/**
 * Finds the parts of a drawn page (RGBA, rows from the top) that are not white: connected areas, nearer than about
 * 16 pixels, is one part. Parts do not overlap. One part around all of them where there are many; none for a white
 * page.
 */
export function drawnParts(pixels: Uint8Array, width: number, height: number): PixelArea[] {
  const [columns, rows] = [Math.ceil(width / SQUARE), Math.ceil(height / SQUARE)];
  const drawn = new Uint8Array(columns * rows);
  for (let y = 0, i = 0; y < height; y++) {
    const row = Math.floor(y / SQUARE) * columns;
    for (let x = 0; x < width; x++, i += 4)
      if (pixels[i]! < WHITE || pixels[i + 1]! < WHITE || pixels[i + 2]! < WHITE) drawn[row + (x >> 3)] = 1;
  }
  const parts = apart(islands(drawn, columns, rows));
  const found = parts.length > MAX_PARTS ? [parts.reduce(around)] : parts;
  return found.map(({ left, top, right, bottom }) => {
    const [x, y] = [left * SQUARE, top * SQUARE];
    return {
      left: x,
      top: y,
      width: Math.min(width, (right + 1) * SQUARE) - x,
      height: Math.min(height, (bottom + 1) * SQUARE) - y,
    };
  });
}

/** In squares, both ends included. */
interface Extent {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Extents of squares that touch each other, also over one empty square. */
function islands(drawn: Uint8Array, columns: number, rows: number): Extent[] {
  const found: Extent[] = [];
  const queue: number[] = [];
  for (let start = 0; start < drawn.length; start++) {
    if (drawn[start] !== 1) continue;
    let [left, top, right, bottom] = [columns, rows, 0, 0];
    drawn[start] = 2;
    queue.push(start);
    while (queue.length > 0) {
      const at = queue.pop()!;
      const [x, y] = [at % columns, Math.floor(at / columns)];
      [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x), Math.max(bottom, y)];
      for (let v = Math.max(0, y - 2); v <= Math.min(rows - 1, y + 2); v++) {
        for (let u = Math.max(0, x - 2); u <= Math.min(columns - 1, x + 2); u++) {
          if (drawn[v * columns + u] !== 1) continue;
          drawn[v * columns + u] = 2;
          queue.push(v * columns + u);
        }
      }
    }
    found.push({ left, top, right, bottom });
  }
  return found;
}

/** Joins extents until none overlaps another; so many that they are one picture anyway are not compared. */
function apart(extents: readonly Extent[]): Extent[] {
  if (extents.length > 500) return [extents.reduce(around)];
  const parts: Extent[] = [];
  for (const extent of extents) {
    let part = extent;
    for (let i = 0; i < parts.length;) {
      if (!overlap(parts[i]!, part)) {
        i++;
        continue;
      }
      part = around(part, parts.splice(i, 1)[0]!);
      i = 0;
    }
    parts.push(part);
  }
  return parts;
}

function overlap(a: Extent, b: Extent): boolean {
  return a.left <= b.right && b.left <= a.right && a.top <= b.bottom && b.top <= a.bottom;
}

function around(a: Extent, b: Extent): Extent {
  return {
    left: Math.min(a.left, b.left),
    top: Math.min(a.top, b.top),
    right: Math.max(a.right, b.right),
    bottom: Math.max(a.bottom, b.bottom),
  };
}
