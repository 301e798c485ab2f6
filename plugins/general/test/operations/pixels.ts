import { withDocument } from '@quire/document/engines/pdfium';
import { renderPage } from '@quire/document/engines/rendering';

/** A page rendered at one pixel per point, as it is seen. */
export interface Drawn {
  readonly width: number;
  readonly height: number;
  /** The colour at a point from the lower left, as hexadecimal RGB. */
  at(x: number, y: number): string;
}

/** Renders the pages of a document at one pixel per point. */
export async function drawn(bytes: Uint8Array): Promise<Drawn[]> {
  return withDocument(bytes, {}, (document) =>
    Array.from({ length: document.pageCount }, (_unused, i): Drawn => {
      const geometry = document.pageGeometry(i);
      const [width, height] = [Math.max(1, Math.round(geometry.width)), Math.max(1, Math.round(geometry.height))];
      const pixels = renderPage(document, i, { width, height, annotations: true });
      const at = (x: number, y: number): string => {
        const from = ((height - 1 - Math.floor(y)) * width + Math.floor(x)) * 4;
        return Buffer.from(pixels.subarray(from, from + 3)).toString('hex');
      };
      return { width, height, at };
    }),
  );
}
