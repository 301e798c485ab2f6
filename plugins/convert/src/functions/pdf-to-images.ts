import { DocumentError } from '@quire/document';
import type { ColourMode } from '@quire/document/images/colour-mode';
import type { PdfiumDocument } from '@quire/document/engines/pdfium';
import {
  type PixelSize,
  breathe,
  guardPixels,
  pixelSize,
  renderPage,
  withRenderable,
} from '@quire/document/engines/rendering/pages';
import {
  type ImageFormat,
  type Pixels,
  checkSides,
  colourPixels,
  encodeImage,
  encodeRendered,
  fittingScale,
} from './image-format.js';
import { PngWriter } from './png-writer.js';
import { TiffWriter } from './tiff-writer.js';

/** How pages become pictures. */
export interface PdfToImagesOptions {
  readonly format: ImageFormat;
  readonly colour: ColourMode;
  readonly dpi: number;
  /** Draws annotations and form field widgets. */
  readonly annotations: boolean;
  /** The pages wanted, 0-based, in order, given how many there are. */
  readonly select: (pageCount: number) => readonly number[];
  readonly signal?: AbortSignal;
  readonly progress?: (done: number, total: number) => void;
}

/** Largest stacked image that is built in memory, in pixels (all formats but png and tiff). */
const MAX_SHEET_PIXELS = 250_000_000;
const WHITE = 255;
/** Pictures that are encoded while the next page is rendered, and the pixels that they may have together. */
const ENCODED_AT_ONCE = 2;
const PIXELS_AT_ONCE = 20_000_000;

interface PlannedPage extends PixelSize {
  readonly index: number;
}

/**
 * Renders pages one by one and hands each picture to `emit` in order, with its 1-based number in the selection.
 * Pictures are encoded in other threads while the next pages are rendered; only few pages are in memory. Errors:
 * IMAGE_TOO_LARGE before anything is drawn, INPUT_INVALID where the format cannot hold the size, those of opening.
 */
export async function pdfToImages(
  bytes: Uint8Array,
  options: PdfToImagesOptions,
  emit: (n: number, image: Uint8Array) => Promise<void>,
): Promise<void> {
  await withRenderable(bytes, async (document) => {
    const pages = plan(document, options, (size) => fittingScale(options.format, size));
    for (const page of pages) checkSides(options.format, page);
    const waiting: EncodedPage[] = [];
    const emitFirst = async (): Promise<void> => {
      const first = waiting.shift();
      if (first === undefined) return;
      await emit(first.n, await first.image);
      options.progress?.(first.n, pages.length);
    };
    for (const [i, page] of pages.entries()) {
      const area = page.width * page.height;
      while (waiting.length > 0 && !fits(waiting, area)) await emitFirst();
      options.signal?.throwIfAborted();
      const rendered = renderPage(document, page.index, { ...page, annotations: options.annotations });
      const image = encodeRendered(rendered, page, options.format, options.colour, options.dpi);
      // Awaited in its turn; after an error of an earlier page nobody asks for it.
      image.catch(() => undefined);
      waiting.push({ n: i + 1, area, image });
      // Gives the encoder to the other threads before the next page keeps this one busy.
      await breathe(options.signal);
    }
    while (waiting.length > 0) await emitFirst();
  });
}

/**
 * Renders pages into one picture: stacked from top to bottom and centred, transparent beside narrower pages for png,
 * white for others; for tiff one file with a frame per page. Errors as `pdfToImages`.
 */
export async function pdfToImage(bytes: Uint8Array, options: PdfToImagesOptions): Promise<Uint8Array> {
  return withRenderable(bytes, async (document) => {
    const { format } = options;
    const pages = plan(document, options, () => 1);
    if (format === 'tif' || format === 'tiff') return frames(document, pages, options);
    const scale = fittingScale(format, sheetSize(pages));
    const fitted = scale === 1 ? pages : pages.map((page) => ({ ...page, ...scaled(page, scale) }));
    checkSides(format, sheetSize(fitted));
    return format === 'png' ? pngSheet(document, fitted, options) : sheet(document, fitted, options);
  });
}

/** A picture that is being encoded. */
interface EncodedPage {
  readonly n: number;
  readonly area: number;
  readonly image: Promise<Uint8Array>;
}

