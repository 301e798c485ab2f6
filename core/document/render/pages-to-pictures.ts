import { PDFDocument, PDFName } from 'pdf-lib';
import { embedPicture, placePicture, readPicture } from '../images/index.js';
import { openPdf } from '../open/index.js';
import { pageBox, pageRotation } from '../pages/index.js';
import { withDocument } from '../pdfium/index.js';
import { type FileSource, type PdfInput, withSource } from '../source/index.js';
import { fittingDpi, pixelSize } from './limits.js';
import { renderPage } from './render-page.js';

/** What to do while pages are drawn. */
export interface PagesToPicturesOptions {
  /** Resolution wanted; lowered where the pixel limits need it, since no caller chose it. */
  readonly dpi: number;
  readonly signal?: AbortSignal;
  readonly progress?: (done: number, total: number) => void;
}

const QUALITY = 90;

/** EXIF orientation that undoes a page's clockwise /Rotate, so that the picture lies in unrotated space. */
const undo: Readonly<Record<number, number>> = { 0: 1, 90: 8, 180: 3, 270: 6 };

/**
 * Gives a new document in which each page is one picture of the page, annotations included. Media box, crop box and rotation
 * of the pages stay as they were; nothing else does.
 */
export async function pagesToPictures(input: PdfInput, options: PagesToPicturesOptions): Promise<PDFDocument> {
  return withSource(input, (file) => drawPages(file, options));
}

async function drawPages(file: Uint8Array | FileSource, options: PagesToPicturesOptions): Promise<PDFDocument> {
  const [{ default: sharp }, { document: original, pages }] = await Promise.all([import('sharp'), openPdf(file)]);
  return withDocument(file, {}, async (source) => {
    const result = await PDFDocument.create({ updateMetadata: false });
    const { context } = result;
    const shown = pages.map((_, i) => source.pageGeometry(i));
    const dpi = fittingDpi(shown, options.dpi);
    for (const [i, entry] of pages.entries()) {
      options.signal?.throwIfAborted();
      const { width, height } = pixelSize(shown[i]!, dpi);
      const pixels = renderPage(source, i, { width, height, annotations: true });
      const jpeg = await sharp(pixels, { raw: { width, height, channels: 4 } }).removeAlpha().jpeg({ quality: QUALITY, chromaSubsampling: '4:4:4' }).toBuffer();
      const rotation = pageRotation(original.context, entry);
      const picture = { ...(await readPicture(jpeg, 'jpeg', { field: 'fileInput' })), orientation: undo[rotation] ?? 1 };
      const media = pageBox(original.context, entry, 'MediaBox');
      const [left, bottom, right, top] = pageBox(original.context, entry);
      const { node } = result.addPage();
      node.set(PDFName.of('MediaBox'), context.obj([...media]));
      node.set(PDFName.of('CropBox'), context.obj([left, bottom, right, top]));
      node.set(PDFName.of('Rotate'), context.obj(rotation));
      node.set(PDFName.of('Resources'), context.obj({ XObject: { P: embedPicture(context, picture) } }));
      const place = placePicture(picture, { x: left, y: bottom, width: right - left, height: top - bottom });
      node.set(PDFName.of('Contents'), context.register(context.stream(`q ${place} /P Do Q`)));
      options.progress?.(i + 1, pages.length);
    }
    return result;
  });
}
