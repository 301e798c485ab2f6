import type { PdfiumDocument } from '@quire/document/engines/pdfium';
import { invisibleText, pixelSize, type PointSize, renderPage } from '@quire/document/engines/rendering';
import type { Sharp } from 'sharp';
import { drawnParts, type PixelArea } from './drawn-parts.js';

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
/** Higher levels of deflate take several times as long for a few percent. */
const PNG_LEVEL = 6;
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
  const [x, y] = [size.width / width, size.height / height];
  const cuts = drawnParts(pixels, width, height).map((area) => ({ area, cut: cropped(pixels, width, area) }));
  return Promise.all(
    cuts.map(async ({ area, cut }) => ({
      left: area.left * x,
      top: area.top * y,
      width: area.width * x,
      height: area.height * y,
      ...(await packed(cut, area)),
    })),
  );
}

/** Red, green and blue of an area of RGBA pixels. */
function cropped(pixels: Uint8Array, stride: number, { left, top, width, height }: PixelArea): Uint8Array {
  const cut = new Uint8Array(width * height * 3);
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0, from = ((top + y) * stride + left) * 4; x < width; x++, from += 4, to += 3) {
      cut[to] = pixels[from]!;
      cut[to + 1] = pixels[from + 1]!;
      cut[to + 2] = pixels[from + 2]!;
    }
  }
  return cut;
}

async function packed(rgb: Uint8Array, { width, height }: PixelArea): Promise<Pick<PartPicture, 'format' | 'bytes'>> {
  const { default: sharp } = await import('sharp');
  const image = (): Sharp => sharp(rgb, { raw: { width, height, channels: 3 } });
  const png = await image().png({ compressionLevel: PNG_LEVEL }).toBuffer();
  const jpeg =
    png.length > LARGE ? await image().jpeg({ quality: 88, chromaSubsampling: '4:4:4' }).toBuffer() : undefined;
  return jpeg !== undefined && jpeg.length < SMALLER * png.length
    ? { format: 'jpeg', bytes: jpeg }
    : { format: 'png', bytes: png };
}

/** True for a page whose text is there to be searched, not to be seen: a scan with recognised text. */
export function isScan(document: PdfiumDocument, index: number): boolean {
  return document.withPage(index, (page) => invisibleText(document.pdfium, page)) > SCAN;
}
