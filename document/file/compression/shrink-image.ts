import { deflateSync } from 'node:zlib';
import { type PDFContext, PDFName, PDFNumber, type PDFObject, PDFRawStream } from 'pdf-lib';
import type { Sharp } from 'sharp';
import { asNumber, elements, entry, resolve } from '../objects/index.js';
import { convertImage, type ImageSource, readImage } from './read-image.js';
import { type CompressLevel, jpegQuality, recodesImages, scaledSize } from './rules.js';

/** Estimated cost of the new dictionary entries. */
const DICTIONARY_BYTES = 64;

/** Conversion to black and white line art. */
export interface LineArt {
  /** Brightness in percent (0 to 100) from which a pixel is white. */
  readonly threshold: number;
  /** Strength of edge sharpening before the threshold. */
  readonly edgeLevel: 1 | 2 | 3;
}

/** Changes to apply to images. */
export interface ImagePlan {
  readonly level: CompressLevel;
  readonly grayscale: boolean;
  readonly lineArt?: LineArt;
}

/**
 * Recompresses an image XObject by the plan. Returns undefined for images that are better left alone (`readImage`), and
 * for results that are not smaller unless the plan changes colours.
 */
export async function shrinkImage(
  context: PDFContext,
  image: PDFRawStream,
  plan: ImagePlan,
): Promise<PDFRawStream | undefined> {
  const source = await sourceFor(context, image, plan);
  return source === undefined ? undefined : shrinkSource(context, image, source, plan);
}

/** The same with an image that has been read. */
export async function shrinkSource(
  context: PDFContext,
  image: PDFRawStream,
  source: ImageSource,
  plan: ImagePlan,
): Promise<PDFRawStream | undefined> {
  if (plan.lineArt !== undefined && source.kind !== 'tint') return lineArtImage(context, image, source, plan.lineArt);
  const recolour = plan.grayscale && source.kind === 'rgb';
  const size = scaledSize(source.width, source.height, plan.level);
  // Images with transparency stay lossless: halos around cut-outs are very visible.
  const hasAlpha =
    resolve(context, entry(image.dict, 'SMask')) !== undefined ||
    resolve(context, entry(image.dict, 'Mask')) !== undefined;
  const recode = size === undefined && !recolour;
  if (recode && (!recodesImages(plan.level) || source.lossy || hasAlpha || source.kind === 'tint')) return undefined;
  const { width, height } = size ?? source;
  let pixels = source.pixels.clone();
  if (size !== undefined) pixels = pixels.resize(width, height, { fit: 'fill', kernel: 'lanczos3' });
  if (source.inverts) pixels = pixels.negate({ alpha: false });
  if (recolour) pixels = pixels.greyscale();
  const channels = source.kind === 'cmyk' ? 4 : source.kind === 'rgb' && !recolour ? 3 : 1;
  const coded =
    source.lossy || !hasAlpha
      ? await asJpeg(pixels, channels, plan.level)
      : await asFlate(pixels, channels === 3 ? 3 : 1, width);
  // A drawing keeps its sharp edges unless much is saved.
  if (coded.data.length + DICTIONARY_BYTES >= source.packedSize * (recode ? 0.6 : 1) && !recolour) return undefined;
  const newColours = recolour || source.converted;
  return withSamples(context, image, coded.data, {
    Width: PDFNumber.of(width),
    Height: PDFNumber.of(height),
    BitsPerComponent: PDFNumber.of(8),
    Filter: PDFName.of(coded.filter),
    ...(newColours ? { ColorSpace: PDFName.of(channels === 1 ? 'DeviceGray' : 'DeviceRGB') } : {}),
    ...(newColours ? {} : decodeEntry(context, image, channels, source.inverts)),
    ...(coded.filter === 'FlateDecode'
      ? { DecodeParms: context.obj({ Predictor: 15, Colors: channels, BitsPerComponent: 8, Columns: width }) }
      : {}),
  });
}

/** To change colours, the samples must be plain grey or RGB: CMYK and samples with /Decode are converted first. */
export async function sourceFor(
  context: PDFContext,
  image: PDFRawStream,
  plan: ImagePlan,
): Promise<ImageSource | undefined> {
  const source = await readImage(context, image);
  if (source === undefined || source.converted || (!plan.grayscale && plan.lineArt === undefined)) return source;
  return source.kind === 'cmyk' || !hasPlainDecode(context, image) ? convertImage(context, image) : source;
}

