import { readFile, rm } from 'node:fs/promises';
import { multiply, type Matrix } from '../../structure/geometry/index.js';
import { type Samples, writePgm } from './grey-picture.js';
import { type ReadPage, readHocr } from './hocr.js';

/** Degrees by which a page's picture was turned clockwise to be read. */
export type Quarter = 0 | 90 | 180 | 270;

/** A page of fewer letters is too small to be judged. */
const LEAST_LETTERS = 12;
/** Below this mean confidence a page was not read: pages that lie wrong have 20 to 45, legible scans 80 and more. */
const POOR = 60;
/** From here on no other direction is tried: engines read lines that run up the page too, but none upside down. */
const GOOD = 80;
/** Words that count as read: so sure, and so many letters. */
const SURE = { confidence: 75, letters: 3 } as const;
/** Another direction is taken where it gives so many times the letters of sure words, and at least so many. */
const BETTER = { times: 2, letters: 12 } as const;
/** Resolution at which the directions are compared: enough for letters of 8 points. */
const TRIAL_DPI = 150;

/** How well a page was read. */
export interface Legibility {
  readonly letters: number;
  /** Mean confidence of the engine, by letters, 0 to 100. */
  readonly mean: number;
  /** Letters of words that were surely read. */
  readonly sure: number;
}

/** How well pages, or bands of one, were read, by the confidence of the engine. */
export function legibilityOf(pages: readonly ReadPage[]): Legibility {
  let [letters, sum, sure] = [0, 0, 0];
  for (const { text, confidence } of pages
    .flatMap(({ paragraphs }) => paragraphs.flat())
    .flatMap(({ words }) => words)) {
    const count = [...text].length;
    letters += count;
    sum += count * confidence;
    if (confidence >= SURE.confidence && count >= SURE.letters) sure += count;
  }
  return { letters, mean: letters === 0 ? 0 : sum / letters, sure };
}

/** True for a page with text of which little was understood. */
export function isPoor({ letters, mean }: Legibility): boolean {
  return letters >= LEAST_LETTERS && mean < POOR;
}

/** Reads a picture into an hOCR file. */
type Read = (picture: string, words: string, dpi: number) => Promise<void>;

/**
 * Finds by how much a page that was read poorly must be turned to be legible, by reading it in the other directions at
 * a low resolution; 0 where none is clearly better. `path` names files that may be written.
 */
export async function findQuarter(
  picture: Samples,
  dpi: number,
  poor: Legibility,
  path: string,
  read: Read,
): Promise<Quarter> {
  const step = Math.max(1, Math.floor(dpi / TRIAL_DPI));
  const small = step === 1 ? picture : reduced(picture, step);
  let found: { readonly quarter: Quarter; readonly sure: number } = { quarter: 0, sure: 0 };
  for (const quarter of [180, 90, 270] as const) {
    const [trial, words] = [`${path}-${quarter}.pgm`, `${path}-${quarter}.hocr`];
    try {
      await writePgm(trial, quarterTurned(small, quarter));
      await read(trial, words, Math.round(dpi / step));
      const seen = legibilityOf([readHocr(await readFile(words, 'utf8'))]);
      if (!isPoor(seen) && seen.sure > found.sure) found = { quarter, sure: seen.sure };
      if (seen.mean >= GOOD && isBetter(seen, poor)) return quarter;
    } finally {
      await Promise.all([trial, words].map((file) => rm(file, { force: true })));
    }
  }
  return isBetter(found, poor) ? found.quarter : 0;
}

function isBetter({ sure }: Pick<Legibility, 'sure'>, poor: Legibility): boolean {
  return sure >= Math.max(BETTER.letters, BETTER.times * poor.sure);
}

/** A grey picture turned clockwise. */
export function quarterTurned({ width, height, channels, data }: Samples, quarter: Quarter): Samples {
  if (quarter === 0) return { width, height, channels, data };
  const turned = new Uint8Array(data.length);
  if (quarter === 180) {
    turned.set(data);
    return { width, height, channels, data: turned.reverse() };
  }
  for (let y = 0, from = 0; y < height; y++)
    for (let x = 0; x < width; x++, from++)
      turned[quarter === 90 ? x * height + (height - 1 - y) : (width - 1 - x) * height + y] = data[from]!;
  return { width: height, height: width, channels, data: turned };
}

/** A grey picture with one pixel for each square of `step` by `step`. */
function reduced({ width, height, data }: Samples, step: number): Samples {
  const [w, h] = [Math.floor(width / step), Math.floor(height / step)];
  const small = new Uint8Array(w * h);
  for (let y = 0; y < h; y++)
    for (let x = 0; x < w; x++) {
      let sum = 0;
      for (let dy = 0; dy < step; dy++)
        for (let dx = 0; dx < step; dx++) sum += data[(y * step + dy) * width + x * step + dx]!;
      small[y * w + x] = sum / (step * step);
    }
  return { width: w, height: h, channels: 1, data: small };
}

/** From the space of a page that was turned clockwise to that of the page as it is seen, `width` by `height`. */
function turnedBack(quarter: Quarter, { width, height }: { readonly width: number; readonly height: number }): Matrix {
  switch (quarter) {
    case 90:
      return [0, 1, -1, 0, width, 0];
    case 180:
      return [-1, 0, 0, -1, width, height];
    case 270:
      return [0, -1, 1, 0, 0, height];
    default:
      return [1, 0, 0, 1, 0, 0];
  }
}

/** The matrix of a layer in the space of the turned page. */
export function layerMatrix(
  quarter: Quarter,
  size: { readonly width: number; readonly height: number },
  page: Matrix,
): Matrix {
  return quarter === 0 ? page : multiply(turnedBack(quarter, size), page);
}
