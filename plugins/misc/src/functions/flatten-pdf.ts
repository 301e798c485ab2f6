import type { OpenedPdf } from '@quire/document/file/open';
import {
  type PicturePagesOptions,
  fittingDpi,
  guardPixels,
  picturePages,
  pixelSize,
} from '@quire/document/engines/rendering';

export interface PictureResolution extends Pick<PicturePagesOptions, 'store' | 'signal' | 'progress'> {
  /** Dots per inch, limited to 72 up to `maxDpi`; if absent, the highest that `maxDpi` and the pixel limits allow. */
  readonly dpi: number | undefined;
  /** The highest resolution that the server allows. */
  readonly maxDpi: number;
}

const MIN_DPI = 72;

/**
 * Converts each page to one RGB image of what it shows, in place (`docs/interface/misc.yml`, flatten). Throws
 * IMAGE_TOO_LARGE before any work for a page that is too large at that resolution, and the errors of `picturePages`.
 */
export async function flattenToPictures(
  opened: OpenedPdf,
  { dpi, maxDpi, ...options }: PictureResolution,
): Promise<void> {
  await picturePages(opened, {
    ...options,
    sizes: (pages) => {
      const wanted = Math.min(Math.max(MIN_DPI, dpi ?? maxDpi), Math.max(MIN_DPI, maxDpi));
      // The caller chose no resolution, so it may be lower than the server's maximum where that would not fit.
      const resolution = dpi === undefined ? Math.max(MIN_DPI, fittingDpi(pages, wanted)) : wanted;
      const sizes = pages.map((page) => pixelSize(page, resolution));
      // Pages are rendered and stored one by one, so each is checked on its own.
      for (const size of sizes) guardPixels([size]);
      return sizes;
    },
  });
}
