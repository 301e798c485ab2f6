import type { Pixels } from '../decode-image.js';
import { fillHoles } from './fill-holes.js';

/** Side in pixels of the cells in which the colour of the paper is measured: narrower than a line of text. */
export const PAPER_CELL = 8;
/** Every second row of pixels is enough. */
const ROW_STEP = 2;
/** A cell with fewer visible pixels says nothing. */
const MIN_VISIBLE = 4;

/** The colour of the paper, also below the ink, in cells of `PAPER_CELL` pixels. */
export interface Paper {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly values: Float32Array;
}

/** Measures the paper where `covered` is 0; undefined where nothing of it is visible. */
export function measurePaper({ width, height, channels, data }: Pixels, covered: Uint8Array): Paper | undefined {
  const [across, down] = [Math.ceil(width / PAPER_CELL), Math.ceil(height / PAPER_CELL)];
  const values = new Float32Array(across * down * channels);
  const weights = new Float32Array(across * down);
  for (let y = 0; y < height; y += ROW_STEP) {
    let cell = Math.floor(y / PAPER_CELL) * across;
    for (let left = y * width, end = left + width; left < end; left += PAPER_CELL, cell++) {
      for (let at = left; at < Math.min(end, left + PAPER_CELL); at++) {
        if (covered[at] === 1) continue;
        weights[cell]!++;
        for (let c = 0; c < channels; c++) values[cell * channels + c]! += data[at * channels + c]!;
      }
    }
  }
  let known = 0;
  for (let cell = 0; cell < weights.length; cell++) {
    const count = weights[cell]!;
    for (let c = 0; c < channels; c++) values[cell * channels + c]! /= Math.max(1, count);
    const visible = count < MIN_VISIBLE ? 0 : 1;
    weights[cell] = visible;
    known += visible;
  }
  if (known === 0) return undefined;
  fillHoles({ width: across, height: down, channels, values, weights });
  return { width: across, height: down, channels, values };
}

/** Paints the paper over the covered pixels, in place, with smooth transitions between its cells. */
export function uncover({ width, height, channels, data }: Pixels, covered: Uint8Array, paper: Paper): void {
  const row = new Float32Array(paper.width * channels);
  const places = Float32Array.from({ length: width }, (_none, x) => Math.max(0, (x + 0.5) / PAPER_CELL - 0.5));
  const lefts = Int32Array.from(places);
  const shares = places.map((place, x) => place - lefts[x]!);
  const last = (paper.width - 1) * channels;
  for (let y = 0, at = 0; y < height; y++) {
    paperRow(paper, y, row);
    for (let x = 0; x < width; x++, at++) {
      if (covered[at] === 0) continue;
      const first = lefts[x]! * channels;
      const second = Math.min(first + channels, last);
      const share = shares[x]!;
      for (let c = 0; c < channels; c++) {
        const value = row[first + c]!;
        data[at * channels + c] = value + (row[second + c]! - value) * share + 0.5;
      }
    }
  }
}

/** The paper's cells at the height of a row of pixels. */
function paperRow({ width, height, channels, values }: Paper, y: number, row: Float32Array): void {
  const place = Math.max(0, (y + 0.5) / PAPER_CELL - 0.5);
  const top = Math.floor(place);
  const share = place - top;
  const first = top * width * channels;
  const second = Math.min(top + 1, height - 1) * width * channels;
  for (let i = 0; i < row.length; i++) row[i] = values[first + i]! * (1 - share) + values[second + i]! * share;
}
