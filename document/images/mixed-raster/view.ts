import type { Plane } from './plane.js';

/** A page of more pixels is compared at a quarter of its size, others at half of it: as it is read on a screen. */
const MAX_HALVED = 16_000_000;

/** The size at which layers are compared with the scan, and how many pixels of a side become one. */
export interface View {
  readonly width: number;
  readonly height: number;
  readonly factor: number;
}

/** Returns the view of a scan of this size. */
export function viewOf(width: number, height: number): View {
  const factor = width * height > MAX_HALVED ? 4 : 2;
  return { width: Math.floor(width / factor), height: Math.floor(height / factor), factor };
}

/** Reduces a plane to the view: the mean of the pixels, of the scale `most`, in shades from 0 to 255. */
export function viewed(plane: Plane, view: View, most: 1 | 255): Plane {
  const { width, height, factor } = view;
  const data = new Uint8Array(width * height);
  const scale = 255 / (most * factor * factor);
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0; x < width; x++, to++) {
      let sum = 0;
      for (let row = y * factor; row < (y + 1) * factor; row++) {
        const from = row * plane.width + x * factor;
        for (let at = from; at < from + factor; at++) sum += plane.data[at]!;
      }
      data[to] = Math.round(sum * scale);
    }
  }
  return { width, height, data };
}

/** Decodes an encoded image at the size of the view, in grey. */
export async function viewedFile(file: Uint8Array, { width, height }: View): Promise<Plane> {
  const { default: sharp } = await import('sharp');
  const data = await sharp(file, { ignoreIcc: true, limitInputPixels: false })
    .resize(width, height, { fit: 'fill', kernel: 'linear' })
    .greyscale()
    .toColourspace('b-w')
    .raw()
    .toBuffer();
  return { width, height, data };
}

/** Paints ink over a background through the mask, all of one size, the mask in shades from 0 to 255. */
export function painted(background: Plane, ink: Plane, mask: Plane): Plane {
  const data = background.data.map((value, i) => {
    const share = mask.data[i]! / 255;
    return Math.round(value * (1 - share) + ink.data[i]! * share);
  });
  return { ...background, data };
}
