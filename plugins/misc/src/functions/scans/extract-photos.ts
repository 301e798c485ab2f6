import { encodePixels, picturePixels, type PictureKind, type Pixels, shrunkPixels } from '@quire/document/images';
import {
  breathe,
  type FindOptions,
  fittingDpi,
  type PixelSize,
  pixelSize,
  renderPage,
} from '@quire/document/engines/rendering';
import type { PdfiumDocument } from '@quire/document/engines/pdfium';
import { withPdf } from '@quire/document/file/open';
import { readPdf } from '@quire/document/content/text';
import { InputError } from '@quire/registry/errors';
import { cutPhoto, type CutRule } from './cut-photo.js';
import { findPhotos, type FoundPhoto, MAX_PHOTOS, type PhotoRule, WORK_PIXELS } from './find-photos.js';
import { ownDpi } from './page-pictures.js';
import { backgroundOf } from './scan-background.js';
import { plainJpegsOf, scanPixelsOf, scanSize, type WholePageScan, wholePageScan } from './whole-page-scans.js';

export interface ExtractPhotosOptions extends FindOptions {
  readonly rule: PhotoRule & CutRule;
  /** Called with each photo as a PNG file and its number from 1, counted over all pages. */
  readonly emit: (png: Uint8Array, n: number) => Promise<void>;
}

/** One scan, first small, to look for photos on it, and whole when there are some. */
interface Scan {
  readonly small: Pixels;
  /** Width of the scan to which `PhotoRule` applies. */
  readonly width: number;
  readonly whole: () => Pixels | Promise<Pixels>;
}

/** A file with scans: a PDF by its path, an image file by its bytes. */
export type ScanFile =
  | { readonly kind: 'pdf'; readonly path: string }
  | { readonly kind: PictureKind; readonly bytes: Uint8Array };

/**
 * Crops the photos out of scans: the pages of a PDF, or the frames of an image file. Pages are rendered at `maxDpi` as
 * far as the pixel limits allow, pages that show only images at the resolution of these if that is lower. Returns the
 * number of photos. Throws PHOTOS_NONE if there are none, IMAGE_UNREADABLE, IMAGE_TOO_LARGE, and the errors of opening.
 */
export async function extractPhotos(source: ScanFile, options: ExtractPhotosOptions): Promise<number> {
  const { rule, signal, emit } = options;
  let photos = 0;
  // The next photo is cut while one is encoded.
  let written: Promise<void> = Promise.resolve();
  const write = async (photo: Pixels, n: number): Promise<void> =>
    emit(await encodePixels(photo, 'png', 'fileInput'), n);
  const eachScan = async ({ small, width, whole }: Scan): Promise<void> => {
    const background = backgroundOf(small);
    const photosHere = findPhotos(small, width, background, rule);
    if (photosHere.length === 0) return;
    const scan = await whole();
    for (const found of photosHere) {
      signal?.throwIfAborted();
      const photo = cutPhoto(scan, scaled(found, scan.width / width), background, rule);
      if (photo === undefined) continue;
      if (photos >= MAX_PHOTOS) throw new InputError('INPUT_TOO_COMPLEX', { resource: 'photos', limit: MAX_PHOTOS });
      await written;
      written = write(photo, ++photos);
      // Awaited later, but it may fail before that.
      written.catch(() => undefined);
    }
  };
  await (source.kind === 'pdf'
    ? eachPage(source.path, options, eachScan)
    : eachFrame(source.bytes, source.kind, options, eachScan));
  await written;
  if (photos === 0) throw new InputError('PHOTOS_NONE', { field: 'fileInput' });
  return photos;
}

/** The same photo in pixels of a scan of another size. */
function scaled({ rectangle, box: [left, top, right, bottom] }: FoundPhoto, scale: number): FoundPhoto {
  return {
    rectangle: {
      middle: { x: rectangle.middle.x * scale, y: rectangle.middle.y * scale },
      width: rectangle.width * scale,
      height: rectangle.height * scale,
      angle: rectangle.angle,
    },
    box: [left * scale, top * scale, right * scale, bottom * scale],
  };
}

async function eachPage(
  path: string,
  { maxDpi, signal, progress }: ExtractPhotosOptions,
  look: (scan: Scan) => Promise<void>,
): Promise<void> {
  // A file that only PDFium can open is rendered.
  const jpegs = await withPdf({ path }, {}, plainJpegsOf).catch(() => []);
  await readPdf({ path }, async (document) => {
    const pages = Array.from({ length: document.reachablePages() }, (_none, i) => document.pageGeometry(i));
    const dpi = fittingDpi(pages, maxDpi);
    const drawer = new Drawer(document);
    for (const [i, page] of pages.entries()) {
      await breathe(signal);
      const size = pixelSize(page, dpi);
      const stored = jpegs.length === pages.length ? wholePageScan(document, i, jpegs[i]!) : undefined;
      await look((await storedScan(stored, size, dpi)) ?? drawer.scan(i, size, dpi));
      progress?.(i + 1, pages.length);
    }
  });
}

/** A page that is a single JPEG, decoded without rendering it. */
async function storedScan(scan: WholePageScan | undefined, size: PixelSize, dpi: number): Promise<Scan | undefined> {
  if (scan === undefined) return undefined;
  const own = scanSize(scan, dpi);
  // Enlarged where the scan has fewer pixels: what is too thin for a photo depends on the resolution.
  const small = await scanPixelsOf(scan, smaller(size));
  const whole = async (): Promise<Pixels> => {
    const pixels = await scanPixelsOf(scan, own);
    if (pixels === undefined)
      throw new InputError('PDF_DAMAGED', { field: 'fileInput', detail: 'an image is damaged' });
    return pixels;
  };
  return small === undefined ? undefined : { small, width: size.width, whole };
}

/** Renders pages; most pages of most documents have no photo and need not be drawn at their whole size. */
class Drawer {
  private last: Uint8Array | undefined;

  constructor(private readonly document: PdfiumDocument) {}

  scan(index: number, size: PixelSize, dpi: number): Scan {
    const own = ownDpi(this.document, index) ?? dpi;
    const wanted = own < dpi ? pixelSize(this.document.pageGeometry(index), own) : size;
    const small = smaller(size);
    const first = this.draw(index, small);
    const whole = (): Pixels => {
      if (small.width === wanted.width && small.height === wanted.height) return first;
      const scan = this.draw(index, wanted, this.last);
      this.last = scan.data;
      return scan;
    };
    return { small: first, width: size.width, whole };
  }

  private draw(index: number, size: PixelSize, into?: Uint8Array): Pixels {
    const options = { ...size, annotations: true, ...(into === undefined ? {} : { into }) };
    return { ...size, channels: 4, data: renderPage(this.document, index, options) };
  }
}

async function eachFrame(
  bytes: Uint8Array,
  kind: PictureKind,
  { signal, progress }: ExtractPhotosOptions,
  look: (scan: Scan) => Promise<void>,
): Promise<void> {
  let frames = 0;
  for await (const scan of picturePixels(bytes, kind, 'fileInput')) {
    signal?.throwIfAborted();
    await look({ small: await shrunkPixels(scan, WORK_PIXELS), width: scan.width, whole: () => scan });
    progress?.(++frames, frames + 1);
  }
}

/** The size with the same proportions that has at most as many pixels as are searched. */
function smaller(size: PixelSize): PixelSize {
  const scale = Math.sqrt(WORK_PIXELS / (size.width * size.height));
  if (scale >= 1) return size;
  return { width: Math.max(1, Math.round(size.width * scale)), height: Math.max(1, Math.round(size.height * scale)) };
}
