import type { Pixels } from '../decode-image.js';
import { type Components, findComponents } from './components.js';
import { drawInk, inkColours } from './ink.js';
import { eachRun, type Marks, measureMarks } from './marks.js';
import { measurePaper, uncover } from './paper.js';
import { coverEvenPaper, findPictures, leaveOutPictures } from './pictures.js';
import type { Plane } from './plane.js';
import { smoothEdges } from './smooth.js';
import { darkerThanAround } from './threshold.js';

/** Removes the grain of the paper from the edges, in pixels. */
const BLUR_SIGMA = 0.7;
/** Pixels around a mark that its soft edge may darken. */
const FRINGE = 2;
/** The share of pixels that text has. */
const [MIN_INK, MAX_INK] = [0.0005, 0.3] as const;
/** A page with more pictures than this share is one. */
const MAX_PICTURES = 0.5;
/** Rougher than paper: the usual deviation from its colour. */
const MAX_GRAIN = 20;

/** A scan in layers: the ink lies on the background. */
export interface Layers {
  /** 1 where there is ink, at the size of the scan. */
  readonly mask: Plane;
  /** The colour of the ink: one pixel, or several that are scaled to the size of the scan. */
  readonly ink: Pixels;
  /** The scan without the ink, at its own size. */
  readonly background: Pixels;
  /** The share of the page, from 0 to 1, that is neither paper nor ink. */
  readonly pictures: number;
  /** The usual deviation of a pixel from the paper's colour. */
  readonly grain: number;
}

/**
 * Separates a scan, in grey or RGB, into what is written and what it is written on; `shades` is the same in grey. The
 * pixels become the background. Undefined for images without text on bright paper. Needs three bytes for each pixel.
 */
export async function separateLayers(pixels: Pixels, shades: Plane): Promise<Layers | undefined> {
  const { width, height } = pixels;
  const grey = await blurred(shades);
  const mask = darkerThanAround(grey);
  const found = findComponents({ width, height, data: mask });
  if (found === undefined) return undefined;
  const covered = coveredPixels(found, undefined, width, height);
  const paper = measurePaper(pixels, covered);
  if (paper === undefined) return undefined;
  const marks = measureMarks(pixels, grey, found, mask, paper);
  const tiles = findPictures(grey, covered, paper);
  if (tiles === undefined || tiles.pictures > MAX_PICTURES || tiles.grain > MAX_GRAIN) return undefined;
  leaveOutPictures(tiles, found, marks);
  drawInk(grey, found, marks, mask);
  smoothEdges({ width, height, data: mask });
  const share = inkShare(mask);
  if (share < MIN_INK || share > MAX_INK) return undefined;
  const inked = coveredPixels(found, marks, width, height);
  const ground = measurePaper(pixels, inked);
  if (ground === undefined) return undefined;
  const ink = inkColours(pixels, grey, found, marks);
  coverEvenPaper(tiles, grey, inked);
  uncover(pixels, inked, ground);
  return { mask: { width, height, data: mask }, ink, background: pixels, pictures: tiles.pictures, grain: tiles.grain };
}

function inkShare(mask: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < mask.length; at++) count += mask[at]!;
  return count / mask.length;
}

async function blurred({ width, height, data }: Plane): Promise<Plane> {
  const { default: sharp } = await import('sharp');
  const soft = await sharp(data, { raw: { width, height, channels: 1 }, limitInputPixels: false })
    .blur(BLUR_SIGMA)
    .toColourspace('b-w')
    .raw()
    .toBuffer();
  return { width, height, data: soft };
}

/** 1 for the pixels of marks, or of those that are ink, and for their fringe. */
function coveredPixels(found: Components, marks: Marks | undefined, width: number, height: number): Uint8Array {
  const covered = new Uint8Array(width * height);
  eachRun(found, (label, y, start, end) => {
    if (marks?.ink[label] === 0) return;
    const [from, to] = [Math.max(0, start - FRINGE), Math.min(width, end + FRINGE)];
    for (let row = Math.max(0, y - FRINGE); row <= Math.min(height - 1, y + FRINGE); row++)
      covered.fill(1, row * width + from, row * width + to);
  });
  return covered;
}
