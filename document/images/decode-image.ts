import { PDFContext, PDFName, PDFNumber, PDFRawStream } from 'pdf-lib';
import { DocumentError } from '../errors.js';
import { arrayOf, asNumber, dictOf, elements, entry, ObjectCopier, resolve, setEntry } from '../file/objects/index.js';
import { contextBytes } from '../file/open/index.js';
import { type Pdfium, type PdfiumDocument, withDocument } from '../engines/pdfium/index.js';

/** Decoded pixels, rows from the top without gaps; the channels are grey, RGB or RGBA. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3 | 4;
  readonly data: Uint8Array;
}

/**
 * The most pixels decoded of one embedded image: at three bytes each, in PDFium and in JavaScript, they fill a worker's
 * memory.
 */
export const MAX_EMBEDDED_PIXELS = 120_000_000;

/** Milliseconds for one image: crafted data can keep a decoder busy forever. */
const TIME_MS = 60_000;
const IMAGE_OBJECT = 3;
/** FPDFBitmap formats. */
const GRAY = 1;
const BGR = 2;
const BGRA = 4;

/** Width and height of an image XObject from its dictionary, 0 where they are invalid. */
export function embeddedSize(context: PDFContext, image: PDFRawStream): { width: number; height: number } {
  const side = (key: string): number => Math.max(0, Math.floor(asNumber(context, entry(image.dict, key)) ?? 0));
  return { width: side('Width'), height: side('Height') };
}

/**
 * Decodes an image XObject at its own size: every filter and colour space (ISO 32000-1, 7.4 and 8.6), as sRGB or grey.
 * Soft masks, stencil masks and colour keys become alpha, scaled to the image; opacity inside JPEG 2000 data
 * (/SMaskInData) is flattened on white. An image mask is black where it paints and white elsewhere. Returns undefined
 * for an image that cannot be decoded. Throws IMAGE_TOO_LARGE above `MAX_EMBEDDED_PIXELS`, before anything is decoded.
 */
export async function decodeImage(context: PDFContext, image: PDFRawStream): Promise<Pixels | undefined> {
  const { width, height } = embeddedSize(context, image);
  if (width * height > MAX_EMBEDDED_PIXELS)
    throw new DocumentError('IMAGE_TOO_LARGE', { found: width * height, limit: MAX_EMBEDDED_PIXELS });
  const mask = maskOf(context, image);
  const [colours, shape] = await readBitmaps(context, mask === undefined ? [image] : [image, mask]);
  if (colours === undefined) return undefined;
  if (isStencil(context, image)) return inverted(colours);
  if (mask === undefined && elements(context, entry(image.dict, 'Mask')).length > 0)
    return keyedOut(context, image, colours);
  if (shape === undefined || mask === undefined) return colours;
  return withAlpha(colours, shape, matteOf(context, mask));
}

function isStencil(context: PDFContext, image: PDFRawStream): boolean {
  return resolve(context, entry(image.dict, 'ImageMask'))?.toString() === 'true';
}

/** The soft mask, or else the stencil mask, when it is small enough to be decoded (ISO 32000-1, 8.9.6.1). */
function maskOf(context: PDFContext, image: PDFRawStream): PDFRawStream | undefined {
  for (const key of ['SMask', 'Mask']) {
    const mask = resolve(context, entry(image.dict, key));
    if (!(mask instanceof PDFRawStream)) continue;
    const { width, height } = embeddedSize(context, mask);
    return width * height <= MAX_EMBEDDED_PIXELS ? mask : undefined;
  }
  return undefined;
}

/** The colour that the samples were preblended with, for grey and RGB images (ISO 32000-1, 11.6.5.3). */
function matteOf(context: PDFContext, mask: PDFRawStream): readonly number[] | undefined {
  const matte = elements(context, entry(mask.dict, 'Matte')).map((value) => asNumber(context, value) ?? 0);
  return matte.length === 1 || matte.length === 3 ? matte.map((value) => value * 255) : undefined;
}

