import { type PDFContext, PDFHexString, PDFName, PDFRawStream } from 'pdf-lib';
import { asArray, asByteString, entry, resolve } from '../objects/index.js';
import { decodeStream } from '../reader/index.js';
import { sampleKind } from './colour.js';

/** A palette has at most 256 colours of four components. */
const MAX_PALETTE = 1024;

/**
 * Converts an indexed image to grey by changing only its palette: the samples stay, so nothing is lost and no encoding
 * changes (ISO 32000-1, 8.6.6.3). Returns undefined when the image is not indexed over RGB.
 */
export function grayPalette(context: PDFContext, image: PDFRawStream): PDFRawStream | undefined {
  const space = asArray(context, entry(image.dict, 'ColorSpace'));
  if (space === undefined || sampleKind(context, space) !== 'indexed' || sampleKind(context, space.get(1)) !== 'rgb')
    return undefined;
  const colours = paletteBytes(context, resolve(context, space.get(3)));
  if (colours === undefined) return undefined;
  const gray = new Uint8Array(Math.floor(colours.length / 3));
  for (let i = 0; i < gray.length; i++) {
    // Luma of ITU-R BT.601.
    gray[i] = Math.round(
      0.299 * (colours[i * 3] ?? 0) + 0.587 * (colours[i * 3 + 1] ?? 0) + 0.114 * (colours[i * 3 + 2] ?? 0),
    );
  }
  const dict = image.dict.clone(context);
  dict.set(
    PDFName.of('ColorSpace'),
    context.obj([
      PDFName.of('Indexed'),
      PDFName.of('DeviceGray'),
      gray.length - 1,
      PDFHexString.of(Buffer.from(gray).toString('hex')),
    ]),
  );
  return PDFRawStream.of(dict, image.contents);
}

function paletteBytes(context: PDFContext, value: ReturnType<typeof resolve>): Uint8Array | undefined {
  if (value instanceof PDFRawStream) {
    return decodeStream(value, (each) => resolve(context, each))?.subarray(0, MAX_PALETTE);
  }
  const text = asByteString(context, value);
  return text === undefined ? undefined : Buffer.from(text, 'latin1');
}
