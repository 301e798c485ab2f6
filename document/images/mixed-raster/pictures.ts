import type { Components } from './components.js';
import { eachRun, lightness, type Marks } from './marks.js';
import { type Paper, PAPER_CELL } from './paper.js';
import type { Plane } from './plane.js';

/** Side in pixels of the tiles that are paper or something else; whole cells of the paper. */
const TILE = 32;
/** Paper is rough by so much at most, or by so many times the roughness of the whole page. */
const MIN_ROUGHNESS = 8;
const MAX_RATIO = 3;
/** A tile that is little rougher than the page is nothing but paper. */
const EVEN_RATIO = 1.35;
/** Every second pixel in both directions is enough. */
const SAMPLE = 2;
/** A tile with fewer pixels of paper says nothing. */
const MIN_PIXELS = 25;
/** Where fewer tiles than this share show any paper, the page is a texture. */
const MIN_PAPER = 0.25;
/** Paper differs by so much from the page's paper at most, from a shadow for instance. */
const MAX_DIFFERENCE = 60;
/** A mark belongs to a picture if at least this share of its pixels is inside the picture. */
const SHARE_IN_PICTURE = 0.6;

/** The tiles of a page. */
export interface Tiles {
  readonly across: number;
  /** 1 for plain paper, which may be made even. */
  readonly even: Uint8Array;
  /** 1 for pictures with a texture. */
  readonly picture: Uint8Array;
  /** 1 where the paper has another colour than most of the page: smooth parts of pictures, boxes. */
  readonly coloured: Uint8Array;
  /** The usual deviation from the paper's colour. */
  readonly grain: number;
  /** The share of the page, from 0 to 1, that is a picture or of another colour than the paper. */
  readonly pictures: number;
}

/** Tells paper from pictures where `covered` is 0; undefined where hardly any paper is visible. */
export function findPictures(grey: Plane, covered: Uint8Array, paper: Paper): Tiles | undefined {
  const roughness = measureRoughness(grey, covered, paper);
  const known = roughness.filter((value) => value >= 0);
  if (known.length < roughness.length * MIN_PAPER) return undefined;
  const usual = median(known);
  const limit = Math.max(MIN_ROUGHNESS, MAX_RATIO * usual);
  const picture = Uint8Array.from(roughness, (value) => (value > limit ? 1 : 0));
  const even = Uint8Array.from(roughness, (value) => (value <= usual * EVEN_RATIO ? 1 : 0));
  const across = Math.ceil(grey.width / TILE);
  const coloured = otherPaper(paper, across, roughness.length);
  const others = picture.reduce((sum, one, tile) => sum + (one | coloured[tile]!), 0);
  return { across, even, picture, coloured, grain: usual, pictures: others / picture.length };
}

/** Takes the marks in pictures out of the ink, in place; letters in coloured boxes remain. */
export function leaveOutPictures({ across, picture, coloured }: Tiles, found: Components, marks: Marks): void {
  const inPicture = new Float64Array(found.count);
  eachRun(found, (label, y, start, end) => {
    const tile = Math.floor(y / TILE) * across + Math.floor(start / TILE);
    if (picture[tile] === 1 || (marks.wide[label] === 1 && coloured[tile] === 1)) inPicture[label]! += end - start;
  });
  for (let label = 0; label < found.count; label++)
    if (inPicture[label]! > marks.pixels[label]! * SHARE_IN_PICTURE) marks.ink[label] = 0;
}

/** Covers the even paper too, so that it loses its grain. */
export function coverEvenPaper({ across, even }: Tiles, { width, height }: Plane, covered: Uint8Array): void {
  for (let y = 0; y < height; y++) {
    const row = Math.floor(y / TILE) * across;
    for (let x = 0, tile = row; x < width; x += TILE, tile++)
      if (even[tile] === 1) covered.fill(1, y * width + x, y * width + Math.min(width, x + TILE));
  }
}

/** The standard deviation from the paper of each tile's visible pixels; -1 where there are too few. */
function measureRoughness(grey: Plane, covered: Uint8Array, paper: Paper): Float64Array {
  const { width, height, data } = grey;
  const across = Math.ceil(width / TILE);
  const count = across * Math.ceil(height / TILE);
  const [pixels, squares] = [new Float64Array(count), new Float64Array(count)];
  for (let y = 0; y < height; y += SAMPLE) {
    const row = Math.floor(y / TILE) * across;
    for (let left = 0; left < width; left += PAPER_CELL) {
      const tile = row + Math.floor(left / TILE);
      const light = lightness(paper, left, y);
      const end = y * width + Math.min(width, left + PAPER_CELL);
      for (let at = y * width + left; at < end; at += SAMPLE) {
        if (covered[at] === 1) continue;
        const difference = data[at]! - light;
        pixels[tile]!++;
        squares[tile]! += difference * difference;
      }
    }
  }
  return squares.map((sum, tile) => (pixels[tile]! < MIN_PIXELS ? -1 : Math.sqrt(sum / pixels[tile]!)));
}

/** 1 for tiles whose paper has another colour than most of the page. */
function otherPaper(paper: Paper, across: number, count: number): Uint8Array {
  const middle = TILE / PAPER_CELL / 2;
  const sample = (tile: number, channel: number): number => {
    const x = Math.min(paper.width - 1, (tile % across) * (TILE / PAPER_CELL) + middle);
    const y = Math.min(paper.height - 1, Math.floor(tile / across) * (TILE / PAPER_CELL) + middle);
    return paper.values[(y * paper.width + x) * paper.channels + channel]!;
  };
  const other = new Uint8Array(count);
  for (let channel = 0; channel < paper.channels; channel++) {
    const values = Float64Array.from(other, (_none, tile) => sample(tile, channel));
    const usual = median(values);
    values.forEach((value, tile) => {
      if (Math.abs(value - usual) > MAX_DIFFERENCE) other[tile] = 1;
    });
  }
  return other;
}

function median(values: Float64Array): number {
  return values.slice().sort()[Math.floor(values.length / 2)] ?? 0;
}
