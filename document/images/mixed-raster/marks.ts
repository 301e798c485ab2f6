import type { Pixels } from '../decode-image.js';
import type { Components } from './components.js';
import { type Paper, PAPER_CELL } from './paper.js';
import type { Plane } from './plane.js';

/** Smaller marks are dust, in pixels. */
const MIN_PIXELS = 6;
/** Marks that differ less from the paper are shades of it. */
const MIN_CONTRAST = 28;
/** A mark with so many pixels inside is wide: it is even, or it is a picture. */
const MIN_INSIDE = 300;
const MAX_DEVIATION_INSIDE = 20;
/** Distance in pixels from which a pixel is inside a mark. */
const INSIDE = 3;

/** Measures of the marks of an image, by number. */
export interface Marks {
  readonly pixels: Float64Array;
  /** Mean of the paper around. */
  readonly paper: Float64Array;
  /** Mean of the darker pixels: those without the soft edge. */
  readonly core: Float64Array;
  /** The colour of these, for each channel. */
  readonly colours: Float64Array;
  /** 1 for marks that are wider than strokes of letters. */
  readonly wide: Uint8Array;
  /** 1 for ink; 0 for dust, shades and parts of pictures. */
  readonly ink: Uint8Array;
}

/** Measures the marks and decides which of them are ink. */
export function measureMarks(colours: Pixels, grey: Plane, found: Components, dark: Uint8Array, paper: Paper): Marks {
  const { count } = found;
  const [pixels, total, ground] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)];
  const inside = new Inside(count);
  eachRun(found, (label, y, start, end) => {
    const from = y * grey.width;
    for (let x = start; x < end; x++) {
      const value = grey.data[from + x]!;
      total[label]! += value;
      ground[label]! += lightness(paper, x, y);
      if (isInside(dark, grey, x, y)) inside.add(label, value);
    }
    pixels[label]! += end - start;
  });
  const cores = measureCores(colours, grey, found, (label) => total[label]! / pixels[label]!);
  const [ink, wide] = [new Uint8Array(count), inside.pixels.map((number) => (number >= MIN_INSIDE ? 1 : 0))];
  for (let label = 0; label < count; label++) {
    ground[label]! /= pixels[label]!;
    const even = wide[label] === 0 || inside.deviation(label) <= MAX_DEVIATION_INSIDE;
    if (pixels[label]! >= MIN_PIXELS && ground[label]! - cores.core[label]! >= MIN_CONTRAST && even) ink[label] = 1;
  }
  return { pixels, paper: ground, ...cores, wide: Uint8Array.from(wide), ink };
}

/** Calls back for every run of every mark, row by row. */
export function eachRun(
  { rows, starts, ends, labels }: Components,
  visit: (label: number, y: number, start: number, end: number) => void,
): void {
  for (let y = 0; y + 1 < rows.length; y++)
    for (let run = rows[y]!; run < rows[y + 1]!; run++) visit(labels[run]!, y, starts[run]!, ends[run]!);
}

/** Sums over the pixels that are not near an edge. */
class Inside {
  readonly pixels: Uint32Array;
  private readonly sums: Float64Array;
  private readonly squares: Float64Array;

  constructor(count: number) {
    this.pixels = new Uint32Array(count);
    this.sums = new Float64Array(count);
    this.squares = new Float64Array(count);
  }

  add(label: number, value: number): void {
    this.pixels[label]!++;
    this.sums[label]! += value;
    this.squares[label]! += value * value;
  }

  deviation(label: number): number {
    const count = this.pixels[label]!;
    const mean = this.sums[label]! / count;
    return Math.sqrt(Math.max(0, this.squares[label]! / count - mean * mean));
  }
}

function isInside(dark: Uint8Array, { width, height }: Plane, x: number, y: number): boolean {
  if (x < INSIDE || y < INSIDE || x + INSIDE >= width || y + INSIDE >= height) return false;
  const at = y * width + x;
  return (
    dark[at - INSIDE] === 1 &&
    dark[at + INSIDE] === 1 &&
    dark[at - INSIDE * width] === 1 &&
    dark[at + INSIDE * width] === 1
  );
}

/** The brightness of the paper at a pixel (ITU-R BT.601). */
export function lightness({ width, channels, values }: Paper, x: number, y: number): number {
  const cell = (Math.floor(y / PAPER_CELL) * width + Math.floor(x / PAPER_CELL)) * channels;
  return channels === 1 ? values[cell]! : 0.299 * values[cell]! + 0.587 * values[cell + 1]! + 0.114 * values[cell + 2]!;
}

function measureCores(
  { channels, data }: Pixels,
  grey: Plane,
  found: Components,
  mean: (label: number) => number,
): Pick<Marks, 'core' | 'colours'> {
  const counts = new Float64Array(found.count);
  const core = new Float64Array(found.count);
  const colours = new Float64Array(found.count * channels);
  eachRun(found, (label, y, start, end) => {
    const most = mean(label);
    for (let at = y * grey.width + start; at < y * grey.width + end; at++) {
      const value = grey.data[at]!;
      if (value > most) continue;
      counts[label]!++;
      core[label]! += value;
      for (let c = 0; c < channels; c++) colours[label * channels + c]! += data[at * channels + c]!;
    }
  });
  for (let label = 0; label < found.count; label++) {
    core[label]! /= counts[label]!;
    for (let c = 0; c < channels; c++) colours[label * channels + c]! /= counts[label]!;
  }
  return { core, colours };
}
