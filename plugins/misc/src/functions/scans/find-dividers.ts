import {
  decodeImage,
  embeddedSize,
  listImages,
  MAX_EMBEDDED_PIXELS,
  type Pixels,
  readQrCodes,
  greyOnWhite,
  greyPixels,
  jpegPixels,
  scaledPixels,
} from '@quire/document/images';
import { guardDocument, type OpenedPdf, withPdf } from '@quire/document/file/open';
import type { PdfiumDocument } from '@quire/document/engines/pdfium';
import {
  breathe,
  type FindOptions,
  fittingDpi,
  type PagePart,
  type PixelSize,
  pixelSize,
  renderPage,
} from '@quire/document/engines/rendering';
import { readPdf } from '@quire/document/content/text';
import { InputError } from '@quire/registry/errors';
import { type CodeBearer, codeBearer } from './code-bearing-pages.js';
import { codePlaces } from './code-places.js';
import { ownDpi } from './page-pictures.js';
import { drawnSize, plainJpegsOf, type WholePageScan, wholePageScan } from './whole-page-scans.js';

/**
 * Texts on divider sheets that people have already printed (`docs/interface/misc.yml`, auto-split-pdf); a code must
 * contain one exactly.
 */
const DIVIDER_TEXTS: ReadonlySet<string> = new Set([
  'https://github.com/Stirling-Tools/Stirling-PDF',
  'https://github.com/Frooodle/Stirling-PDF',
  'https://stirlingpdf.com',
]);

/** Pages with more images than this are rendered right away. */
const MAX_IMAGES = 3;
const FIRST_DPI = 150;
/**
 * Maximum number of pixels of an image to search for a code; larger images are scaled down, an A4 page to 350 dpi. That
 * is enough for codes of 5 mm, and takes a third of the time of 500 dpi.
 */
const MAX_SEARCHED = 12_000_000;
/** Sizes that differ by less than this factor are searched only once. */
const SAME_SIZE = 1.1;

/** Result for the images of a page: a divider, certainly not one, or not decidable from the images. */
type Verdict = 'divider' | 'seen' | 'unseen';

/**
 * Reports for each page whether it is a divider: it has a QR code with one of the known texts. A page that shows a
 * single JPEG is searched without rendering it. On other pages with few images, each image is searched first, at its
 * own size; then the page is rendered at 150 dpi, and the places where a smaller code may be at `maxDpi`, as far as the
 * pixel limits allow, but not above the resolution of its images if it draws nothing else. Throws the errors of
 * opening, and PDF_DAMAGED if two readers find different page counts.
 */
export async function findDividers(source: string, options: FindOptions): Promise<boolean[]> {
  const { signal, progress } = options;
  let [total, looked] = [0, 0];
  const step = async (): Promise<void> => {
    progress?.(looked++, total);
    await breathe(signal);
  };
  const jpegs = await withPdf({ path: source }, {}, plainJpegsOf);
  total = jpegs.length * 2;
  const scans = await readPdf({ path: source }, async (document) => {
    if (document.reachablePages() !== jpegs.length)
      throw new InputError('PDF_DAMAGED', { field: 'fileInput', detail: 'the number of pages is not clear' });
    const found: (boolean | undefined)[] = [];
    for (const [index, stored] of jpegs.entries()) {
      if (stored.length > 0) await step();
      const scan = wholePageScan(document, index, stored);
      found.push(scan === undefined ? undefined : await scanBearsCode(scan, options.maxDpi));
    }
    return found;
  });
  if (scans.every((scan) => scan !== undefined)) return scans;
  const verdicts = await withPdf({ path: source }, {}, async (opened) => {
    const found: Verdict[] = [];
    const known = new WeakMap<object, Verdict>();
    for (const [index, scan] of scans.entries()) {
      if (scan === undefined) await step();
      found.push(scan === undefined ? await imagesOf(opened, index, known) : scan ? 'divider' : 'seen');
    }
    return found;
  });
  return readPdf({ path: source }, async (document) => {
    const dividers = verdicts.map((verdict) => verdict === 'divider');
    const doubtful: { index: number; dpi: number; bearer: CodeBearer; pictures: boolean }[] = [];
    for (const [index, verdict] of verdicts.entries()) {
      if (verdict === 'divider' || scans[index] !== undefined) continue;
      await step();
      const bearer = codeBearer(document, index);
      if (bearer.may === 'no') continue;
      const most = Math.min(options.maxDpi, Math.ceil(ownDpi(document, index) ?? Infinity));
      const page = document.pageGeometry(index);
      const first = pixelSize(page, fittingDpi([page], Math.min(FIRST_DPI, options.maxDpi)));
      // PDFium draws images slower in grey: it converts all of an image, not what is drawn of it.
      const grey = bearer.objects?.every(({ others }) => others === 0) === true;
      dividers[index] = await bearsCode(document, index, first, { grey });
      // A code that the images do not show at their own size does not appear when they are rendered.
      if (!dividers[index] && most > FIRST_DPI && (verdict === 'unseen' || bearer.may === 'vectors'))
        doubtful.push({ index, dpi: most, bearer, pictures: verdict === 'unseen' });
    }
    total += doubtful.length;
    const pages = doubtful.map(({ index }) => document.pageGeometry(index));
    for (const { index, dpi, bearer, pictures } of doubtful) {
      await step();
      const fitting = fittingDpi(pages, dpi);
      if (fitting <= FIRST_DPI) continue;
      const size = pixelSize(document.pageGeometry(index), fitting);
      for (const part of codePlaces(document, index, size, bearer, pictures)) {
        dividers[index] = await bearsCode(document, index, size, { part });
        if (dividers[index]) break;
      }
    }
    return dividers;
  });
}

