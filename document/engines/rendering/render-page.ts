import { DocumentError } from '../../errors.js';
import type { PdfiumDocument } from '../pdfium/index.js';
import { hideText } from './hide-text.js';
import type { PixelSize } from './limits.js';

export interface RenderOptions extends PixelSize {
  /** Draws annotations, form field widgets included. */
  readonly annotations: boolean;
  /** Renders shades of grey: one byte per pixel. */
  readonly grey?: boolean;
  /** False leaves out the text of the page's content. */
  readonly text?: false;
  /** Pixels of an earlier page that are not needed any more: their memory is used again if it is large enough. */
  readonly into?: Uint8Array;
  /** Renders only these pixels of the page; the rest takes nearly no time. */
  readonly part?: PagePart;
}

/** Some pixels of a rendered page, within it. */
export interface PagePart extends PixelSize {
  readonly left: number;
  readonly top: number;
}

/** FPDFBitmap_CreateEx formats: 8 bits of grey, or each of blue, green, red and an unused byte. */
const FORMAT_GREY = 1;
const FORMAT_BGRX = 3;
const FLAG_ANNOTATIONS = 0x01;
const FLAG_GREY = 0x08;
const FLAG_RGB_ORDER = 0x10;
const WHITE = 0xffffffff;

/**
 * Renders a page (0-based) on white, its crop box filling the image and its rotation applied: RGBA, 4 bytes per pixel,
 * or grey, rows from the top. JavaScript and XFA never run. Throws PDF_DAMAGED for a page that cannot be read,
 * INPUT_TOO_COMPLEX when memory is exhausted.
 */
export function renderPage(document: PdfiumDocument, index: number, options: RenderOptions): Uint8Array {
  const { pdfium } = document;
  const { annotations, grey = false } = options;
  const { left, top, width, height } = options.part ?? { left: 0, top: 0, ...options };
  const bytes = grey ? 1 : 4;
  return document.withPage(index, (page) => {
    if (options.text === false) hideText(pdfium, page);
    const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, grey ? FORMAT_GREY : FORMAT_BGRX, 0, 0);
    if (bitmap === 0)
      throw new DocumentError('INPUT_TOO_COMPLEX', { resource: 'memory', limit: width * height * bytes });
    try {
      pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
      const flags = (grey ? FLAG_GREY : FLAG_RGB_ORDER) | (annotations ? FLAG_ANNOTATIONS : 0);
      pdfium.FPDF_RenderPageBitmap(bitmap, page, -left, -top, options.width, options.height, 0, flags);
      if (annotations) drawWidgets(document, page, bitmap, options, flags);
      const start = pdfium.FPDFBitmap_GetBuffer(bitmap) >>> 0;
      const stride = pdfium.FPDFBitmap_GetStride(bitmap);
      // Copied, since the heap moves when it grows.
      return packRows(pdfium.pdfium.HEAPU8, start, stride, width * bytes, height, options.into);
    } finally {
      pdfium.FPDFBitmap_Destroy(bitmap);
    }
  });
}

/**
 * Form fields are drawn only by the form module, which needs a separate environment; this build of it runs no scripts.
 */
function drawWidgets(
  { pdfium, handle }: PdfiumDocument,
  page: number,
  bitmap: number,
  { width, height, part: { left, top } = { left: 0, top: 0, width, height } }: RenderOptions,
  flags: number,
): void {
  const info = pdfium.PDFiumExt_OpenFormFillInfo();
  const form = info === 0 ? 0 : pdfium.PDFiumExt_InitFormFillEnvironment(handle, info);
  try {
    if (form === 0) return;
    pdfium.FPDF_SetFormFieldHighlightAlpha(form, 0);
    pdfium.FORM_OnAfterLoadPage(page, form);
    pdfium.FPDF_FFLDraw(form, bitmap, page, -left, -top, width, height, 0, flags);
    pdfium.FORM_OnBeforeClosePage(page, form);
  } finally {
    if (form !== 0) pdfium.PDFiumExt_ExitFormFillEnvironment(form);
    if (info !== 0) pdfium.PDFiumExt_CloseFormFillInfo(info);
  }
}

function packRows(
  heap: Uint8Array,
  start: number,
  stride: number,
  row: number,
  height: number,
  into: Uint8Array | undefined,
): Uint8Array {
  const fits = into !== undefined && into.buffer.byteLength - into.byteOffset >= row * height;
  const packed = fits ? new Uint8Array(into.buffer, into.byteOffset, row * height) : new Uint8Array(row * height);
  if (stride === row) {
    packed.set(heap.subarray(start, start + row * height));
    return packed;
  }
  for (let y = 0; y < height; y++) packed.set(heap.subarray(start + y * stride, start + y * stride + row), y * row);
  return packed;
}