/** Decodes images with PDFium by placing each on the page of a new document. */
async function readBitmaps(context: PDFContext, images: readonly PDFRawStream[]): Promise<(Pixels | undefined)[]> {
  const bitmaps = await onSheet(context, images, ({ pdfium }, page) => {
    const objects = Array.from({ length: pdfium.FPDFPage_CountObjects(page) }, (_unused, i) =>
      pdfium.FPDFPage_GetObject(page, i),
    );
    return objects
      .filter((object) => pdfium.FPDFPageObj_GetType(object) === IMAGE_OBJECT)
      .map((object) => ownedPixels(pdfium, pdfium.FPDFImageObj_GetBitmap(object)));
  });
  return bitmaps ?? [];
}

/**
 * The colour key applies only when the image is drawn, so it is drawn pixel by pixel on a transparent page (ISO
 * 32000-1, 8.9.6.4).
 */
async function keyedOut(context: PDFContext, image: PDFRawStream, colours: Pixels): Promise<Pixels> {
  const { width, height } = colours;
  const drawn = await onSheet(context, [image], ({ pdfium }, page) => {
    const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, BGRA, 0, 0);
    if (bitmap === 0) throw new DocumentError('INPUT_TOO_COMPLEX', { resource: 'memory', limit: width * height * 4 });
    pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0);
    pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, 0);
    return ownedPixels(pdfium, bitmap);
  });
  if (drawn === undefined || drawn.channels !== 4) return colours;
  const alpha = new Uint8Array(width * height).map((_none, i) => (drawn.data[i * 4 + 3]! < 128 ? 0 : 255));
  return withAlpha(colours, { width, height, channels: 1, data: alpha }, undefined);
}

/** Creates a document with these images and passes its page to `fn`; undefined when PDFium fails. */
async function onSheet<T>(
  context: PDFContext,
  images: readonly PDFRawStream[],
  look: (document: PdfiumDocument, page: number) => T,
): Promise<T | undefined> {
  try {
    return await withDocument(sheetOf(context, images), { timeMs: TIME_MS }, (document) =>
      document.withPage(0, (page) => look(document, page)),
    );
  } catch (error) {
    // Other images may be sound.
    if (error instanceof DocumentError && error.code === 'PDF_DAMAGED') return undefined;
    throw error;
  }
}

/** A document with one page of the first image's size in pixels, filled by the images. */
function sheetOf(source: PDFContext, images: readonly PDFRawStream[]): Uint8Array {
  const { width, height } = images[0] === undefined ? { width: 1, height: 1 } : embeddedSize(source, images[0]);
  const target = PDFContext.create();
  const names = dictOf(target, {});
  const copier = new ObjectCopier(source, target);
  for (const [i, image] of images.entries()) {
    const omitted = new Set([
      'SMask',
      ...(elements(source, entry(image.dict, 'Mask')).length > 0 ? [] : ['Mask']),
      'Metadata',
      'OC',
      'StructParent',
      'Alternates',
      'OPI',
      'AF',
      'Measure',
      'PtData',
    ]);
    const copy = PDFRawStream.of(copier.copyDict(image.dict, omitted), image.contents);
    setEntry(names, `I${i}`, target.register(copy));
  }
  copier.drain();
  const contents = target.register(
    target.stream(images.map((_image, i) => `q ${width} 0 0 ${height} 0 0 cm /I${i} Do Q`).join('\n')),
  );
  const page = target.nextRef();
  const pages = target.register(
    dictOf(target, { Type: PDFName.of('Pages'), Count: PDFNumber.of(1), Kids: arrayOf(target, [page]) }),
  );
  const box = arrayOf(
    target,
    [0, 0, width, height].map((side) => PDFNumber.of(side)),
  );
  target.assign(
    page,
    dictOf(target, {
      Type: PDFName.of('Page'),
      Parent: pages,
      MediaBox: box,
      Contents: contents,
      Resources: dictOf(target, { XObject: names }),
    }),
  );
  target.trailerInfo.Root = target.register(dictOf(target, { Type: PDFName.of('Catalog'), Pages: pages }));
  return contextBytes(target);
}

