import { encodePixels, picturePixels, type PictureKind, type Pixels, shrunkPixels } from '@quire/document/images';
import {
  breathe,
  type FindOptions,
  fittingDpi,
  type PagePart,
  type PixelSize,
  pixelSize,
  renderPage,
} from '@quire/document/engines/rendering';
import type { PdfiumDocument } from '@quire/document/engines/pdfium';
import { withPdf } from '@quire/document/file/open';
import { readPdf } from '@quire/document/content/text';
import { InputError } from '@quire/registry/errors';
import { cutPhoto, type CutRule, partFor, type ScanPart } from './cut-photo.js';
import { findPhotos, type FoundPhoto, MAX_PHOTOS, type PhotoRule, WORK_PIXELS } from './find-photos.js';
import { ownDpi } from './page-pictures.js';
import { backgroundOf } from './scan-background.js';
import { plainJpegsOf, scanPixelsOf, scanSize, type WholePageScan, wholePageScan } from './whole-page-scans.js';

export interface ExtractPhotosOptions extends FindOptions {
  readonly rule: PhotoRule & CutRule;
  /** Called with each photo as a PNG file and its number from 1, counted over all pages. */
  readonly emit: (png: Uint8Array, n: number) => Promise<void>;
}

/** One scan, first small, to look for photos on it, and the parts with photos. */
interface Scan {
  readonly small: Pixels;
  /** Width of the scan to which `PhotoRule` applies. */
  readonly width: number;
  /** Size of the scan from which photos are cut. */
  readonly size: PixelSize;
  /** Returns at least this part of it. */
  readonly part: (part: PagePart) => ScanPart | Promise<ScanPart>;
}

/** Groups of photos that are drawn apart from each other; drawing each group goes through the whole page. */
const MAX_GROUPS = 4;

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
  const eachScan = async ({ small, width, size, part }: Scan): Promise<void> => {
    const background = backgroundOf(small);
    const photosHere = findPhotos(small, width, background, rule).map((found) => scaled(found, size.width / width));
    for (const group of groupsOf(photosHere, size)) {
      const scan = await part(group.part);
      for (const found of group.photos) {
        signal?.throwIfAborted();
        const photo = cutPhoto(scan, found, background, rule);
        if (photo === undefined) continue;
        if (photos >= MAX_PHOTOS) throw new InputError('INPUT_TOO_COMPLEX', { resource: 'photos', limit: MAX_PHOTOS });
        await written;
        written = write(photo, ++photos);
        // Awaited later, but it may fail before that.
        written.catch(() => undefined);
      }
    }
  };
  await (source.kind === 'pdf'
    ? eachPage(source.path, options, eachScan)
    : eachFrame(source.bytes, source.kind, options, eachScan));
  await written;
  if (photos === 0) throw new InputError('PHOTOS_NONE', { field: 'fileInput' });
  return photos;
}

interface Group {
  part: PagePart;
  readonly photos: FoundPhoto[];
}

/** Photos side by side, in their order, with the part of the scan that has them; one group if there are many. */
function groupsOf(photos: FoundPhoto[], scan: PixelSize): Group[] {
  const groups: Group[] = [];
  for (const photo of photos) {
    const last = groups.at(-1);
    const part = partFor(photo, scan);
    const beside =
      last !== undefined && part.top < last.part.top + last.part.height && last.part.top < part.top + part.height;
    if (!beside) groups.push({ part, photos: [photo] });
    else {
      last.part = around(last.part, part);
      last.photos.push(photo);
    }
  }
  if (groups.length <= MAX_GROUPS) return groups;
  return [{ part: groups.map(({ part }) => part).reduce(around), photos }];
}

/** The part that has both. */
function around(one: PagePart, other: PagePart): PagePart {
  const [left, top] = [Math.min(one.left, other.left), Math.min(one.top, other.top)];
  return {
    left,
    top,
    width: Math.max(one.left + one.width, other.left + other.width) - left,
    height: Math.max(one.top + one.height, other.top + other.height) - top,
  };
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
  let decoded: ScanPart | undefined;
  const part = async (): Promise<ScanPart> => {
    if (decoded !== undefined) return decoded;
    const pixels = await scanPixelsOf(scan, own);
    if (pixels === undefined)
      throw new InputError('PDF_DAMAGED', { field: 'fileInput', detail: 'an image is damaged' });
    return (decoded = wholeOf(pixels));
  };
  return small === undefined ? undefined : { small, width: size.width, size: own, part };
}

const wholeOf = (pixels: Pixels): ScanPart => ({ ...pixels, left: 0, top: 0, scan: pixels });

/** Renders pages small, and later the parts with photos; memory for pixels is used again, as new memory takes time. */
class Drawer {
  private small: Uint8Array | undefined;
  private parts: Uint8Array | undefined;

  constructor(private readonly document: PdfiumDocument) {}

  scan(index: number, size: PixelSize, dpi: number): Scan {
    const own = ownDpi(this.document, index) ?? dpi;
    const wanted = own < dpi ? pixelSize(this.document.pageGeometry(index), own) : size;
    const small: Pixels = { ...smaller(size), channels: 4, data: this.draw(index, smaller(size), this.small) };
    this.small = small.data;
    const part = (place: PagePart): ScanPart => {
      if (small.width === wanted.width && small.height === wanted.height) return wholeOf(small);
      const data = this.draw(index, { ...wanted, part: place }, this.parts);
      this.parts = data;
      return { ...place, channels: 4, data, scan: wanted };
    };
    return { small, width: size.width, size: wanted, part };
  }

  private draw(index: number, size: PixelSize & { part?: PagePart }, into: Uint8Array | undefined): Uint8Array {
    return renderPage(this.document, index, { ...size, annotations: true, ...(into === undefined ? {} : { into }) });
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
    const small = await shrunkPixels(scan, WORK_PIXELS);
    await look({ small, width: scan.width, size: scan, part: () => wholeOf(scan) });
    progress?.(++frames, frames + 1);
  }
}

/** The size with the same proportions that has at most as many pixels as are searched. */
function smaller(size: PixelSize): PixelSize {
  const scale = Math.sqrt(WORK_PIXELS / (size.width * size.height));
  if (scale >= 1) return size;
  return { width: Math.max(1, Math.round(size.width * scale)), height: Math.max(1, Math.round(size.height * scale)) };
}
