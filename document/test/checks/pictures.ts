import { createHash } from 'node:crypto';
import { type PdfiumDocument, withDocument } from '../../engines/pdfium/index.js';
import { renderPage } from '../../engines/rendering/render-page.js';

/** Longer side of the rendered pages in pixels: a letter is a dot, but a missing line or image is visible. */
const SIDE = 160;

/** Returns a hash of each page as PDFium renders it, by default with annotations and fields. */
export function pictureHashes(bytes: Uint8Array, pages: number, annotations = true): Promise<string[]> {
  return withDocument(bytes, {}, (document) =>
    Array.from({ length: pages }, (_unused, i) => pictureHash(document, i, annotations)),
  );
}

function pictureHash(document: PdfiumDocument, index: number, annotations: boolean): string {
  const { width, height } = document.pageGeometry(index);
  const scale = SIDE / Math.max(width, height, 1);
  const size = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
  const pixels = renderPage(document, index, { ...size, annotations });
  return `${size.width}x${size.height}:${createHash('sha256').update(pixels).digest('hex').slice(0, 16)}`;
}
