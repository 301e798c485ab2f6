import type { Pixels } from '../decode-image.js';
import type { Components } from './components.js';
import { fillHoles } from './fill-holes.js';
import { eachRun, type Marks } from './marks.js';
import type { Plane } from './plane.js';

/** Where between ink and paper the edge of a mark lies. */
const EDGE = 0.5;
/** Up to where between ink and paper a pixel shows the ink's colour. */
const CORE = 0.2;
/** A cell with fewer such pixels takes its colour from those around. */
const MIN_WEIGHT = 3;
/** Side in pixels of the cells of the ink's colours: as wide as a thick stroke. */
const INK_CELL = 8;
/** How much the ink of a page may differ from its mean: thin strokes are lighter, but have the same tint. */
const MAX_SHADE = 60;
const MAX_TINT = 30;
/** The share of the ink that may differ more. */
const SHARE_OF_OTHERS = 0.004;

/** Writes 1 into `plane` where there is ink, up to the middle of each mark's own soft edge, and 0 elsewhere. */
export function drawInk(grey: Plane, found: Components, marks: Marks, plane: Uint8Array): void {
  plane.fill(0);
  eachRun(found, (label, y, start, end) => {
    if (marks.ink[label] === 0) return;
    const most = marks.core[label]! + (marks.paper[label]! - marks.core[label]!) * EDGE;
    for (let at = y * grey.width + start; at < y * grey.width + end; at++) if (grey.data[at]! < most) plane[at] = 1;
  });
}

/** The ink of all marks: one pixel, or few pixels of several colours. */
export function inkColours(pixels: Pixels, grey: Plane, found: Components, marks: Marks): Pixels {
  const { width, height, channels } = pixels;
  const mean = meanColour(marks, channels);
  if (isOneInk(marks, mean)) return { width: 1, height: 1, channels, data: Uint8Array.from(mean, Math.round) };
  const [across, down] = [Math.ceil(width / INK_CELL), Math.ceil(height / INK_CELL)];
  const values = new Float32Array(across * down * channels);
  const weights = new Float32Array(across * down);
  eachRun(found, (label, y, start, end) => {
    if (marks.ink[label] === 0) return;
    const row = Math.floor(y / INK_CELL) * across;
    const most = marks.core[label]! + (marks.paper[label]! - marks.core[label]!) * CORE;
    for (let x = start, at = y * width + start; x < end; x++, at++) {
      if (grey.data[at]! > most) continue;
      const cell = row + Math.floor(x / INK_CELL);
      weights[cell]!++;
      for (let c = 0; c < channels; c++) values[cell * channels + c]! += pixels.data[at * channels + c]!;
    }
  });
  for (let cell = 0; cell < weights.length; cell++) {
    const weight = weights[cell]!;
    for (let c = 0; c < channels; c++) values[cell * channels + c]! /= Math.max(1, weight);
    weights[cell] = weight < MIN_WEIGHT ? 0 : 1;
  }
  fillHoles({ width: across, height: down, channels, values, weights });
  return { width: across, height: down, channels, data: Uint8Array.from(values, Math.round) };
}

function meanColour({ pixels, colours, ink }: Marks, channels: number): number[] {
  const sums = Array.from({ length: channels }, () => 0);
  let count = 0;
  for (let label = 0; label < ink.length; label++) {
    if (ink[label] === 0) continue;
    count += pixels[label]!;
    for (let c = 0; c < channels; c++) sums[c]! += pixels[label]! * colours[label * channels + c]!;
  }
  return sums.map((sum) => sum / Math.max(1, count));
}

function isOneInk({ pixels, colours, ink }: Marks, mean: readonly number[]): boolean {
  const channels = mean.length;
  let [others, all] = [0, 0];
  for (let label = 0; label < ink.length; label++) {
    if (ink[label] === 0) continue;
    all += pixels[label]!;
    const off = mean.map((value, c) => colours[label * channels + c]! - value);
    const shade = off.reduce((sum, value) => sum + value, 0) / channels;
    const differs = Math.abs(shade) > MAX_SHADE || off.some((value) => Math.abs(value - shade) > MAX_TINT);
    if (differs) others += pixels[label]!;
  }
  return others <= all * SHARE_OF_OTHERS;
}
