import { deflateSync } from 'node:zlib';
import { type PDFContext, PDFDict, PDFName, PDFNumber, type PDFObject, PDFRawStream } from 'pdf-lib';
import { asNumber, elements, entry, resolve, setEntry } from '../file/objects/index.js';
import { decodeFront } from '../file/reader/index.js';
import { encodeG4 } from './ccitt-g4.js';
import { colourSample, componentsOf, type Repaint } from './colour-samples.js';
import { decodeImage, embeddedSize, MAX_EMBEDDED_PIXELS, type Pixels } from './decode-image.js';
import { readJpegHeader } from './jpeg.js';
import { type PixelArea, type PixelSpans, spansIn, spansOutside } from './pixel-spans.js';
import { rawSamples } from './raw-samples.js';

const JPEG_QUALITY = 92;
const WHITE = [1, 1, 1] as const;

/** Entries that duplicate or describe an image's data. */
const COPIES = [
  'F',
  'FFilter',
  'FDecodeParms',
  'DL',
  'DecodeParms',
  'Alternates',
  'OPI',
  'Metadata',
  'PieceInfo',
  'LastModified',
  'AF',
  'Measure',
  'PtData',
  'ID',
] as const;

/**
 * Returns an image XObject in which all samples outside an area are blanked; size, colour space and masks stay.
 * Uncompressed and losslessly compressed samples stay exact, JPEG is recompressed at high quality, and other encodings
 * become grey or RGB, one bit per pixel where it was. Undefined for an image that cannot be decoded, and for a colour
 * key over lossy samples. Throws IMAGE_TOO_LARGE.
 */
export function blankOutside(
  context: PDFContext,
  image: PDFRawStream,
  area: PixelArea,
): Promise<PDFRawStream | undefined> {
  const { width, height } = embeddedSize(context, image);
  return repainted(
    context,
    image,
    () => spansOutside(area, width, height),
    isStencil(context, image) ? 'unpainted' : WHITE,
  );
}

/**
 * The same, but repaints every pixel that convex polygons touch. Their corners are columns and rows from the upper
 * left. A stencil mask becomes painted or unpainted, any other image gets the colour.
 */
export function blankPolygons(
  context: PDFContext,
  image: PDFRawStream,
  polygons: readonly (readonly (readonly [number, number])[])[],
  repaint: Repaint,
): Promise<PDFRawStream | undefined> {
  const { width, height } = embeddedSize(context, image);
  return repainted(context, image, () => spansIn(polygons, width, height), repaint);
}

async function repainted(
  context: PDFContext,
  image: PDFRawStream,
  where: () => PixelSpans,
  repaint: Repaint,
): Promise<PDFRawStream | undefined> {
  const { width, height } = embeddedSize(context, image);
  if (width < 1 || height < 1 || width * height > MAX_EMBEDDED_PIXELS) return undefined;
  const front = decodeFront(image, (value) => resolve(context, value), width * height * 16 + 1024 * 1024);
  const spans = where();
  if (front !== undefined && front.left.length === 0) {
    const samples = blankSamples(context, image, front.data, spans, repaint);
    if (samples !== undefined) return samples;
  }
  if (elements(context, entry(image.dict, 'Mask')).length > 0) return undefined;
  const [filter] = front?.left ?? [];
  if (front !== undefined && filter === 'DCTDecode') {
    const jpeg = await blankJpeg(context, image, front.data, spans, repaint);
    if (jpeg !== undefined) return jpeg;
  }
  // Raw samples, since a viewer's decoder would convert CMYK and one-bit samples to RGB.
  const raw = filter === undefined ? undefined : await rawSamples(context, image);
  const exact =
    raw === undefined
      ? undefined
      : filter === 'DCTDecode'
        ? blankSamples(context, image, raw, spans, repaint)
        : blankBits(context, image, raw, spans, repaint);
  return exact ?? blankDecoded(context, image, spans, repaint);
}

function isStencil(context: PDFContext, image: PDFRawStream): boolean {
  return resolve(context, entry(image.dict, 'ImageMask'))?.toString() === 'true';
}

/**
 * Rows begin at whole bytes (ISO 32000-1, 8.9.3). Where the colour space does not define the number of components, it
 * is derived from the number of bytes.
 */
