import type { Pixels } from '@quire/document/images';
import type { Colour } from './find-photos.js';

/** Width of the border to examine, as a share of the shorter side. */
const BORDER_SHARE = 0.03;
/** A colour with at least this share of the border is the background, even if another is more frequent inside. */
const BACKGROUND_SHARE = 0.3;
/** Approximate number of pixels to sample. */
const SAMPLES = 200_000;

const BINS = 16;

/** A colour histogram in steps of 16 levels, with sums for the mean: count, red, green and blue of each bin. */
class Histogram {
  private readonly bins = new Float64Array(BINS ** 3 * 4);
  total = 0;

  add(red: number, green: number, blue: number): void {
    const at = (((red >> 4) << 8) | ((green >> 4) << 4) | (blue >> 4)) * 4;
    this.bins[at]!++;
    this.bins[at + 1]! += red;
    this.bins[at + 2]! += green;
    this.bins[at + 3]! += blue;
    this.total++;
  }

  /** The most frequent colour: the mean of the fullest bin and its neighbours, because noise spreads; and its share. */
  mode(): { readonly colour: Colour; readonly share: number } {
    let best = [0, 0, 0, 0];
    for (let key = 0; key < BINS ** 3; key++) {
      if (this.bins[key * 4] === 0) continue;
      const around = this.around(key);
      if (around[0]! > best[0]!) best = around;
    }
    const [count = 0, red = 0, green = 0, blue = 0] = best;
    return {
      colour: count === 0 ? [255, 255, 255] : [red / count, green / count, blue / count],
      share: count / Math.max(1, this.total),
    };
  }

  private around(key: number): number[] {
    const sum = [0, 0, 0, 0];
    const near = (channel: number): number[] =>
      [channel - 1, channel, channel + 1].filter((at) => at >= 0 && at < BINS);
    for (const red of near(key >> 8)) {
      for (const green of near((key >> 4) & 15)) {
        for (const blue of near(key & 15)) {
          const at = ((red << 8) | (green << 4) | blue) * 4;
          for (let i = 0; i < 4; i++) sum[i]! += this.bins[at + i]!;
        }
      }
    }
    return sum;
  }
}

/**
 * Estimates the background colour of a scan with photos: the most frequent colour of its border, or of the whole scan
 * if photos cover the border.
 */
export function backgroundOf({ width, height, channels, data }: Pixels): Colour {
  const rim = Math.max(1, Math.round(Math.min(width, height) * BORDER_SHARE));
  const step = Math.max(1, Math.floor(Math.sqrt((width * height) / SAMPLES)));
  const [edge, all] = [new Histogram(), new Histogram()];
  for (let y = 0; y < height; y += step) {
    for (let x = 0; x < width; x += step) {
      const at = (y * width + x) * channels;
      const red = data[at]!;
      const green = data[channels === 1 ? at : at + 1]!;
      const blue = data[channels === 1 ? at : at + 2]!;
      all.add(red, green, blue);
      if (x < rim || y < rim || x >= width - rim || y >= height - rim) edge.add(red, green, blue);
    }
  }
  const { colour, share } = edge.mode();
  return share >= BACKGROUND_SHARE ? colour : all.mode().colour;
}
