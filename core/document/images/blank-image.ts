import { deflateSync } from 'node:zlib';
import { type PDFContext, PDFDict, PDFName, PDFNumber, type PDFObject, PDFRawStream } from 'pdf-lib';
import { asNumber, elements, entry, resolve, setEntry } from '../objects/index.js';
import { decodeFront } from '../reader/index.js';
import { encodeG4 } from './ccitt-g4.js';
import { decodeImage, embeddedSize, MAX_EMBEDDED_PIXELS, type Pixels } from './decode-image.js';
import { readJpegHeader } from './jpeg.js';

/** Columns and rows from the upper left; `right` and `bottom` are the first behind. */
export interface PixelArea {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const JPEG_QUALITY = 92;
const WHITE = 255;

/**
 * Gives an image XObject again with nothing left of its samples outside an area; size, colour space and masks stay. Samples that are stored as
 * they are stay exact, JPEG is coded again at a high quality, and what only a viewer can decode becomes grey or RGB, one bit a point where it was.
 * Undefined for an image that cannot be decoded, and for a colour key over samples with loss. Errors: IMAGE_TOO_LARGE.
 */
export async function blankOutside(context: PDFContext, image: PDFRawStream, area: PixelArea): Promise<PDFRawStream | undefined> {
  const { width, height } = embeddedSize(context, image);
  if (width < 1 || height < 1 || width * height > MAX_EMBEDDED_PIXELS) return undefined;
  const front = decodeFront(image, (value) => resolve(context, value), width * height * 16 + 1024 * 1024);
  if (front !== undefined && front.left.length === 0) {
    const blanked = blankSamples(context, image, front.data, { width, height }, area);
    if (blanked !== undefined) return blanked;
  }
  if (elements(context, entry(image.dict, 'Mask')).length > 0) return undefined;
  if (front !== undefined && front.left.length === 1 && front.left[0] === 'DCTDecode') {
    const blanked = await blankJpeg(context, image, front.data, { width, height }, area);
    if (blanked !== undefined) return blanked;
  }
  return blankDecoded(context, image, area);
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Rows begin at whole bytes (ISO 32000-1, 8.9.3); how many bits a point has is told by how many bytes there are. Data that break off tell nothing. */
function blankSamples(context: PDFContext, image: PDFRawStream, data: Uint8Array, { width, height }: Size, area: PixelArea): PDFRawStream | undefined {
  const isMask = resolve(context, entry(image.dict, 'ImageMask'))?.toString() === 'true';
  const bits = isMask ? 1 : (asNumber(context, entry(image.dict, 'BitsPerComponent')) ?? 8);
  const components = Math.floor((Math.floor(data.length / height) * 8) / (width * bits));
  if (components < 1 || components > 32) return undefined;
  const perPoint = components * bits;
  const rowBytes = Math.ceil((width * perPoint) / 8);
  if (data.length - rowBytes * height > Math.max(rowBytes, 64)) return undefined;
  // Three colours are white where all are full; of anything else nothing is as good as anything.
  const blank = new Uint8Array(rowBytes * height).fill(components === 3 && bits === 8 ? WHITE : 0);
  for (let row = area.top; row < area.bottom; row++) copyBits(data, blank, row * rowBytes * 8 + area.left * perPoint, (area.right - area.left) * perPoint);
  const predicts = bits === 8 && (components === 1 || components === 3 || components === 4);
  return withData(context, image, deflateSync(predicts ? upPredicted(blank, rowBytes) : blank), 'FlateDecode', {
    DecodeParms: predicts ? context.obj({ Predictor: 15, Colors: components, BitsPerComponent: 8, Columns: width }) : undefined,
  });
}

/** Copies bits to the same place; whole bytes at once. */
function copyBits(from: Uint8Array, to: Uint8Array, start: number, count: number): void {
  const end = start + count;
  const firstWhole = Math.min(end, Math.ceil(start / 8) * 8);
  const lastWhole = Math.max(firstWhole, Math.floor(end / 8) * 8);
  const one = (bit: number): void => {
    const mask = 0x80 >> (bit & 7);
    to[bit >> 3] = (to[bit >> 3] ?? 0) | ((from[bit >> 3] ?? 0) & mask);
  };
  for (let bit = start; bit < firstWhole; bit++) one(bit);
  to.set(from.subarray(firstWhole >> 3, lastWhole >> 3), firstWhole >> 3);
  for (let bit = lastWhole; bit < end; bit++) one(bit);
}

/** PNG predictor "up" on every row. */
function upPredicted(data: Uint8Array, rowBytes: number): Uint8Array {
  const rows = Math.floor(data.length / rowBytes);
  const out = new Uint8Array(rows * (rowBytes + 1));
  for (let row = 0; row < rows; row++) {
    out[row * (rowBytes + 1)] = 2;
    for (let i = 0; i < rowBytes; i++) out[row * (rowBytes + 1) + 1 + i] = (data[row * rowBytes + i] ?? 0) - (row > 0 ? (data[(row - 1) * rowBytes + i] ?? 0) : 0);
  }
  return out;
}

/** Grey and three colours; inks, and colours whose coding the PDF tells otherwise, are left to the viewer's decoder. */
async function blankJpeg(context: PDFContext, image: PDFRawStream, data: Uint8Array, { width, height }: Size, area: PixelArea): Promise<PDFRawStream | undefined> {
  const channels = readJpegHeader(data)?.components;
  if ((channels !== 1 && channels !== 3) || resolve(context, entry(image.dict, 'DecodeParms')) !== undefined) return undefined;
  const { default: sharp } = await import('sharp');
  try {
    // The PDF's colour space counts, not a profile inside the JPEG (ISO 32000-1, 7.4.8).
    const decoded = sharp(data, { ignoreIcc: true, limitInputPixels: MAX_EMBEDDED_PIXELS }).toColourspace(channels === 1 ? 'b-w' : 'srgb');
    const { data: samples, info } = await decoded.raw().toBuffer({ resolveWithObject: true });
    if (info.width !== width || info.height !== height || info.channels !== channels) return undefined;
    return withData(context, image, await jpegOf({ width, height, channels, data: blanked({ width, height, channels, data: samples }, area) }), 'DCTDecode', {});
  } catch {
    return undefined;
  }
}

async function blankDecoded(context: PDFContext, image: PDFRawStream, area: PixelArea): Promise<PDFRawStream | undefined> {
  const bare = PDFDict.fromMapWithContext(new Map(image.dict.entries()), context);
  for (const key of ['SMask', 'Mask']) setEntry(bare, key, undefined);
  const pixels = await decodeImage(context, PDFRawStream.of(bare, image.contents));
  if (pixels === undefined || pixels.channels === 4) return undefined;
  const { width, height, channels } = pixels;
  const own = embeddedSize(context, image);
  if (own.width !== width || own.height !== height) return undefined;
  const data = blanked(pixels, area);
  const isMask = resolve(context, entry(image.dict, 'ImageMask'))?.toString() === 'true';
  if (channels === 1 && (isMask || asNumber(context, entry(image.dict, 'BitsPerComponent')) === 1)) {
    const colours = isMask ? {} : { ColorSpace: PDFName.of('DeviceGray'), BitsPerComponent: PDFNumber.of(1) };
    return withData(context, image, encodeG4(bitsOf(data, width, height), width, height), 'CCITTFaxDecode', {
      ...colours, Decode: undefined, DecodeParms: context.obj({ K: -1, Columns: width, Rows: height }),
    });
  }
  return withData(context, image, await jpegOf({ ...pixels, data }), 'DCTDecode', {
    ColorSpace: PDFName.of(channels === 1 ? 'DeviceGray' : 'DeviceRGB'), BitsPerComponent: PDFNumber.of(8), Decode: undefined, SMaskInData: undefined,
  });
}

function blanked({ width, height, channels, data }: Pixels, { left, top, right, bottom }: PixelArea): Uint8Array {
  const blank = new Uint8Array(width * height * channels).fill(WHITE);
  for (let row = top; row < bottom; row++) {
    const start = row * width * channels;
    blank.set(data.subarray(start + left * channels, start + right * channels), start + left * channels);
  }
  return blank;
}

/** One bit a point, 1 for black. */
function bitsOf(grey: Uint8Array, width: number, height: number): Uint8Array {
  const rowBytes = Math.ceil(width / 8);
  const bits = new Uint8Array(rowBytes * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * rowBytes + (x >> 3);
      if ((grey[y * width + x] ?? WHITE) < 128) bits[at] = (bits[at] ?? 0) | (0x80 >> (x & 7));
    }
  }
  return bits;
}

async function jpegOf({ width, height, channels, data }: Pixels): Promise<Uint8Array> {
  const { default: sharp } = await import('sharp');
  const pixels = sharp(data, { raw: { width, height, channels }, limitInputPixels: MAX_EMBEDDED_PIXELS });
  return (channels === 1 ? pixels.toColourspace('b-w') : pixels).jpeg({ quality: JPEG_QUALITY, chromaSubsampling: '4:4:4' }).toBuffer();
}

/** A copy of the image over other data. */
function withData(context: PDFContext, image: PDFRawStream, contents: Uint8Array, filter: string, entries: Readonly<Record<string, PDFObject | undefined>>): PDFRawStream {
  const dict = PDFDict.fromMapWithContext(new Map(image.dict.entries()), context);
  for (const key of ['F', 'FFilter', 'FDecodeParms', 'DL', 'DecodeParms', 'Alternates', 'OPI']) setEntry(dict, key, undefined);
  setEntry(dict, 'Filter', PDFName.of(filter));
  setEntry(dict, 'Length', PDFNumber.of(contents.length));
  for (const [key, value] of Object.entries(entries)) setEntry(dict, key, value);
  return PDFRawStream.of(dict, contents);
}
