import { openPicture, type PictureKind } from './decode.js';
import { coded } from './picture-checks.js';
import { DocumentError } from '../errors.js';
import { MAX_EMBEDDED_PIXELS, type Pixels } from './decode-image.js';

/**
 * Decodes an image file frame by frame (more than one for TIFF only) as displayed: rotated by its EXIF orientation, on
 * white, in sRGB. Throws IMAGE_UNREADABLE with the field, IMAGE_TOO_LARGE above `MAX_EMBEDDED_PIXELS`.
 */
export async function* picturePixels(
  bytes: Uint8Array,
  kind: PictureKind,
  field: string,
): AsyncGenerator<Pixels & { readonly channels: 3 }> {
  const opened = await openPicture(bytes, kind, field);
  const found = opened.width * opened.height;
  if (found > MAX_EMBEDDED_PIXELS) throw new DocumentError('IMAGE_TOO_LARGE', { found, limit: MAX_EMBEDDED_PIXELS });
  for (let index = 0; index < opened.frames; index++) {
    yield await coded(field, async () => {
      const frame = await opened.frame(index);
      const shown = (opened.orientation > 1 ? frame.autoOrient() : frame)
        .flatten({ background: '#ffffff' })
        .toColourspace('srgb')
        .removeAlpha();
      const { data, info } = await shown.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
      return { width: info.width, height: info.height, channels: 3 as const, data };
    });
  }
}