/** The pixels of a bitmap, which is then freed. */
function ownedPixels(pdfium: Pdfium, bitmap: number): Pixels | undefined {
  if (bitmap === 0) return undefined;
  try {
    return pixelsOf(pdfium, bitmap);
  } finally {
    pdfium.FPDFBitmap_Destroy(bitmap);
  }
}

/** Copied, since the heap moves when it grows; red comes first. */
function pixelsOf(pdfium: Pdfium, bitmap: number): Pixels | undefined {
  const width = pdfium.FPDFBitmap_GetWidth(bitmap);
  const height = pdfium.FPDFBitmap_GetHeight(bitmap);
  const stride = pdfium.FPDFBitmap_GetStride(bitmap);
  const format = pdfium.FPDFBitmap_GetFormat(bitmap);
  const start = pdfium.FPDFBitmap_GetBuffer(bitmap) >>> 0;
  if (width < 1 || height < 1 || start === 0) return undefined;
  const heap = pdfium.pdfium.HEAPU8;
  const step = format === GRAY ? 1 : format === BGR ? 3 : 4;
  const channels = format === GRAY ? 1 : format === BGRA ? 4 : 3;
  const data = new Uint8Array(width * height * channels);
  let grey = channels === 3;
  for (let y = 0, to = 0; y < height; y++) {
    let from = start + y * stride;
    if (channels === 1) {
      data.set(heap.subarray(from, from + width), to);
      to += width;
      continue;
    }
    for (let x = 0; x < width; x++, from += step, to += channels) {
      const blue = heap[from]!;
      const green = heap[from + 1]!;
      const red = heap[from + 2]!;
      data[to] = red;
      data[to + 1] = green;
      data[to + 2] = blue;
      if (channels === 4) data[to + 3] = heap[from + 3]!;
      if (grey && (red !== green || green !== blue)) grey = false;
    }
  }
  // PDFium returns bilevel images in colour.
  return grey ? { width, height, channels: 1, data: everyThird(data) } : { width, height, channels, data };
}

function everyThird(data: Uint8Array): Uint8Array {
  const thirds = new Uint8Array(data.length / 3);
  for (let i = 0; i < thirds.length; i++) thirds[i] = data[i * 3]!;
  return thirds;
}

function inverted(pixels: Pixels): Pixels {
  return { ...pixels, data: pixels.data.map((value) => 255 - value) };
}

/** Joins colours and the mask's grey as RGBA; preblending with a matte is reversed. */
async function withAlpha(colours: Pixels, shape: Pixels, matte: readonly number[] | undefined): Promise<Pixels> {
  const { width, height, channels } = colours;
  const alpha = await scaledGrey(shape, width, height);
  const data = new Uint8Array(width * height * 4);
  for (let i = 0, from = 0, to = 0; i < alpha.length; i++, from += channels, to += 4) {
    const opacity = alpha[i]!;
    for (let c = 0; c < 3; c++) {
      const value = colours.data[channels === 1 ? from : from + c]!;
      const blended = matte?.[matte.length === 1 ? 0 : c];
      data[to + c] =
        blended === undefined || opacity === 0
          ? value
          : Math.min(255, Math.max(0, Math.round(blended + ((value - blended) * 255) / opacity)));
    }
    data[to + 3] = opacity;
  }
  return { width, height, channels: 4, data };
}

async function scaledGrey(shape: Pixels, width: number, height: number): Promise<Uint8Array> {
  if (shape.channels === 1 && shape.width === width && shape.height === height) return shape.data;
  const { default: sharp } = await import('sharp');
  const source = sharp(shape.data, {
    raw: { width: shape.width, height: shape.height, channels: shape.channels },
    limitInputPixels: false,
  });
  const grey = shape.channels === 1 ? source.toColourspace('b-w') : source.extractChannel(0).toColourspace('b-w');
  return grey.resize(width, height, { fit: 'fill', kernel: 'linear' }).raw().toBuffer();
}
