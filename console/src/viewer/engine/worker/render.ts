import { ViewError } from '../failure.ts';
import type { RenderRequest } from '../protocol.ts';
import type { WorkerDocument } from './open.ts';
import { allocate, memoryView, type Pdfium } from './runtime.ts';
import { sliceIsOver, type Work } from './schedule.ts';

const FORMAT_BGRX = 3;
const FLAG_ANNOTATIONS = 0x01;
const FLAG_RGB_ORDER = 0x10;
const FLAGS = FLAG_ANNOTATIONS | FLAG_RGB_ORDER;
const WHITE = 0xffffffff;
const TO_BE_CONTINUED = 1;
const RENDER_FAILED = 3;

/** Renders a page or a part of it on white; returns ImageData. Throws ViewError. */
export function* renderPage(document: WorkerDocument, request: RenderRequest): Work {
  const { pdfium } = document;
  const clip = request.clip ?? { x: 0, y: 0, width: request.width, height: request.height };
  const page = document.take(request.page);
  const bitmap = pdfium.FPDFBitmap_CreateEx(clip.width, clip.height, FORMAT_BGRX, 0, 0);
  try {
    if (bitmap === 0) throw new ViewError('memory');
    pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, clip.width, clip.height, WHITE);
    const { width, height, turns } = request;
    const place = [-clip.x, -clip.y, width, height, turns] as const;
    const pause = pauseOf(pdfium);
    try {
      let state = pdfium.FPDF_RenderPageBitmap_Start(bitmap, page, ...place, FLAGS, pause);
      while (state === TO_BE_CONTINUED) {
        yield;
        state = pdfium.FPDF_RenderPage_Continue(page, pause);
      }
      if (state === RENDER_FAILED) throw document.damage();
    } finally {
      pdfium.FPDF_RenderPage_Close(page);
    }
    if (document.form !== 0) pdfium.FPDF_FFLDraw(document.form, bitmap, page, ...place, FLAGS);
    return pixels(pdfium, bitmap, clip.width, clip.height);
  } finally {
    if (bitmap !== 0) pdfium.FPDFBitmap_Destroy(bitmap);
    document.giveBack(request.page, page);
  }
}

const pauses = new WeakMap<Pdfium, number>();

/** IFSDK_PAUSE: version, function, parameter. One for all pages. */
function pauseOf(pdfium: Pdfium): number {
  let pause = pauses.get(pdfium);
  if (pause === undefined) {
    pause = allocate(pdfium, 12);
    const needsPause = pdfium.pdfium.addFunction(() => (sliceIsOver() ? 1 : 0), 'ii');
    const view = memoryView(pdfium);
    view.setUint32(pause, 1, true);
    view.setUint32(pause + 4, needsPause, true);
    view.setUint32(pause + 8, 0, true);
    pauses.set(pdfium, pause);
  }
  return pause;
}

function pixels(pdfium: Pdfium, bitmap: number, width: number, height: number): ImageData {
  const start = pdfium.FPDFBitmap_GetBuffer(bitmap) >>> 0;
  const stride = pdfium.FPDFBitmap_GetStride(bitmap);
  const row = width * 4;
  const data = new Uint8ClampedArray(row * height);
  const heap = pdfium.pdfium.HEAPU8;
  for (let y = 0; y < height; y++) data.set(heap.subarray(start + y * stride, start + y * stride + row), y * row);
  // The fourth byte of BGRx is not an opacity.
  for (let i = 3; i < data.length; i += 4) data[i] = 255;
  return new ImageData(data, width, height);
}
