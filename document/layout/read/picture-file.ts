import { DocumentError } from '../../errors.js';
import { encodePixels, type Pixels } from '../../images/index.js';
import { type Pdfium, withMemory } from '../../engines/pdfium/index.js';
import type { Box, Picture, PictureFile } from '../model.js';
import type { PageReader } from './page-reader.js';

/** Pixels of one picture. */
const MAX_PIXELS = 40_000_000;
const DEFAULT_DPI = 150;
const GRAY = 1;
const BGR = 2;
const BGRX = 3;
const WHITE = 0xffffffff;

/**
 * Gives the pixels of a page's picture. A JPEG of upright pixels comes as it is stored; what is masked, turned or drawn
 * is rendered as the page shows it. Undefined for one that cannot be decoded.
 */
export async function pictureFile(
  reader: PageReader,
  picture: Picture,
  dpi = DEFAULT_DPI,
): Promise<PictureFile | undefined> {
  const index = picture.page - 1;
  const stored =
    picture.index === undefined
      ? undefined
      : reader.withImage(index, picture.index, (_page, object) => storedImage(reader, object, picture));
  if (stored instanceof Uint8Array)
    return { bytes: stored, format: 'jpeg', width: picture.width, height: picture.height };
  const pixels =
    stored ??
    renderArea(
      reader,
      index,
      picture.box,
      picture.source === 'drawing' ? dpi : Math.min(dpi * 2, Math.max(72, picture.dpi)),
    );
  if (pixels === undefined) return undefined;
  const bytes = await encodePixels(pixels, 'png', 'fileInput');
  return { bytes, format: 'png', width: pixels.width, height: pixels.height };
}

/** The image as it is stored: JPEG data, or pixels; undefined where it must be rendered. */
function storedImage({ document }: PageReader, object: number, picture: Picture): Uint8Array | Pixels | undefined {
  const { pdfium } = document;
  if (pdfium.FPDFPageObj_HasTransparency(object) || picture.width * picture.height > MAX_PIXELS) return undefined;
  const upright = withMemory(pdfium, 24, (at) => {
    if (!pdfium.FPDFPageObj_GetMatrix(object, at)) return false;
    const [a = 0, b = 0, c = 0, d = 0] = new Float32Array(pdfium.pdfium.HEAPU8.slice(at, at + 16).buffer);
    return a > 0 && d > 0 && Math.abs(b) < 1e-3 * a && Math.abs(c) < 1e-3 * d;
  });
  if (!upright || document.pageGeometry(picture.page - 1).rotation !== 0) return undefined;
  if (
    picture.format === 'jpeg' &&
    picture.colour !== 'DeviceCMYK' &&
    picture.colour !== 'Indexed' &&
    picture.bits !== 32 &&
    pdfium.FPDFImageObj_GetImageFilterCount(object) === 1
  ) {
    const length = pdfium.FPDFImageObj_GetImageDataRaw(object, 0, 0);
    const bytes =
      length <= 0
        ? undefined
        : withMemory(pdfium, length, (at) => {
            const written = pdfium.FPDFImageObj_GetImageDataRaw(object, at, length);
            return pdfium.pdfium.HEAPU8.slice(at, at + Math.min(written, length));
          });
    // Adobe's transform and masks aside, what begins as JPEG is shown by everybody.
    if (bytes !== undefined && bytes[0] === 0xff && bytes[1] === 0xd8) return bytes;
  }
  const bitmap = pdfium.FPDFImageObj_GetBitmap(object);
  if (bitmap === 0) return undefined;
  try {
    return bitmapPixels(pdfium, bitmap);
  } finally {
    pdfium.FPDFBitmap_Destroy(bitmap);
  }
}

function bitmapPixels(pdfium: Pdfium, bitmap: number): Pixels | undefined {
  const format = pdfium.FPDFBitmap_GetFormat(bitmap);
  const [width, height, stride] = [
    pdfium.FPDFBitmap_GetWidth(bitmap),
    pdfium.FPDFBitmap_GetHeight(bitmap),
    pdfium.FPDFBitmap_GetStride(bitmap),
  ];
  const samples = format === GRAY ? 1 : format === BGR ? 3 : format === BGRX ? 4 : 0;
  if (samples === 0 || width <= 0 || height <= 0) return undefined;
  const start = pdfium.FPDFBitmap_GetBuffer(bitmap) >>> 0;
  const heap = pdfium.pdfium.HEAPU8;
  const channels = samples === 1 ? 1 : 3;
  const data = new Uint8Array(width * height * channels);
  let to = 0;
  for (let y = 0; y < height; y++) {
    for (let from = start + y * stride, x = 0; x < width; x++, from += samples) {
      if (channels === 1) data[to++] = heap[from]!;
      else {
        data[to++] = heap[from + 2]!;
        data[to++] = heap[from + 1]!;
        data[to++] = heap[from]!;
      }
    }
  }
  return { width, height, channels, data };
}

/** Renders an area of a page as it is shown, on white, without annotations. */
function renderArea({ document, unitOf }: PageReader, index: number, box: Box, dpi: number): Pixels | undefined {
  const { pdfium } = document;
  const unit = unitOf(index);
  const shown = document.pageGeometry(index);
  const [pageWidth, pageHeight] = [shown.width * unit, shown.height * unit];
  const [wide, high] = [Math.max(1, box.right - box.left), Math.max(1, box.bottom - box.top)];
  const scale = Math.min(dpi / 72, Math.sqrt(MAX_PIXELS / (wide * high)), 16_000 / Math.max(pageWidth, pageHeight));
  const [width, height] = [Math.max(1, Math.round(wide * scale)), Math.max(1, Math.round(high * scale))];
  return document.withPage(index, (page) => {
    const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, BGRX, 0, 0);
    if (bitmap === 0) throw new DocumentError('INPUT_TOO_COMPLEX', { resource: 'memory', limit: width * height * 4 });
    try {
      pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
      pdfium.FPDF_RenderPageBitmap(
        bitmap,
        page,
        Math.round(-box.left * scale),
        Math.round(-box.top * scale),
        Math.round(pageWidth * scale),
        Math.round(pageHeight * scale),
        0,
        0,
      );
      return bitmapPixels(pdfium, bitmap);
    } finally {
      pdfium.FPDFBitmap_Destroy(bitmap);
    }
  });
}