/**
 * Searches a page that is a single JPEG, at its own size and then as it is rendered at 150 dpi, where noise is weaker;
 * undefined if it cannot be decoded.
 */
async function scanBearsCode(scan: WholePageScan, maxDpi: number): Promise<boolean | undefined> {
  const { stored, bytes, page } = scan;
  const scale = Math.min(1, Math.sqrt(MAX_SEARCHED / (stored.width * stored.height)));
  const pixels = await jpegPixels(bytes, stored, {
    width: Math.max(1, Math.floor(stored.width * scale)),
    height: Math.max(1, Math.floor(stored.height * scale)),
  });
  if (pixels === undefined) return undefined;
  const grey = greyPixels(pixels);
  if (isDivider(await readQrCodes(grey))) return true;
  const size = drawnSize(scan, fittingDpi([page], Math.min(FIRST_DPI, maxDpi)));
  const ratios = [size.width / grey.width, size.height / grey.height];
  if (ratios.every((ratio) => ratio < SAME_SIZE && ratio > 1 / SAME_SIZE)) return false;
  return isDivider(await readQrCodes(await scaledPixels(grey, size)));
}

/** Searches the images of a page; an image shared by several pages is searched once. */
async function imagesOf(
  { document: { context }, pages }: OpenedPdf,
  index: number,
  known: WeakMap<object, Verdict>,
): Promise<Verdict> {
  const streams = await guardDocument('fileInput', () => {
    const found = [];
    for (const { stream } of listImages(context, pages.slice(index, index + 1)))
      if (found.push(stream) > MAX_IMAGES) break;
    return found;
  });
  if (streams.length === 0 || streams.length > MAX_IMAGES) return 'unseen';
  let page: Verdict = 'seen';
  for (const stream of streams) {
    const { width, height } = embeddedSize(context, stream);
    if (width * height > MAX_EMBEDDED_PIXELS) return 'unseen';
    const verdict =
      known.get(stream) ?? (await verdictOf(await guardDocument('fileInput', () => decodeImage(context, stream))));
    known.set(stream, verdict);
    if (verdict === 'divider') return verdict;
    if (verdict === 'unseen') page = verdict;
  }
  return page;
}

async function verdictOf(pixels: Pixels | undefined): Promise<Verdict> {
  if (pixels === undefined) return 'unseen';
  return isDivider(await readQrCodes(await greyOnWhite(pixels, MAX_SEARCHED))) ? 'divider' : 'seen';
}

async function bearsCode(
  document: PdfiumDocument,
  index: number,
  size: PixelSize,
  how: { readonly grey?: boolean; readonly part?: PagePart },
): Promise<boolean> {
  const data = renderPage(document, index, { ...size, ...how, annotations: true });
  const { width, height } = how.part ?? size;
  return isDivider(await readQrCodes(greyPixels({ width, height, channels: how.grey === true ? 1 : 4, data })));
}

const isDivider = (texts: readonly string[]): boolean => texts.some((text) => DIVIDER_TEXTS.has(text));
