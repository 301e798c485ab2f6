import { PDFDocument, PDFHexString, PDFName, PDFString } from 'pdf-lib';
import sharp from 'sharp';
import { withDocument } from '../../engines/pdfium/index.js';
import { renderPage } from '../../engines/rendering/index.js';

/** A field as a dictionary, with its rectangle; `page` is 0-based. */
export interface FieldSpec {
  readonly rect: readonly [number, number, number, number];
  readonly page?: number;
  readonly [entry: string]: unknown;
}

export const text = (value: string): PDFHexString => PDFHexString.fromText(value);
export const name = (value: string): PDFName => PDFName.of(value);

/** Creates a document of blank pages (300 x 300, or of the given sizes) with these fields, without appearances. */
export async function formOf(
  fields: readonly FieldSpec[],
  form: object = {},
  pages: readonly (readonly [number, number])[] = [[300, 300]],
): Promise<PDFDocument> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const { context } = document;
  for (const size of pages) document.addPage([...size]);
  const helvetica = context.register(
    context.obj({ Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica', Encoding: 'WinAnsiEncoding' }),
  );
  const refs = fields.map(({ rect, page: _page, ...entries }, i) =>
    context.register(
      context.obj({
        Type: 'Annot',
        Subtype: 'Widget',
        F: 4,
        T: text(`field${i}`),
        Rect: [...rect],
        DA: PDFString.of('0 g /Helv 12 Tf'),
        ...entries,
      } as never),
    ),
  );
  for (const [i, page] of document.getPages().entries()) {
    page.node.set(name('Annots'), context.obj(refs.filter((_ref, at) => (fields[at]?.page ?? 0) === i)));
  }
  document.catalog.set(
    name('AcroForm'),
    context.obj({ Fields: refs, DR: { Font: { Helv: helvetica } }, ...form } as never),
  );
  return document;
}

/**
 * A rendered page: number of non-white pixels in a box (left, bottom, right, top, in points of the unrotated page at 1
 * pixel per point), and the colour at a point.
 */
export interface DrawnPage {
  readonly width: number;
  readonly height: number;
  ink(box: readonly [number, number, number, number]): number;
  at(x: number, y: number): readonly [number, number, number];
}

/** Renders a page with PDFium at one pixel per point. */
export function draw(bytes: Uint8Array, page = 0, annotations = true): Promise<DrawnPage> {
  return withDocument(bytes, {}, (document) => {
    const { width, height } = document.pageGeometry(page);
    const size = { width: Math.round(width), height: Math.round(height) };
    const pixels = renderPage(document, page, { ...size, annotations });
    const at = (x: number, y: number): readonly [number, number, number] => {
      const i = ((size.height - 1 - Math.floor(y)) * size.width + Math.floor(x)) * 4;
      return [pixels[i] ?? 0, pixels[i + 1] ?? 0, pixels[i + 2] ?? 0];
    };
    const ink = ([left, bottom, right, top]: readonly [number, number, number, number]): number => {
      let count = 0;
      for (let y = bottom; y < top; y++)
        for (let x = left; x < right; x++) if (at(x, y).some((level) => level < 200)) count++;
      return count;
    };
    return { ...size, ink, at };
  });
}

/** Returns the mean difference of two images of equal size, in levels of 255. */
export async function difference(a: Uint8Array, b: Uint8Array): Promise<number> {
  const [x, y] = await Promise.all([a, b].map((png) => sharp(png).removeAlpha().raw().toBuffer()));
  if (x === undefined || y === undefined || x.length !== y.length) return Infinity;
  return x.reduce((sum, level, i) => sum + Math.abs(level - (y[i] ?? 0)), 0) / x.length;
}
