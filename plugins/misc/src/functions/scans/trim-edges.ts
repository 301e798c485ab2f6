import type { Pixels } from '@quire/document/images';
import type { Colour } from './find-photos.js';

export type RgbPixels = Pixels & { readonly channels: 3 };

/** A line with at least this share of background, or of its shadow, is not part of a photo. */
const BACKGROUND_SHARE = 0.9;
/** Maximum share of each side to trim, but at least `MIN_TRIM` pixels. */
const TRIM = 0.025;
const MIN_TRIM = 4;
/** Maximum darkening of a shadow from one line to the next, in levels; a larger step is an edge. */
const STEEPEST = 60;
/** A shadow on anything darker cannot be recognised. */
const BRIGHT = 150;

/** A line of pixels compared with the background: shares of its pixels, and the mean brightness. */
interface Line {
  readonly blank: number;
  readonly shade: number;
  readonly brightness: number;
}

/**
 * Returns the rest of a cut after trimming lines of background from its sides (detection is only exact to a few pixels)
 * and then the shadow at the photo's edge: lines in shades of the background that get gradually darker inwards.
 */
export function trimmedBox(
  { width, height, data }: RgbPixels,
  background: Colour,
  tolerance: number,
): { left: number; top: number; right: number; bottom: number } {
  const paper = brightness(...background);
  const look = (start: number, step: number, length: number): Line => {
    let [blank, shade, sum] = [0, 0, 0];
    for (let i = 0, at = start; i < length; i++, at += step) {
      const red = data[at]!;
      const green = data[at + 1]!;
      const blue = data[at + 2]!;
      const own = brightness(red, green, blue);
      const darker = Math.min(1, own / Math.max(1, paper));
      const off = (factor: number): number =>
        Math.max(
          Math.abs(red - background[0] * factor),
          Math.abs(green - background[1] * factor),
          Math.abs(blue - background[2] * factor),
        );
      if (off(1) <= tolerance) blank++;
      if (off(darker) <= tolerance) shade++;
      sum += own;
    }
    return { blank: blank / length, shade: shade / length, brightness: sum / length };
  };
  const rows = (y: number): Line => look(y * width * 3, 3, width);
  const columns = (x: number): Line => look(x * 3, width * 3, height);
  return {
    left: trimmed(width, columns, paper),
    top: trimmed(height, rows, paper),
    right: width - trimmed(width, (x) => columns(width - 1 - x), paper),
    bottom: height - trimmed(height, (y) => rows(height - 1 - y), paper),
  };
}

/** Number of lines to trim, counted from the outside. */
function trimmed(length: number, lineAt: (index: number) => Line, paper: number): number {
  const most = Math.min(Math.floor((length - 1) / 2), Math.max(MIN_TRIM, Math.round(length * TRIM)));
  let at = 0;
  while (at < most && lineAt(at).blank >= BACKGROUND_SHARE) at++;
  if (paper < BRIGHT) return at;
  for (let before = paper; at < most; at++) {
    const { shade, brightness: own } = lineAt(at);
    if (shade < BACKGROUND_SHARE || own >= before - 1 || own < before - STEEPEST) break;
    before = own;
  }
  return at;
}

const brightness = (red: number, green: number, blue: number): number => 0.3 * red + 0.6 * green + 0.1 * blue;
