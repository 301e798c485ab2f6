import { type PDFContext, PDFDocument, PDFHexString, PDFName, type PDFRef } from 'pdf-lib';
import sharp from 'sharp';

/** Entries of an image's dictionary; strings are names. */
export type Entries = Parameters<PDFContext['stream']>[1];

/** RGB samples with a different colour in every corner. */
export function gradient(width: number, height: number): Uint8Array {
  const data = new Uint8Array(width * height * 3);
  for (let i = 0; i < width * height; i++)
    data.set(
      [Math.round(((i % width) / (width - 1)) * 255), Math.round((Math.floor(i / width) / (height - 1)) * 255), 40],
      i * 3,
    );
  return data;
}

/** An image XObject of these samples, 8 bits per component by default. */
export function imageOf(
  context: PDFContext,
  width: number,
  height: number,
  samples: Uint8Array,
  entries: Entries,
): PDFRef {
  return context.register(
    context.flateStream(samples, {
      Type: 'XObject',
      Subtype: 'Image',
      Width: width,
      Height: height,
      BitsPerComponent: 8,
      ...entries,
    }),
  );
}

/** An image XObject of encoded data. */
export function codedImage(
  context: PDFContext,
  width: number,
  height: number,
  data: Uint8Array,
  entries: Entries,
): PDFRef {
  return context.register(
    context.stream(data, {
      Type: 'XObject',
      Subtype: 'Image',
      Width: width,
      Height: height,
      BitsPerComponent: 8,
      ...entries,
    }),
  );
}

/** Adds a page with these XObjects, each drawn over all of it. */
export function pageWith(
  document: PDFDocument,
  objects: Readonly<Record<string, PDFRef>>,
  content = Object.keys(objects)
    .map((name) => `q 200 0 0 200 0 0 cm /${name} Do Q`)
    .join('\n'),
): void {
  const { context } = document;
  const { node } = document.addPage([200, 200]);
  node.set(PDFName.of('Resources'), context.obj({ XObject: objects }));
  node.set(PDFName.of('Contents'), context.register(context.stream(content)));
}

/**
 * Two pages: a JPEG, one with a soft mask, one with a colour key, an image mask; then the JPEG again, and a form with
 * another image inside.
 */
export async function imagesPdf(): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const { context } = document;
  const jpeg = await sharp(gradient(40, 30), { raw: { width: 40, height: 30, channels: 3 } })
    .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
    .toBuffer();
  const photo = codedImage(context, 40, 30, jpeg, { ColorSpace: 'DeviceRGB', Filter: 'DCTDecode' });
  const softMask = imageOf(
    context,
    20,
    10,
    new Uint8Array(200).map((_none, i) => (i % 20 < 10 ? 255 : 0)),
    { ColorSpace: 'DeviceGray' },
  );
  const glass = imageOf(context, 20, 10, gradient(20, 10), { ColorSpace: 'DeviceRGB', SMask: softMask });
  const palette = ['Indexed', 'DeviceRGB', 3, PDFHexString.of('ff000000ff000000ffffffff')];
  const keyed = imageOf(context, 2, 2, Uint8Array.from([0x01, 0x23]), {
    BitsPerComponent: 4,
    ColorSpace: palette,
    Mask: [3, 3],
  });
  const stencil = imageOf(context, 8, 2, Uint8Array.from([0xf0, 0x0f]), { BitsPerComponent: 1, ImageMask: true });
  pageWith(document, { Photo: photo, Glass: glass, Keyed: keyed, Stencil: stencil });
  const deep = imageOf(context, 2, 1, Uint8Array.from([0x80, 0, 0xff, 0xff]), {
    BitsPerComponent: 16,
    ColorSpace: 'DeviceGray',
  });
  const form = context.register(
    context.stream('/Deep Do', {
      Type: 'XObject',
      Subtype: 'Form',
      BBox: [0, 0, 1, 1],
      Resources: { XObject: { Deep: deep } },
    }),
  );
  pageWith(document, { Form: form, Photo: photo });
  return document.save({ useObjectStreams: false });
}
