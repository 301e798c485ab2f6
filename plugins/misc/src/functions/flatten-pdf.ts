import type { OpenedPdf } from '@quire/document/file/open';
import {
  type PicturePagesOptions,
  fittingDpi,
  guardPixels,
  picturePages,
  pixelSize,
} from '@quire/document/engines/rendering';

/** How pages become pictures. */
export interface PictureResolution extends Pick<PicturePagesOptions, 'store' | 'signal' | 'progress'> {
  /** Dots per inch, cut to 72 and `maxDpi`; absent: as many as `maxDpi` and the limits on pixels allow. */
  readonly dpi: number | undefined;
  /** What the server allows at most. */
  readonly maxDpi: number;
}

const LEAST_DPI = 72;

/**
 * Makes each page one RGB picture of what it shows, in place (`docs/interface/misc.yml`, flatten). Errors:
 * IMAGE_TOO_LARGE, before any work, for a page that is too large at that resolution; those of `picturePages`.
 */
export async function flattenToPictures(
  opened: OpenedPdf,
  { dpi, maxDpi, ...options }: PictureResolution,
): Promise<void> {
  await picturePages(opened, {
    ...options,
    sizes: (pages) => {
      const wanted = Math.min(Math.max(LEAST_DPI, dpi ?? maxDpi), Math.max(LEAST_DPI, maxDpi));
      // Nobody chose the server's highest, so it may be less where it would not fit.
      const resolution = dpi === undefined ? Math.max(LEAST_DPI, fittingDpi(pages, wanted)) : wanted;
      const sizes = pages.map((page) => pixelSize(page, resolution));
      // Pages are drawn and put away one by one, so only a single one can be too large.
      for (const size of sizes) guardPixels([size]);
      return sizes;
    },
  });
}
