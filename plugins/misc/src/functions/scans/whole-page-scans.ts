import { jpegPixels, type Pixels, plainJpegs, type StoredImage, turnedPixels } from '@quire/document/images';
import { guardDocument, type OpenedPdf } from '@quire/document/file/open';
import type { PdfiumDocument } from '@quire/document/engines/pdfium';
import { MAX_PAGE_PIXELS, type PixelSize, type PointSize } from '@quire/document/engines/rendering';
import { type DrawnPicture, type Place, withPagePictures } from './page-pictures.js';

/** A page that shows a single JPEG, and how to get its pixels without rendering it. */
export interface WholePageScan {
  /** Size of the JPEG in pixels. */
  readonly stored: PixelSize;
  readonly bytes: Uint8Array;
  readonly page: PointSize;
  readonly place: Place;
  /** Resolution of the scan. */
  readonly dpi: number;
}

const POINTS_PER_INCH = 72;
/** An image is not scaled to fit a place that differs by so few pixels: places are rounded. */
const ROUNDING = 2;
const WHITE = 255;

/** Finds the plain JPEGs of each page; empty for pages without any. */
export async function plainJpegsOf({ document: { context }, pages }: OpenedPdf): Promise<StoredImage[][]> {
  const found: StoredImage[][] = [];
  for (const page of pages) found.push(await guardDocument('fileInput', () => plainJpegs(context, page)));
  return found;
}

/** Returns the scan of a page that draws one of these JPEGs and nothing else. */
export function wholePageScan(
  document: PdfiumDocument,
  index: number,
  jpegs: readonly StoredImage[],
): WholePageScan | undefined {
  if (jpegs.length === 0) return undefined;
  return withPagePictures(document, index, (pictures) => {
    const [picture] = pictures ?? [];
    if (picture?.place === undefined || pictures?.length !== 1 || picture.covered) return undefined;
    if (picture.width * picture.height > MAX_PAGE_PIXELS || !jpegs.some((jpeg) => isSame(jpeg, picture)))
      return undefined;
    const { width, height } = document.pageGeometry(index);
    return {
      stored: { width: picture.width, height: picture.height },
      bytes: picture.bytes(),
      page: { width, height },
      place: picture.place,
      dpi: picture.dpi,
    };
  });
}

const isSame = (jpeg: StoredImage, picture: DrawnPicture): boolean =>
  jpeg.width === picture.width && jpeg.height === picture.height && jpeg.length === picture.length;

/** Size of the page in pixels at the scan's resolution, but at most `dpi`. */
export function scanSize({ page, place, stored, dpi: own }: WholePageScan, dpi: number): PixelSize {
  const turned = place.turn === 90 || place.turn === 270;
  const [width, height] = turned ? [stored.height, stored.width] : [stored.width, stored.height];
  const most = Math.min(dpi, own) / POINTS_PER_INCH;
  const side = (points: number, pixels: number, drawn: number): number => {
    const exact = (points * pixels) / drawn;
    const scaled = points * most;
    return Math.max(1, Math.round(Math.abs(exact - scaled) <= ROUNDING ? exact : scaled));
  };
  return { width: side(page.width, width, place.width), height: side(page.height, height, place.height) };
}

/** Size in pixels in which the JPEG is drawn at a resolution, before it is turned, within the limit for a page. */
export function drawnSize({ place }: WholePageScan, dpi: number): PixelSize {
  const turned = place.turn === 90 || place.turn === 270;
  const [width, height] = turned ? [place.height, place.width] : [place.width, place.height];
  const scale = Math.min(dpi / POINTS_PER_INCH, Math.sqrt(MAX_PAGE_PIXELS / Math.max(1, width * height)));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/**
 * Returns the page in this size, as rendering it does: the JPEG at its place, the rest white. Undefined if the JPEG
 * cannot be decoded.
 */
export async function scanPixelsOf(
  { stored, bytes, page, place }: WholePageScan,
  size: PixelSize,
): Promise<Pixels | undefined> {
  const [across, down] = [size.width / page.width, size.height / page.height];
  const turned = place.turn === 90 || place.turn === 270;
  const [wide, high] = turned ? [stored.height, stored.width] : [stored.width, stored.height];
  const fit = (drawn: number, own: number): number =>
    Math.abs(drawn - own) <= ROUNDING ? own : Math.max(1, Math.round(drawn));
  const [width, height] = [fit(place.width * across, wide), fit(place.height * down, high)];
  if (width * height > MAX_PAGE_PIXELS) return undefined;
  const pixels = await jpegPixels(bytes, stored, turned ? { width: height, height: width } : { width, height });
  if (pixels === undefined) return undefined;
  return onPage(
    await turnedPixels(pixels, place.turn),
    Math.round(place.left * across),
    Math.round(place.top * down),
    size,
  );
}

/** Places pixels on a white page, cut at its edges. */
function onPage(pixels: Pixels, left: number, top: number, { width, height }: PixelSize): Pixels {
  if (left === 0 && top === 0 && pixels.width === width && pixels.height === height) return pixels;
  const { channels, data } = pixels;
  const page = new Uint8Array(width * height * channels).fill(WHITE);
  const [from, to] = [Math.max(0, left), Math.min(width, left + pixels.width)];
  for (let y = Math.max(0, top); from < to && y < Math.min(height, top + pixels.height); y++) {
    const start = ((y - top) * pixels.width + from - left) * channels;
    page.set(data.subarray(start, start + (to - from) * channels), (y * width + from) * channels);
  }
  return { width, height, channels, data: page };
}
