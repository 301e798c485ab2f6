import { withDocument } from '@quire/document/engines/pdfium';
import { renderPage } from '@quire/document/engines/rendering';

/** A page as PDFium renders it, with fields and comments: grey values from the upper left, one per point. */
export interface SeenPage {
  readonly width: number;
  readonly height: number;
  readonly grey: (x: number, y: number) => number;
}

/** Renders at most `most` pages of a document at `scale` pixels per point. */
export function seenPages(bytes: Uint8Array, scale = 1, most = 20): Promise<SeenPage[]> {
  return withDocument(bytes, {}, (document) =>
    Array.from({ length: Math.min(most, document.pageCount) }, (_unused, index) => {
      const geometry = document.pageGeometry(index);
      const [width, height] = [Math.round(geometry.width * scale), Math.round(geometry.height * scale)];
      const pixels = renderPage(document, index, { width, height, annotations: true });
      return {
        width,
        height,
        grey: (x, y) => {
          const at = (Math.min(height - 1, Math.max(0, y)) * width + Math.min(width - 1, Math.max(0, x))) * 4;
          return ((pixels[at] ?? 0) + (pixels[at + 1] ?? 0) + (pixels[at + 2] ?? 0)) / 3;
        },
      };
    }),
  );
}

/** A part of a page, from a corner in pixels from its upper left, with its pixels scaled by `scale`. */
export function partOf(page: SeenPage, left: number, top: number, width: number, height: number, scale = 1): SeenPage {
  return {
    width: Math.round(width),
    height: Math.round(height),
    grey: (x, y) => page.grey(Math.round(left + x * scale), Math.round(top + y * scale)),
  };
}

/**
 * The difference of two images, 0 to 255: the mean over blocks of eight by eight pixels, so that an edge shifted by
 * half a pixel does not count.
 */
export function difference(a: SeenPage, b: SeenPage): number {
  const BLOCK = 8;
  let worst = 0;
  for (let top = 0; top + BLOCK <= Math.min(a.height, b.height); top += BLOCK) {
    for (let left = 0; left + BLOCK <= Math.min(a.width, b.width); left += BLOCK) {
      let sum = 0;
      for (let y = top; y < top + BLOCK; y++)
        for (let x = left; x < left + BLOCK; x++) sum += a.grey(x, y) - b.grey(x, y);
      worst = Math.max(worst, Math.abs(sum) / BLOCK ** 2);
    }
  }
  return worst;
}