function blankSamples(
  context: PDFContext,
  image: PDFRawStream,
  data: Uint8Array,
  spans: PixelSpans,
  repaint: Repaint,
): PDFRawStream | undefined {
  const { width, height } = embeddedSize(context, image);
  const isMask = isStencil(context, image);
  const bits = isMask ? 1 : (asNumber(context, entry(image.dict, 'BitsPerComponent')) ?? 8);
  if (![1, 2, 4, 8, 16].includes(bits)) return undefined;
  const components = isMask
    ? 1
    : (componentsOf(context, image.dict) ?? Math.floor((Math.floor(data.length / height) * 8) / (width * bits)));
  if (components < 1 || components > 32) return undefined;
  const rowBytes = Math.ceil((width * components * bits) / 8);
  if (data.length - rowBytes * height > Math.max(rowBytes, 64)) return undefined;
  // Truncated data stays truncated: viewers show the missing rest differently.
  const samples = data.slice(0, rowBytes * height);
  fillSpans(samples, rowBytes, bits, colourSample(context, image.dict, repaint, bits, components), spans);
  const predicts =
    bits === 8 && samples.length === rowBytes * height && (components === 1 || components === 3 || components === 4);
  return withData(context, image, deflateSync(predicts ? upPredicted(samples, rowBytes) : samples), 'FlateDecode', {
    DecodeParms: predicts
      ? context.obj({ Predictor: 15, Colors: components, BitsPerComponent: 8, Columns: width })
      : undefined,
  });
}

/** Writes one sample over spans of rows. */
function fillSpans(
  data: Uint8Array,
  rowBytes: number,
  bits: number,
  sample: readonly number[],
  spans: PixelSpans,
): void {
  const bytes = bits === 16 ? sample.flatMap((value) => [value >> 8, value & 0xff]) : sample;
  for (const [row, columns] of spans.entries()) {
    for (const [from, to] of columns) {
      if (bits >= 8) {
        const start = row * rowBytes;
        for (let at = start + from * bytes.length; at < start + to * bytes.length; at += bytes.length)
          for (let i = 0; i < bytes.length; i++) data[at + i] = bytes[i]!;
        continue;
      }
      const one = ((1 << bits) - 1) << (8 - bits);
      for (let column = from * sample.length; column < to * sample.length; column++) {
        const bit = column * bits;
        const at = row * rowBytes + (bit >> 3);
        data[at] = (data[at]! & ~(one >> (bit & 7))) | ((sample[column % sample.length]! << (8 - bits)) >> (bit & 7));
      }
    }
  }
}

/** PNG predictor "up" on every row. */
function upPredicted(data: Uint8Array, rowBytes: number): Uint8Array {
  const rows = Math.floor(data.length / rowBytes);
  const out = new Uint8Array(rows * (rowBytes + 1));
  for (let row = 0; row < rows; row++) {
    out[row * (rowBytes + 1)] = 2;
    for (let i = 0; i < rowBytes; i++)
      out[row * (rowBytes + 1) + 1 + i] =
        (data[row * rowBytes + i] ?? 0) - (row > 0 ? (data[(row - 1) * rowBytes + i] ?? 0) : 0);
  }
  return out;
}

/** Grey and RGB only; CMYK, and colours whose encoding the PDF overrides, are handled elsewhere. */
async function blankJpeg(
  context: PDFContext,
  image: PDFRawStream,
  data: Uint8Array,
  spans: PixelSpans,
  repaint: Repaint,
): Promise<PDFRawStream | undefined> {
  const { width, height } = embeddedSize(context, image);
  const channels = readJpegHeader(data)?.components;
  if ((channels !== 1 && channels !== 3) || resolve(context, entry(image.dict, 'DecodeParms')) !== undefined)
    return undefined;
  const { default: sharp } = await import('sharp');
  try {
    // The PDF's colour space counts, not a profile inside the JPEG (ISO 32000-1, 7.4.8).
    const decoded = sharp(data, { ignoreIcc: true, limitInputPixels: MAX_EMBEDDED_PIXELS }).toColourspace(
      channels === 1 ? 'b-w' : 'srgb',
    );
    const { data: samples, info } = await decoded.raw().toBuffer({ resolveWithObject: true });
    if (info.width !== width || info.height !== height || info.channels !== channels) return undefined;
    fillSpans(samples, width * channels, 8, colourSample(context, image.dict, repaint, 8, channels), spans);
    return withData(context, image, await jpegOf({ width, height, channels, data: samples }), 'DCTDecode', {});
  } catch {
    return undefined;
  }
}

