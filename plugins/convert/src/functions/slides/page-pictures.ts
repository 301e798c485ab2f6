import type { PdfiumDocument } from '@quire/document/engines/pdfium';
import { invisibleText, pixelSize, type PointSize, renderPage } from '@quire/document/engines/rendering';
import { drawnParts } from './drawn-parts.js';

/** An image of a part of a page, positioned in points of the page as shown. */
export interface PartPicture {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly format: 'png' | 'jpeg';
  readonly bytes: Uint8Array;
}

/** Resolution of pictures, and the most pixels of a page; larger pages are drawn coarser. */
const DPI = 150;
const MAX_PIXELS = 12_000_000;
/** Pictures of more bytes than this are photographs if JPEG makes them so much smaller. */
const LARGE = 60_000;
const SMALLER = 0.6;
/** A page most of whose text is not painted is a scan with the text behind it. */
const SCAN = 0.5;

/**
 * Draws the content of a page (0-based) except its text, cut into connected parts. `text` draws its text too,
 * for a page that has too much of it.
 */
export async function pagePictures(
  document: PdfiumDocument,
  index: number,
  size: PointSize,
  text: boolean,
): Promise<PartPicture[]> {
  const dpi = Math.max(1, Math.min(DPI, 72 * Math.sqrt(MAX_PIXELS / Math.max(1, size.width * size.height))));
  const { width, height } = pixelSize(size, dpi);
  const pixels = renderPage(document, index, {
    width,
    height,
    annotations: true,
    ...(text ? {} : { text: false as const }),
  });
  const parts: PartPicture[] = [];
  const [x, y] = [size.width / width, size.height / height];
  const { default: sharp } = await import('sharp');
  for (const area of drawnParts(pixels, width, height)) {
    const cut = sharp(pixels, { raw: { width, height, channels: 4 } })
      .extract(area)
      .removeAlpha();
    const png = await cut.clone().png({ compressionLevel: 9, effort: 4 }).toBuffer();
    const jpeg =
      png.length > LARGE ? await cut.clone().jpeg({ quality: 88, chromaSubsampling: '4:4:4' }).toBuffer() : undefined;
    const file =
      jpeg !== undefined && jpeg.length < SMALLER * png.length
        ? ({ format: 'jpeg', bytes: jpeg } as const)
        : ({ format: 'png', bytes: png } as const);
    parts.push({ left: area.left * x, top: area.top * y, width: area.width * x, height: area.height * y, ...file });
  }
  return parts;
}

/** True for a page whose text is there to be searched, not to be seen: a scan with recognised text. */
export function isScan(document: PdfiumDocument, index: number): boolean {
  return document.withPage(index, (page) => invisibleText(document.pdfium, page)) > SCAN;
}