/** Resampling is linear, so /Decode stays valid; for CMYK stored inverted it is reversed. */
function decodeEntry(
  context: PDFContext,
  image: PDFRawStream,
  channels: number,
  turned: boolean,
): Record<string, PDFObject> {
  const decode = elements(context, entry(image.dict, 'Decode')).map((value) => asNumber(context, value) ?? 0);
  const all = decode.length === channels * 2 ? decode : Array.from({ length: channels * 2 }, (_, i) => i % 2);
  const found = turned ? all.map((_value, i) => all[i ^ 1] ?? 0) : all;
  return found.every((value, i) => value === i % 2) ? {} : { Decode: context.obj(found) };
}

export function hasPlainDecode(context: PDFContext, image: PDFRawStream): boolean {
  return elements(context, entry(image.dict, 'Decode')).every((value, i) => asNumber(context, value) === i % 2);
}

/**
 * The strongest levels search for the best encoding, at five times the time; the others use progressive encoding, which
 * costs nothing extra.
 */
async function asJpeg(
  pixels: Sharp,
  channels: 1 | 3 | 4,
  level: CompressLevel,
): Promise<{ data: Uint8Array; filter: string }> {
  const flat = pixels.toColourspace(channels === 1 ? 'b-w' : channels === 4 ? 'cmyk' : 'srgb');
  const coding = level >= 8 && channels !== 4 ? { mozjpeg: true } : { progressive: true, optimiseCoding: true };
  return { data: await flat.jpeg({ quality: jpegQuality(level), ...coding }).toBuffer(), filter: 'DCTDecode' };
}

async function asFlate(pixels: Sharp, channels: 1 | 3, width: number): Promise<{ data: Uint8Array; filter: string }> {
  const raw = await pixels
    .toColourspace(channels === 1 ? 'b-w' : 'srgb')
    .raw()
    .toBuffer();
  return { data: deflateSync(withUpPredictor(raw, width * channels), { level: 9 }), filter: 'FlateDecode' };
}

/** PNG predictor "up" on every row: nearly as good as choosing per row, in one pass. */
function withUpPredictor(raw: Uint8Array, rowBytes: number): Uint8Array {
  const rows = Math.floor(raw.length / rowBytes);
  const out = new Uint8Array(rows * (rowBytes + 1));
  for (let row = 0; row < rows; row++) {
    const to = row * (rowBytes + 1);
    out[to] = 2;
    for (let i = 0; i < rowBytes; i++)
      out[to + 1 + i] = (raw[row * rowBytes + i] ?? 0) - (row > 0 ? (raw[(row - 1) * rowBytes + i] ?? 0) : 0);
  }
  return out;
}

/** One bit per pixel: converted to grey, edges sharpened by an unsharp mask, then thresholded. */
async function lineArtImage(
  context: PDFContext,
  image: PDFRawStream,
  source: ImageSource,
  { threshold, edgeLevel }: LineArt,
): Promise<PDFRawStream> {
  const { width, height } = source;
  const cut = Math.max(1, Math.round((threshold / 100) * 255));
  const drawn = source.pixels
    .greyscale()
    .sharpen({ sigma: 0.8 * edgeLevel, m1: 2 * edgeLevel, m2: 4 * edgeLevel })
    .threshold(cut);
  const gray = await drawn.toColourspace('b-w').raw().toBuffer();
  const rowBytes = Math.ceil(width / 8);
  const bits = new Uint8Array(rowBytes * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if ((gray[y * width + x] ?? 0) > 127)
        bits[y * rowBytes + (x >> 3)] = (bits[y * rowBytes + (x >> 3)] ?? 0) | (0x80 >> (x & 7));
    }
  }
  return withSamples(context, image, deflateSync(bits, { level: 9 }), {
    BitsPerComponent: PDFNumber.of(1),
    ColorSpace: PDFName.of('DeviceGray'),
    Filter: PDFName.of('FlateDecode'),
  });
}

/** A copy of the image with other samples; masks, layers and metadata of the old one stay. */
function withSamples(
  context: PDFContext,
  image: PDFRawStream,
  contents: Uint8Array,
  entries: Readonly<Record<string, PDFObject>>,
): PDFRawStream {
  const dict = image.dict.clone(context);
  for (const gone of ['Filter', 'F', 'DecodeParms', 'DP', 'Decode', 'Length']) dict.delete(PDFName.of(gone));
  for (const [key, value] of Object.entries(entries)) dict.set(PDFName.of(key), value);
  return PDFRawStream.of(dict, contents);
}
