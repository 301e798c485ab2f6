import type { ReadPage } from './hocr.js';
import type { Samples } from './grey-picture.js';

/** A part of a page's picture between two blank rows, over its whole width. */
export interface Band {
  /** Rows of the page's picture that it contains: from `top` to before `bottom`. */
  readonly top: number;
  readonly bottom: number;
  /** True where the text goes on from the band above without a larger gap. */
  readonly goesOn: boolean;
}

/** Rows without ink between two lines. */
interface Gap {
  readonly top: number;
  readonly bottom: number;
  /** Rows with ink above it. */
  readonly above: number;
}

/** Lighter pixels are paper. */
const PAPER = 160;
/** A row is blank with at most so much of its width in ink, and so many rows make a gap, in parts of an inch. */
const [SPECKS, LEAST_GAP] = [0.001, 1 / 60];
/** Part of the width on each side that is not looked at, because of shadows and punched holes. */
const MARGIN = 0.04;
/** Columns without ink of this width, in inches, which go through as many rows, may lie between two columns of text. */
const [GUTTER, WINDOW] = [0.08, 1];
const LEAST_LINES = 12;
/** How far from an equal share a cut may be, as part of all rows with ink. */
const FARTHEST = 0.15;
/** Gaps from this multiple of the usual one on are between paragraphs. */
const PARAGRAPH_GAP = 1.5;
/** Paper above and below a band, in inches: recognition misses letters at the edge of a picture. */
const PADDING = 0.15;

/**
 * Divides a page of one column into at most `parts` bands with about as many lines each, at blank rows, preferably
 * between paragraphs. One band where it has several columns, tables, few lines, or lines that are not level: there the
 * order of the text, or the text itself, could differ from that of the whole page.
 */
export function bandsOf(picture: Samples, dpi: number, parts: number): readonly Band[] {
  const whole: Band = { top: 0, bottom: picture.height, goesOn: false };
  if (parts < 2 || picture.channels !== 1) return [whole];
  const { gaps, inked } = gapsOf(picture, Math.max(3, Math.round(dpi * LEAST_GAP)));
  if (gaps.length < LEAST_LINES) return [whole];
  const usual = [...gaps].map(heightOf).sort((a, b) => a - b)[gaps.length >> 1] ?? 0;
  const cuts: Gap[] = [];
  for (let part = 1; part < parts; part++) {
    const target = (inked * part) / parts;
    const cut = gaps
      .filter((gap) => Math.abs(gap.above - target) <= inked * FARTHEST && !cuts.includes(gap))
      .sort((a, b) => costOf(a, target, inked, usual) - costOf(b, target, inked, usual))
      .find((gap) => isBetweenLines(picture, gap, dpi));
    if (cut !== undefined) cuts.push(cut);
  }
  cuts.sort((a, b) => a.top - b.top);
  return [...cuts, undefined].map((cut, index) => {
    const before = cuts[index - 1];
    return {
      top: before?.top ?? 0,
      bottom: cut?.bottom ?? picture.height,
      goesOn: before !== undefined && heightOf(before) < usual * PARAGRAPH_GAP,
    };
  });
}

/** Returns the picture of a band, with paper above and below it, and how far its rows are from those of the page. */
export function bandPicture(
  { width, height, data }: Samples,
  { top, bottom }: Band,
  dpi: number,
): { readonly picture: Samples; readonly shift: number } {
  const padding = Math.round(dpi * PADDING);
  const above = top === 0 ? 0 : padding;
  const below = bottom === height ? 0 : padding;
  const cut = new Uint8Array((above + bottom - top + below) * width);
  cut.set(data.subarray(top * width, bottom * width), above * width);
  // The rows at both edges are blank ones of the page, in its own shade of paper.
  for (let row = 0; row < above; row++) cut.copyWithin(row * width, above * width, (above + 1) * width);
  const last = (above + bottom - top - 1) * width;
  for (let row = 1; row <= below; row++) cut.copyWithin(last + row * width, last, last + width);
  return { picture: { width, height: above + bottom - top + below, channels: 1, data: cut }, shift: top - above };
}

/** Puts pages that were read from bands together: `shift` moves each down, and text that goes on is one paragraph. */
export function joinBands(
  bands: readonly { readonly read: ReadPage; readonly shift: number; readonly goesOn: boolean }[],
): ReadPage {
  const paragraphs: ReadPage['paragraphs'][number][] = [];
  for (const { read, shift, goesOn } of bands) {
    const [first = [], ...others] = read.paragraphs.map((lines) =>
      lines.map((line) => ({
        ...line,
        box: moved(line.box, shift),
        words: line.words.map((word) => ({ ...word, box: moved(word.box, shift) })),
      })),
    );
    const last = goesOn ? paragraphs.pop() : undefined;
    if (first.length > 0 || last !== undefined) paragraphs.push([...(last ?? []), ...first]);
    paragraphs.push(...others);
  }
  const [width, height] = [bands[0]?.read.width ?? 0, Math.max(0, ...bands.map((one) => one.read.height + one.shift))];
  return { width, height, paragraphs };
}

const heightOf = ({ top, bottom }: Gap): number => bottom - top;

const moved = ([left, top, right, bottom]: readonly [number, number, number, number], shift: number) =>
  [left, top + shift, right, bottom + shift] as const;

/** Least for a gap between paragraphs in the middle. */
const costOf = (gap: Gap, target: number, inked: number, usual: number): number =>
  Math.abs(gap.above - target) / inked + (heightOf(gap) < usual * PARAGRAPH_GAP ? FARTHEST : 0);

/** The gaps between lines, and how many rows have ink. */
function gapsOf(picture: Samples, least: number): { readonly gaps: readonly Gap[]; readonly inked: number } {
  const { width, height, data } = picture;
  const [left, right] = [Math.round(width * MARGIN), Math.round(width * (1 - MARGIN))];
  const most = Math.floor(width * SPECKS);
  const gaps: Gap[] = [];
  let [inked, blankFrom] = [0, 0];
  for (let y = 0; y < height; y++) {
    let ink = 0;
    for (let x = left, at = y * width + left; x < right && ink <= most; x++, at++) if (data[at]! < PAPER) ink++;
    if (ink <= most) continue;
    if (y - blankFrom >= least && inked > 0) gaps.push({ top: blankFrom, bottom: y, above: inked });
    inked++;
    blankFrom = y + 1;
  }
  return { gaps, inked };
}

/** True where the text above and below a gap has no gutter, so that it is a single column there. */
function isBetweenLines(picture: Samples, { top, bottom }: Gap, dpi: number): boolean {
  const rows = Math.round(dpi * WINDOW);
  return [
    { from: Math.max(0, top - rows), to: top },
    { from: bottom, to: Math.min(picture.height, bottom + rows) },
  ].every(({ from, to }) => !hasGutter(picture, from, to, Math.max(4, Math.round(dpi * GUTTER))));
}

/** True where columns without ink, as many beside each other as given, divide the ink of these rows. */
function hasGutter({ width, data }: Samples, from: number, to: number, least: number): boolean {
  const [left, right] = [Math.round(width * MARGIN), Math.round(width * (1 - MARGIN))];
  const ink = new Uint8Array(width);
  for (let y = from; y < to; y++)
    for (let x = left, at = y * width + left; x < right; x++, at++) if (data[at]! < PAPER) ink[x] = 1;
  let last = ink.indexOf(1);
  for (let x = last + 1; last >= 0 && x < right; x++) {
    if (ink[x] === 0) continue;
    if (x - last > least) return true;
    last = x;
  }
  return false;
}
