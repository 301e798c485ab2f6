import { INK, type Samples } from './grey-picture.js';

/**
 * The background is looked at in squares of this size at 300 dpi: more than letters are wide, less than shadows are.
 */
const SQUARE = 48;
const RESOLUTION = 300;
/** The pixel of a square, in order of brightness, that is taken as paper. */
const PAPER_SHARE = 0.85;
/** A darker background is part of a photo. */
const DARKEST_PAPER = 110;
/** Specks of at most so many pixels at 300 dpi go; a full stop of 8 points has more than twice as many. */
const SPECK = 9;
const WHITE = 255;

/**
 * Cleans a scan: paper becomes white where it is yellow, grey or in shadow, and specks of dust go. Drawings,
 * photographs and letters keep their shape. Done for pictures in grey and in colours, at any resolution.
 */
export function cleanPicture(picture: Samples, dpi: number): Samples {
  const levelled = levelPaper(picture, Math.max(8, Math.round((SQUARE * dpi) / RESOLUTION)));
  return removeSpecks(levelled, Math.max(1, Math.round(SPECK * (dpi / RESOLUTION) ** 2)));
}

/**
 * Divides each pixel by the paper around it, which is known in the middle of each square and changes evenly in between.
 */
function levelPaper({ width, height, channels, data }: Samples, square: number): Samples {
  const [columns, rows] = [Math.ceil(width / square), Math.ceil(height / square)];
  const paper = paperOf({ width, height, channels, data }, square, columns, rows);
  const cleaned = new Uint8Array(data.length);
  // The paper of one row of pixels at the middles of the squares.
  const level = new Float32Array(columns * channels);
  for (let y = 0, at = 0; y < height; y++) {
    const { first: top, second: bottom, part: down } = between(y, square, rows);
    for (let i = 0; i < level.length; i++)
      level[i] =
        paper[top * level.length + i]! + (paper[bottom * level.length + i]! - paper[top * level.length + i]!) * down;
    for (let x = 0; x < width; x++) {
      const middle = (x + 0.5) / square - 0.5;
      const left = middle < 0 ? 0 : Math.min(columns - 1, Math.floor(middle));
      const right = middle < 0 ? 0 : Math.min(columns - 1, left + 1);
      const across = middle - left;
      for (let c = 0; c < channels; c++, at++) {
        const from = level[left * channels + c]!;
        const value =
          (data[at]! * WHITE) / (right === left ? from : from + (level[right * channels + c]! - from) * across);
        cleaned[at] = value > WHITE ? WHITE : value + 0.5;
      }
    }
  }
  return { width, height, channels, data: cleaned };
}

/** Between which two squares a pixel lies, and how far from the first to the second. */
function between(
  pixel: number,
  square: number,
  squares: number,
): { readonly first: number; readonly second: number; readonly part: number } {
  const middle = Math.min(squares - 1, Math.max(0, (pixel + 0.5) / square - 0.5));
  const first = Math.floor(middle);
  return { first, second: Math.min(squares - 1, first + 1), part: middle - first };
}

/** The brightness of paper in each square and channel. */
function paperOf(
  { width, height, channels, data }: Samples,
  square: number,
  columns: number,
  rows: number,
): Float32Array {
  const paper = new Float32Array(columns * rows * channels);
  const counts = new Uint32Array(256);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      for (let c = 0; c < channels; c++) {
        counts.fill(0);
        let total = 0;
        for (let y = row * square; y < Math.min(height, (row + 1) * square); y += 2) {
          for (let x = column * square; x < Math.min(width, (column + 1) * square); x += 2, total++)
            counts[data[(y * width + x) * channels + c]!]!++;
        }
        let level = 255;
        for (let above = counts[255]!; level > 0 && above < total * (1 - PAPER_SHARE); level--)
          above += counts[level - 1]!;
        // Dark squares are pictures: what they show stays.
        paper[(row * columns + column) * channels + c] = level < DARKEST_PAPER ? WHITE : level;
      }
    }
  }
  return paper;
}

/** Whitens connected groups of few dark pixels, with the grey around them. */
function removeSpecks(picture: Samples, most: number): Samples {
  const { width, height, channels, data } = picture;
  const seen = new Uint8Array(width * height);
  const dark = (at: number): boolean => {
    let sum = 0;
    for (let c = 0; c < channels; c++) sum += data[at * channels + c]!;
    return sum < INK * channels;
  };
  const found: number[] = [];
  for (let start = 0; start < seen.length; start++) {
    if (seen[start] === 1 || !dark(start)) continue;
    seen[start] = 1;
    found.length = 0;
    found.push(start);
    for (let next = 0; next < found.length; next++) {
      const at = found[next]!;
      const [x, y] = [at % width, Math.floor(at / width)];
      for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row++) {
        for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column++) {
          const beside = row * width + column;
          if (seen[beside] === 1 || !dark(beside)) continue;
          seen[beside] = 1;
          found.push(beside);
        }
      }
    }
    if (found.length > most) continue;
    for (const at of found) {
      const [x, y] = [at % width, Math.floor(at / width)];
      for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row++) {
        const from = (row * width + Math.max(0, x - 1)) * channels;
        data.fill(WHITE, from, (row * width + Math.min(width - 1, x + 1) + 1) * channels);
      }
    }
  }
  return picture;
}