function fits(waiting: readonly EncodedPage[], area: number): boolean {
  const pixels = waiting.reduce((sum, page) => sum + page.area, area);
  return waiting.length < ENCODED_AT_ONCE && pixels <= PIXELS_AT_ONCE;
}

function plan(
  document: PdfiumDocument,
  options: PdfToImagesOptions,
  scaleOf: (size: PixelSize) => number,
): PlannedPage[] {
  const pages = options.select(document.reachablePages()).map((index) => {
    const size = pixelSize(document.pageGeometry(index), options.dpi);
    return { index, ...scaled(size, scaleOf(size)) };
  });
  guardPixels(pages);
  return pages;
}

function scaled({ width, height }: PixelSize, factor: number): PixelSize {
  return { width: Math.max(1, Math.floor(width * factor)), height: Math.max(1, Math.floor(height * factor)) };
}

function sheetSize(pages: readonly PixelSize[]): PixelSize {
  return {
    width: Math.max(...pages.map((page) => page.width)),
    height: pages.reduce((sum, page) => sum + page.height, 0),
  };
}

async function* drawn(
  document: PdfiumDocument,
  pages: readonly PlannedPage[],
  options: PdfToImagesOptions,
): AsyncGenerator<[number, Pixels]> {
  for (const [i, { index, width, height }] of pages.entries()) {
    options.signal?.throwIfAborted();
    const rendered = renderPage(document, index, { width, height, annotations: options.annotations });
    yield [i, await colourPixels(rendered, { width, height }, options.colour)];
    options.progress?.(i + 1, pages.length);
  }
}

async function frames(
  document: PdfiumDocument,
  pages: readonly PlannedPage[],
  options: PdfToImagesOptions,
): Promise<Uint8Array> {
  const writer = new TiffWriter(options.dpi);
  for await (const [, pixels] of drawn(document, pages, options)) await writer.frame(pixels);
  return writer.finish();
}

/** Row by row, so the height has no limit but that of the job. */
async function pngSheet(
  document: PdfiumDocument,
  pages: readonly PlannedPage[],
  options: PdfToImagesOptions,
): Promise<Uint8Array> {
  const { width, height } = sheetSize(pages);
  const grey = options.colour !== 'color';
  const even = pages.every((page) => page.width === width);
  const channels = grey ? (even ? 1 : 2) : even ? 3 : 4;
  const writer = new PngWriter({ width, height, channels, dpi: options.dpi });
  for await (const [, pixels] of drawn(document, pages, options)) {
    const { data, channels: own } = pixels;
    const left = Math.floor((width - pixels.width) / 2);
    for (let y = 0; y < pixels.height; y++) {
      const source = data.subarray(y * pixels.width * own, (y + 1) * pixels.width * own);
      await writer.row(even ? source : transparentRow(source, own, width * channels, left));
    }
  }
  return writer.finish();
}

/** The row with an alpha channel, opaque where the page is. */
function transparentRow(source: Uint8Array, own: number, length: number, left: number): Uint8Array {
  const row = Buffer.alloc(length);
  for (let from = 0, to = left * (own + 1); from < source.length; from += own, to += own + 1) {
    for (let c = 0; c < own; c++) row[to + c] = source[from + c]!;
    row[to + own] = 255;
  }
  return row;
}

async function sheet(
  document: PdfiumDocument,
  pages: readonly PlannedPage[],
  options: PdfToImagesOptions,
): Promise<Uint8Array> {
  const { width, height } = sheetSize(pages);
  if (width * height > MAX_SHEET_PIXELS)
    throw new DocumentError('IMAGE_TOO_LARGE', { found: width * height, limit: MAX_SHEET_PIXELS });
  const channels = options.colour === 'color' ? 3 : 1;
  const canvas = Buffer.alloc(width * height * channels, WHITE);
  let top = 0;
  for await (const [, pixels] of drawn(document, pages, options)) {
    const left = Math.floor((width - pixels.width) / 2);
    const length = pixels.width * channels;
    for (let y = 0; y < pixels.height; y++)
      canvas.set(pixels.data.subarray(y * length, (y + 1) * length), ((top + y) * width + left) * channels);
    top += pixels.height;
  }
  return encodeImage({ width, height, channels, data: canvas }, options.format, options.colour, options.dpi);
}
