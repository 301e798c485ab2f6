import { DocumentError } from '../errors.js';
import { openPicture } from './decode.js';
import { coded, unreadable } from './picture-checks.js';

export interface RecodeLimits {
  /** Form field that errors name. */
  readonly field: string;
  readonly maxPixels: number;
  /** Limit for the output. */
  readonly maxBytes: number;
}

/** Tried in this order until the result is small enough. */
const QUALITIES = [92, 85, 75] as const;
const PALETTE = 256;

/**
 * Decodes a whole PNG or JPEG and encodes it again in the same format, upright and in sRGB. Truncated files are
 * rejected; metadata, further frames and trailing bytes are removed. PNG keeps its alpha channel. Throws
 * IMAGE_UNREADABLE, also when the result has more than `maxBytes`; IMAGE_TOO_LARGE before a pixel is decoded.
 */
export async function recodePicture(
  bytes: Uint8Array,
  kind: 'png' | 'jpeg',
  { field, maxPixels, maxBytes }: RecodeLimits,
): Promise<Uint8Array> {
  const { width, height } = await openPicture(bytes, kind, field);
  if (width * height > maxPixels)
    throw new DocumentError('IMAGE_TOO_LARGE', { found: width * height, limit: maxPixels }, [
      { pointer: `/${field}`, detail: `is ${width} x ${height} pixels; at most ${maxPixels} in all are allowed` },
    ]);
  return coded(field, async () => {
    const { default: sharp } = await import('sharp');
    const image = sharp(bytes, { failOn: 'error', limitInputPixels: maxPixels });
    const { isPalette } = await image.metadata();
    const upright = image.autoOrient();
    const attempts =
      kind === 'jpeg'
        ? QUALITIES.map((quality) => () => upright.clone().jpeg({ quality, chromaSubsampling: '4:4:4' }))
        : [
            () =>
              upright.clone().png({
                compressionLevel: 9,
                ...(isPalette
                  ? { palette: true, colours: PALETTE, quality: 100, dither: 0 }
                  : { adaptiveFiltering: true }),
              }),
          ];
    for (const attempt of attempts) {
      const written = await attempt().toBuffer();
      if (written.length <= maxBytes) return written;
    }
    throw unreadable(field, `re-encoded it has more than ${maxBytes} bytes`);
  });
}
