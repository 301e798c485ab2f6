import { encodePixels, picturePixels, type PictureKind, type Pixels, shrunkPixels } from '@quire/document/images';
import {
  breathe,
  type FindOptions,
  fittingDpi,
  type PixelSize,
  pixelSize,
  renderPage,
} from '@quire/document/engines/rendering';
import { readPdf } from '@quire/document/content/text';
import { InputError } from '@quire/registry/errors';
import { cutPhoto, type CutRule } from './cut-photo.js';
import { findPhotos, MAX_PHOTOS, type PhotoRule, WORK_PIXELS } from './find-photos.js';
import { backgroundOf } from './scan-background.js';

export interface ExtractPhotosOptions extends FindOptions {
  readonly rule: PhotoRule & CutRule;
  /** Called with each photo as a PNG file and its number from 1, counted over all pages. */
  readonly emit: (png: Uint8Array, n: number) => Promise<void>;
}

/** One scan, first small, to look for photos on it, and whole when there are some. */
interface Scan {
  readonly small: Pixels;
  /** Width of the whole scan. */
  readonly width: number;
  readonly whole: () => Pixels;
}

/** A file with scans: a PDF by its path, an image file by its bytes. */
export type ScanFile =
  | { readonly kind: 'pdf'; readonly path: string }
  | { readonly kind: PictureKind; readonly bytes: Uint8Array };

/**
 * Crops the photos out of scans: the pages of a PDF, rendered at `maxDpi` as far as the pixel limits allow, or the
 * frames of an image file. Returns the number of photos. Throws PHOTOS_NONE if there are none, IMAGE_UNREADABLE,
 * IMAGE_TOO_LARGE, and the errors of opening.
 */
export async function extractPhotos(source: ScanFile, options: ExtractPhotosOptions): Promise<number> {
  const { rule, signal, emit } = options;
  let photos = 0;
  const eachScan = async ({ small, width, whole }: Scan): Promise<void> => {
    const background = backgroundOf(small);
    const photosHere = findPhotos(small, width, background, rule);
    if (photosHere.length === 0) return;
    const scan = whole();
    for (const found of photosHere) {
      signal?.throwIfAborted();
      const photo = cutPhoto(scan, found, background, rule);
      if (photo !== undefined && photos >= MAX_PHOTOS)
        throw new InputError('INPUT_TOO_COMPLEX', { resource: 'photos', limit: MAX_PHOTOS });
      if (photo !== undefined) await emit(await encodePixels(photo, 'png', 'fileInput'), ++photos);
    }
  };
  await (source.kind === 'pdf'
    ? eachPage(source.path, options, eachScan)
    : eachFrame(source.bytes, source.kind, options, eachScan));
  if (photos === 0) throw new InputError('PHOTOS_NONE', { field: 'fileInput' });
  return photos;
}

async function eachPage(
  path: string,
  { maxDpi, signal, progress }: ExtractPhotosOptions,
  look: (scan: Scan) => Promise<void>,
): Promise<void> {
  await readPdf({ path }, async (document) => {
    const pages = Array.from({ length: document.reachablePages() }, (_none, i) => document.pageGeometry(i));
    const dpi = fittingDpi(pages, maxDpi);
    let last: Uint8Array | undefined;
    for (const [i, page] of pages.entries()) {
      await breathe(signal);
      const size = pixelSize(page, dpi);
      const render = (drawn: PixelSize, into?: Uint8Array): Pixels => ({
        ...drawn,
        channels: 4,
        data: renderPage(document, i, { ...drawn, annotations: true, ...(into === undefined ? {} : { into }) }),
      });
      const whole = (): Pixels => {
        const scan = render(size, last);
        last = scan.data;
        return scan;
      };
      const small = size.width * size.height > WORK_PIXELS ? smaller(size) : size;
      // Most pages of most documents have no photo and need not be drawn at their whole size.
      const first = render(small);
      await look({ small: first, width: size.width, whole: small === size ? () => first : whole });
      progress?.(i + 1, pages.length);
    }
  });
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

/** The size with the same proportions that has as many pixels as are searched. */
function smaller({ width, height }: PixelSize): PixelSize {
  const scale = Math.sqrt(WORK_PIXELS / (width * height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
