import { withDocument } from '@quire/document/engines/pdfium';
import { pixelSize, renderPage } from '@quire/document/engines/rendering';
import { PDFDocument, PDFName, type PDFObject, type PDFPage, PDFRawStream } from 'pdf-lib';
import sharp, { type Sharp } from 'sharp';
import type { Scan } from './scans.js';
import { scanPixels } from './scans.js';

/** How a scan gets onto a page, apart from filling it. */
export interface ScanPage {
  readonly colours?: 'grey' | 'rgb' | 'cmyk';
  /** /Rotate of the page. */
  readonly rotate?: number;
  /** Matrix of the image for a page of this size. */
  readonly matrix?: (width: number, height: number) => readonly number[];
  /** Crop box as parts of the page: left, bottom, width, height. */
  readonly crop?: readonly [number, number, number, number];
  /** Entries of the image's dictionary; functions get the document. */
  readonly entries?: Readonly<Record<string, (document: PDFDocument) => PDFObject>>;
  /** Stored without loss instead of as JPEG. */
  readonly lossless?: boolean;
  readonly after?: (page: PDFPage) => void | Promise<void>;
}

/** A document with a single page that shows pixels, `dpi` to the inch. */
export async function scanPage(picture: Sharp, dpi: number, look: ScanPage = {}): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const { colours = 'rgb', lossless = false } = look;
  const coloured =
    colours === 'grey'
      ? picture.clone().greyscale()
      : colours === 'cmyk'
        ? picture.clone().toColourspace('cmyk')
        : picture;
  const image = lossless
    ? await document.embedPng(await coloured.clone().png().toBuffer())
    : await document.embedJpg(await coloured.clone().jpeg({ quality: 92 }).toBuffer());
  await image.embed();
  const stream = document.context.lookup(image.ref);
  if (!(stream instanceof PDFRawStream)) throw new TypeError('an image is a stream');
  for (const [key, value] of Object.entries(look.entries ?? {})) stream.dict.set(PDFName.of(key), value(document));
  const [width, height] = [(image.width * 72) / dpi, (image.height * 72) / dpi];
  const page = document.addPage([width, height]);
  const name = page.node.newXObject('Scan', image.ref);
  const matrix = look.matrix?.(width, height) ?? [width, 0, 0, height, 0, 0];
  const content = document.context.stream(`q ${matrix.join(' ')} cm ${name.toString()} Do Q`);
  page.node.set(PDFName.of('Contents'), document.context.obj([document.context.register(content)]));
  if (look.crop !== undefined)
    page.setCropBox(look.crop[0] * width, look.crop[1] * height, look.crop[2] * width, look.crop[3] * height);
  if (look.rotate !== undefined) page.setRotation({ type: 'degrees' as never, angle: look.rotate });
  await look.after?.(page);
  return document.save();
}

/** A scan as an image. */
export async function scanPicture(scan: Scan): Promise<Sharp> {
  const raw = { width: scan.width, height: scan.height, channels: 3 } as const;
  return sharp(
    await sharp(await scanPixels(scan), { raw })
      .png()
      .toBuffer(),
  );
}

/** The first page as a PNG file, rendered at a resolution. */
export async function renderedPng(bytes: Uint8Array, dpi: number): Promise<Buffer> {
  return withDocument(bytes, {}, async (document) => {
    const size = pixelSize(document.pageGeometry(0), dpi);
    const data = renderPage(document, 0, { ...size, annotations: true });
    return sharp(data, { raw: { ...size, channels: 4 } })
      .removeAlpha()
      .png()
      .toBuffer();
  });
}
