import type { Pixels } from '@quire/document/images';
import type { Colour } from './find-photos.js';

/** Width of the border to examine, as a share of the shorter side. */
const BORDER_SHARE = 0.03;
/** A colour with at least this share of the border is the background, even if another is more frequent inside. */
const BACKGROUND_SHARE = 0.3;
/** Approximate number of pixels to sample. */
const SAMPLES = 200_000;

/** A colour histogram in steps of 16 levels, with sums for the mean. */
class Histogram {
  private readonly bins = new Map<number, { count: number; red: number; green: number; blue: number }>();
  total = 0;

  add(red: number, green: number, blue: number): void {
    const key = ((red >> 4) << 8) | ((green >> 4) << 4) | (blue >> 4);
    let bin = this.bins.get(key);
    if (bin === undefined) this.bins.set(key, (bin = { count: 0, red: 0, green: 0, blue: 0 }));
    bin.count++;
    bin.red += red;
    bin.green += green;
    bin.blue += blue;
    this.total++;
  }

  /** The most frequent colour: the mean of the fullest bin and its neighbours, because noise spreads; and its share. */
  mode(): { readonly colour: Colour; readonly share: number } {
    let best = { count: 0, red: 0, green: 0, blue: 0 };
    for (const key of this.bins.keys()) {
      const around = this.around(key);
      if (around.count > best.count) best = around;
    }
    const { count, red, green, blue } = best;
    return {
      colour: count === 0 ? [255, 255, 255] : [red / count, green / count, blue / count],
      share: count / Math.max(1, this.total),
    };
  }

  private around(key: number): { count: number; red: number; green: number; blue: number } {
    const sum = { count: 0, red: 0, green: 0, blue: 0 };
    for (let r = -1; r <= 1; r++) {
      for (let g = -1; g <= 1; g++) {
        for (let b = -1; b <= 1; b++) {
          const channels = [(key >> 8) + r, ((key >> 4) & 15) + g, (key & 15) + b];
          if (channels.some((channel) => channel < 0 || channel > 15)) continue;
          const bin = this.bins.get((channels[0]! << 8) | (channels[1]! << 4) | channels[2]!);
          if (bin === undefined) continue;
          sum.count += bin.count;
          sum.red += bin.red;
          sum.green += bin.green;
          sum.blue += bin.blue;
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
      const [red, green, blue] = [data[at]!, data[channels === 1 ? at : at + 1]!, data[channels === 1 ? at : at + 2]!];
      all.add(red, green, blue);
      if (x < rim || y < rim || x >= width - rim || y >= height - rim) edge.add(red, green, blue);
    }
  }
  const { colour, share } = edge.mode();
  return share >= BACKGROUND_SHARE ? colour : all.mode().colour;
}