/** One bit per pixel stays one bit per pixel; the colour space and /Decode are set to match. */
function blankBits(
  context: PDFContext,
  image: PDFRawStream,
  data: Uint8Array,
  spans: PixelSpans,
  repaint: Repaint,
): PDFRawStream {
  const { width, height } = embeddedSize(context, image);
  fillSpans(data, Math.ceil(width / 8), 1, colourSample(context, image.dict, repaint, 1, 1), spans);
  return withData(
    context,
    image,
    encodeG4(
      data.map((byte) => byte ^ 0xff),
      width,
      height,
    ),
    'CCITTFaxDecode',
    { DecodeParms: context.obj({ K: -1, Columns: width, Rows: height }) },
  );
}

async function blankDecoded(
  context: PDFContext,
  image: PDFRawStream,
  spans: PixelSpans,
  repaint: Repaint,
): Promise<PDFRawStream | undefined> {
  const bare = PDFDict.fromMapWithContext(new Map(image.dict.entries()), context);
  for (const key of ['SMask', 'Mask']) setEntry(bare, key, undefined);
  const pixels = await decodeImage(context, PDFRawStream.of(bare, image.contents));
  if (pixels === undefined || pixels.channels === 4) return undefined;
  const { width, height, channels, data } = pixels;
  const own = embeddedSize(context, image);
  if (own.width !== width || own.height !== height) return undefined;
  const colour = repaint === 'painted' ? ([0, 0, 0] as const) : repaint === 'unpainted' ? WHITE : repaint;
  const light = 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2];
  fillSpans(
    data,
    width * channels,
    8,
    (channels === 1 ? [light] : colour).map((value) => Math.round(value * 255)),
    spans,
  );
  const isMask = isStencil(context, image);
  if (channels === 1 && (isMask || asNumber(context, entry(image.dict, 'BitsPerComponent')) === 1)) {
    const colours = isMask ? {} : { ColorSpace: PDFName.of('DeviceGray'), BitsPerComponent: PDFNumber.of(1) };
    return withData(context, image, encodeG4(bitsOf(data, width, height), width, height), 'CCITTFaxDecode', {
      ...colours,
      Decode: undefined,
      DecodeParms: context.obj({ K: -1, Columns: width, Rows: height }),
    });
  }
  return withData(context, image, await jpegOf(pixels), 'DCTDecode', {
    ColorSpace: PDFName.of(channels === 1 ? 'DeviceGray' : 'DeviceRGB'),
    BitsPerComponent: PDFNumber.of(8),
    Decode: undefined,
    SMaskInData: undefined,
  });
}

/** One bit per pixel, 1 for black. */
function bitsOf(grey: Uint8Array, width: number, height: number): Uint8Array {
  const rowBytes = Math.ceil(width / 8);
  const bits = new Uint8Array(rowBytes * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * rowBytes + (x >> 3);
      if (grey[y * width + x]! < 128) bits[at] = bits[at]! | (0x80 >> (x & 7));
    }
  }
  return bits;
}

async function jpegOf({ width, height, channels, data }: Pixels): Promise<Uint8Array> {
  const { default: sharp } = await import('sharp');
  const pixels = sharp(data, { raw: { width, height, channels }, limitInputPixels: MAX_EMBEDDED_PIXELS });
  return (channels === 1 ? pixels.toColourspace('b-w') : pixels)
    .jpeg({ quality: JPEG_QUALITY, chromaSubsampling: '4:4:4' })
    .toBuffer();
}

/** A copy of the image with other data. */
function withData(
  context: PDFContext,
  image: PDFRawStream,
  contents: Uint8Array,
  filter: string,
  entries: Readonly<Record<string, PDFObject | undefined>>,
): PDFRawStream {
  const dict = PDFDict.fromMapWithContext(new Map(image.dict.entries()), context);
  for (const key of COPIES) setEntry(dict, key, undefined);
  setEntry(dict, 'Filter', PDFName.of(filter));
  setEntry(dict, 'Length', PDFNumber.of(contents.length));
  for (const [key, value] of Object.entries(entries)) setEntry(dict, key, value);
  return PDFRawStream.of(dict, contents);
}
