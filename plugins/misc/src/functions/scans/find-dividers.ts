import {
  decodeImage,
  embeddedSize,
  listImages,
  MAX_EMBEDDED_PIXELS,
  type Pixels,
  readQrCodes,
  greyOnWhite,
} from '@quire/document/images';
import { guardDocument, type OpenedPdf, withPdf } from '@quire/document/file/open';
import type { PdfiumDocument } from '@quire/document/engines/pdfium';
import { breathe, type FindOptions, fittingDpi, pixelSize, renderPage } from '@quire/document/engines/rendering';
import { readPdf } from '@quire/document/content/text';
import { InputError } from '@quire/registry/errors';
import { mayHoldCode } from './code-bearing-pages.js';

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
/** Maximum number of pixels to search for a code; larger images are scaled down. */
const MAX_SEARCHED = 25_000_000;

/** Result for the images of a page: a divider, certainly not one, or not decidable from the images. */
type Verdict = 'divider' | 'seen' | 'unseen';

/**
 * Reports for each page whether it is a divider: it has a QR code with one of the known texts. On pages with few
 * images, each image is searched first, at its own size; then the page is rendered at 150 dpi and at `maxDpi`, as far
 * as the pixel limits allow, unless it contains only images. Throws the errors of opening, and PDF_DAMAGED if two
 * readers find different page counts.
 */
export async function findDividers(source: string, options: FindOptions): Promise<boolean[]> {
  const { signal, progress } = options;
  let total = 0;
  let looked = 0;
  const step = async (): Promise<void> => {
    progress?.(looked++, total);
    await breathe(signal);
  };
  const verdicts = await withPdf({ path: source }, {}, async (opened) => {
    total = opened.pages.length * 2;
    const found: Verdict[] = [];
    const known = new WeakMap<object, Verdict>();
    for (const index of opened.pages.keys()) {
      await step();
      found.push(await imagesOf(opened, index, known));
    }
    return found;
  });
  return readPdf({ path: source }, async (document) => {
    if (document.reachablePages() !== verdicts.length)
      throw new InputError('PDF_DAMAGED', { field: 'fileInput', detail: 'the number of pages is not clear' });
    const dividers = verdicts.map((verdict) => verdict === 'divider');
    const doubtful: number[] = [];
    for (const [index, verdict] of verdicts.entries()) {
      await step();
      if (verdict === 'divider') continue;
      const may = mayHoldCode(document, index);
      if (may === 'no') continue;
      dividers[index] = await bearsCode(
        document,
        index,
        fittingDpi([document.pageGeometry(index)], Math.min(FIRST_DPI, options.maxDpi)),
      );
      // A code that the images do not show at their own size does not appear when they are rendered.
      if (!dividers[index] && (verdict === 'unseen' || may === 'vectors')) doubtful.push(index);
    }
    total += doubtful.length;
    const dpi = fittingDpi(
      doubtful.map((index) => document.pageGeometry(index)),
      options.maxDpi,
    );
    for (const index of doubtful) {
      await step();
      if (dpi > FIRST_DPI) dividers[index] = await bearsCode(document, index, dpi);
    }
    return dividers;
  });
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

async function bearsCode(document: PdfiumDocument, index: number, dpi: number): Promise<boolean> {
  const size = pixelSize(document.pageGeometry(index), dpi);
  return isDivider(
    await readQrCodes({ ...size, data: renderPage(document, index, { ...size, annotations: true, grey: true }) }),
  );
}

const isDivider = (texts: readonly string[]): boolean => texts.some((text) => DIVIDER_TEXTS.has(text));
