import { type PDFContext, type PDFDict, PDFRawStream, type PDFRef } from 'pdf-lib';
import { matrixOperands } from '../content/drawing/numbers.js';
import type { Picture } from './picture.js';
import type { PngData } from './png-data.js';

/** Creates a stream of encoded data with these entries; the data stays in memory unless it is stored elsewhere. */
export type StoreStream = (data: Uint8Array, entries: PDFDict) => PDFRawStream;

/**
 * Writes the image as an image XObject (ISO 32000-1, 8.9.5). `store` defines where its data is kept until it is
 * written.
 */
export function embedPicture(
  context: PDFContext,
  picture: Picture,
  store: StoreStream = (data, entries) => PDFRawStream.of(entries, data),
): PDFRef {
  const { content } = picture;
  if ('jpeg' in content) {
    const { components, adobe } = content.header;
    const device = { 1: 'DeviceGray', 3: 'DeviceRGB', 4: 'DeviceCMYK' }[components];
    const profile =
      content.icc === undefined
        ? undefined
        : context.register(context.flateStream(content.icc, { N: components, Alternate: device }));
    const [Width, Height] = content.stored;
    return context.register(
      store(
        content.jpeg,
        context.obj({
          Type: 'XObject',
          Subtype: 'Image',
          Width,
          Height,
          BitsPerComponent: 8,
          Filter: 'DCTDecode',
          ColorSpace: profile === undefined ? device : ['ICCBased', profile],
          ...(components === 4 && adobe ? { Decode: [1, 0, 1, 0, 1, 0, 1, 0] } : {}),
        }),
      ),
    );
  }
  const mask = content.alpha === undefined ? undefined : embedRows(context, content.alpha, undefined, store);
  return embedRows(context, content.rows, mask, store);
}

function embedRows(context: PDFContext, rows: PngData, mask: PDFRef | undefined, store: StoreStream): PDFRef {
  return context.register(
    store(
      rows.data,
      context.obj({
        Type: 'XObject',
        Subtype: 'Image',
        Width: rows.width,
        Height: rows.height,
        BitsPerComponent: rows.bits,
        ColorSpace: rows.components === 1 ? 'DeviceGray' : 'DeviceRGB',
        Filter: 'FlateDecode',
        DecodeParms: { Predictor: 15, Colors: rows.components, BitsPerComponent: rows.bits, Columns: rows.width },
        ...(mask === undefined ? {} : { SMask: mask }),
      }),
    ),
  );
}

/** An axis-aligned rectangle in points. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Unit square to unit square for each EXIF orientation, as a b c d e f (EXIF 2.3, 4.6.4 A; y grows upwards in PDF). */
const turns: Readonly<Record<number, readonly [number, number, number, number, number, number]>> = {
  1: [1, 0, 0, 1, 0, 0],
  2: [-1, 0, 0, 1, 1, 0],
  3: [-1, 0, 0, -1, 1, 1],
  4: [1, 0, 0, -1, 0, 1],
  5: [0, -1, -1, 0, 1, 1],
  6: [0, -1, 1, 0, 0, 1],
  7: [0, 1, 1, 0, 0, 0],
  8: [0, 1, -1, 0, 1, 0],
};

/** The matrix operator that draws the image XObject upright in the rectangle. */
export function placePicture(picture: Picture, place: Place): string {
  const [a, b, c, d, e, f] = turns[picture.orientation] ?? turns[1]!;
  const { x, y, width: w, height: h } = place;
  return `${matrixOperands([a * w, b * h, c * w, d * h, x + e * w, y + f * h])} cm`;
}
