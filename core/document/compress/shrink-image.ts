import { deflateSync } from 'node:zlib';
import { type PDFContext, PDFName, PDFNumber, type PDFObject, PDFRawStream } from 'pdf-lib';
import type { Sharp } from 'sharp';
import { asNumber, elements, entry, resolve } from '../objects/index.js';
import { type SampleKind, sampleKind } from './colour.js';
import { type CompressLevel, jpegQuality, scaledSize } from './rules.js';
import { inflate } from './samples.js';

/** Black and white line art. */
export interface LineArt {
  /** Brightness in percent (0 to 100) from which a point is white. */
  readonly threshold: number;
  /** How strongly edges are drawn out before that. */
  readonly edgeLevel: 1 | 2 | 3;
}

/** What is done to images. */
export interface ImagePlan {
  readonly level: CompressLevel;
  readonly grayscale: boolean;
  readonly lineArt?: LineArt;
}

/** Pictures beyond this are not decoded: at three bytes a pixel they would fill the worker. */
const MAX_PIXELS = 120_000_000;

interface Source {
  readonly pixels: Sharp;
  readonly width: number;
  readonly height: number;
  readonly kind: 'gray' | 'rgb' | 'tint';
  /** Already lossy, so that coding it with loss again is fair. */
  readonly jpeg: boolean;
  /** Bytes that the image takes when it is only packed as tightly as can be. */
  readonly packedSize: number;
}

/**
 * Codes an image XObject anew by the plan. Gives undefined for what is better left alone: stencil masks, colour key masks, colour spaces and
 * filters that cannot be resampled safely, broken data, and results that are not smaller (unless the plan changes colours).
 */
export async function shrinkImage(context: PDFContext, image: PDFRawStream, plan: ImagePlan): Promise<PDFRawStream | undefined> {
  const source = await readImage(context, image);
  if (source === undefined) return undefined;
  if (plan.lineArt !== undefined && source.kind !== 'tint') return lineArtImage(context, image, source, plan.lineArt);
  const recolour = plan.grayscale && source.kind === 'rgb';
  const size = scaledSize(source.width, source.height, plan.level);
  if (size === undefined && !recolour) return undefined;
  const { width, height } = size ?? source;
  let pixels = source.pixels;
  if (size !== undefined) pixels = pixels.resize(width, height, { fit: 'fill', kernel: 'lanczos3' });
  if (recolour) pixels = pixels.greyscale();
  const channels = source.kind === 'rgb' && !plan.grayscale ? 3 : 1;
  // Samples with transparency keep their exactness: halos around cut-outs are what people see first.
  const hasAlpha = resolve(context, entry(image.dict, 'SMask')) !== undefined || resolve(context, entry(image.dict, 'Mask')) !== undefined;
  const coded = source.jpeg || !hasAlpha ? await asJpeg(pixels, channels, plan.level) : await asFlate(pixels, channels, width);
  const contents = coded.data;
  if (contents.length >= source.packedSize && !recolour) return undefined;
  return withSamples(context, image, contents, {
    Width: PDFNumber.of(width),
    Height: PDFNumber.of(height),
    BitsPerComponent: PDFNumber.of(8),
    Filter: PDFName.of(coded.filter),
    ...(recolour ? { ColorSpace: PDFName.of('DeviceGray') } : {}),
    ...(coded.filter === 'FlateDecode' ? { DecodeParms: context.obj({ Predictor: 15, Colors: channels, BitsPerComponent: 8, Columns: width }) } : {}),
  });
}

async function readImage(context: PDFContext, image: PDFRawStream): Promise<Source | undefined> {
  const { dict } = image;
  const number = (key: string): number => asNumber(context, entry(dict, key)) ?? 0;
  const width = number('Width');
  const height = number('Height');
  if (width < 1 || height < 1 || width * height > MAX_PIXELS) return undefined;
  if (resolve(context, entry(dict, 'ImageMask'))?.toString() === 'true' || !hasPlainDecode(context, dict.get(PDFName.of('Decode')))) return undefined;
  // A colour key names exact sample values (ISO 32000-1, 8.9.6.4).
  if (elements(context, entry(dict, 'Mask')).length > 0) return undefined;
  const kind = sampleKind(context, entry(dict, 'ColorSpace'));
  if (!isPlain(kind)) return undefined;
  const channels = kind === 'rgb' ? 3 : 1;
  const unpacked = inflate(context, image, width * height * channels + height * 2 + 1024 * 1024);
  if (unpacked === undefined) return undefined;
  const { default: sharp } = await import('sharp');
  if (unpacked.rest.length === 0) {
    if (number('BitsPerComponent') !== 8 || unpacked.data.length < width * height * channels) return undefined;
    const packedSize = Math.min(image.contents.length, deflateSync(unpacked.data).length);
    const raw = { width, height, channels: channels as 1 | 3 };
    return { pixels: sharp(unpacked.data.subarray(0, width * height * channels), { raw, limitInputPixels: MAX_PIXELS }), width, height, kind, jpeg: false, packedSize };
  }
  if (unpacked.rest.length !== 1 || !['DCTDecode', 'DCT'].includes(unpacked.rest[0] ?? '')) return undefined;
  try {
    // The PDF's colour space counts, not a profile inside the JPEG (ISO 32000-1, 7.4.8).
    const pixels = sharp(unpacked.data, { ignoreIcc: true, failOn: 'warning', limitInputPixels: MAX_PIXELS });
    const found = await pixels.metadata();
    if (found.format !== 'jpeg' || found.channels !== channels || found.width !== width || found.height !== height) return undefined;
    return { pixels, width, height, kind, jpeg: true, packedSize: image.contents.length };
  } catch {
    return undefined;
  }
}

function isPlain(kind: SampleKind): kind is Source['kind'] {
  return kind === 'gray' || kind === 'rgb' || kind === 'tint';
}

function hasPlainDecode(context: PDFContext, decode: PDFObject | undefined): boolean {
  return elements(context, decode).every((value, i) => asNumber(context, value) === i % 2);
}

/** The strongest levels search for the best coding, at five times the time; the others take what progressive coding gives for nothing. */
async function asJpeg(pixels: Sharp, channels: 1 | 3, level: CompressLevel): Promise<{ data: Uint8Array; filter: string }> {
  const flat = channels === 1 ? pixels.toColourspace('b-w') : pixels.toColourspace('srgb');
  const coding = level >= 8 ? { mozjpeg: true } : { progressive: true, optimiseCoding: true };
  return { data: await flat.jpeg({ quality: jpegQuality(level), ...coding }).toBuffer(), filter: 'DCTDecode' };
}

async function asFlate(pixels: Sharp, channels: 1 | 3, width: number): Promise<{ data: Uint8Array; filter: string }> {
  const raw = await pixels.toColourspace(channels === 1 ? 'b-w' : 'srgb').raw().toBuffer();
  return { data: deflateSync(withUpPredictor(raw, width * channels), { level: 9 }), filter: 'FlateDecode' };
}

/** PNG predictor "up" on every row: nearly as good as choosing, in one pass. */
function withUpPredictor(raw: Uint8Array, rowBytes: number): Uint8Array {
  const rows = Math.floor(raw.length / rowBytes);
  const out = new Uint8Array(rows * (rowBytes + 1));
  for (let row = 0; row < rows; row++) {
    const to = row * (rowBytes + 1);
    out[to] = 2;
    for (let i = 0; i < rowBytes; i++) out[to + 1 + i] = (raw[row * rowBytes + i] ?? 0) - (row > 0 ? (raw[(row - 1) * rowBytes + i] ?? 0) : 0);
  }
  return out;
}

/** One bit a point: grey, edges drawn out by an unsharp mask, cut at the threshold. */
async function lineArtImage(context: PDFContext, image: PDFRawStream, source: Source, { threshold, edgeLevel }: LineArt): Promise<PDFRawStream> {
  const { width, height } = source;
  const cut = Math.max(1, Math.round((threshold / 100) * 255));
  const drawn = source.pixels.greyscale().sharpen({ sigma: 0.8 * edgeLevel, m1: 2 * edgeLevel, m2: 4 * edgeLevel }).threshold(cut);
  const gray = await drawn.toColourspace('b-w').raw().toBuffer();
  const rowBytes = Math.ceil(width / 8);
  const bits = new Uint8Array(rowBytes * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if ((gray[y * width + x] ?? 0) > 127) bits[y * rowBytes + (x >> 3)] = (bits[y * rowBytes + (x >> 3)] ?? 0) | (0x80 >> (x & 7));
    }
  }
  return withSamples(context, image, deflateSync(bits, { level: 9 }), {
    BitsPerComponent: PDFNumber.of(1),
    ColorSpace: PDFName.of('DeviceGray'),
    Filter: PDFName.of('FlateDecode'),
  });
}

/** A copy of the image with other samples; masks, layers and metadata of the old one stay. */
function withSamples(context: PDFContext, image: PDFRawStream, contents: Uint8Array, entries: Readonly<Record<string, PDFObject>>): PDFRawStream {
  const dict = image.dict.clone(context);
  for (const gone of ['Filter', 'F', 'DecodeParms', 'DP', 'Decode', 'Length']) dict.delete(PDFName.of(gone));
  for (const [key, value] of Object.entries(entries)) dict.set(PDFName.of(key), value);
  return PDFRawStream.of(dict, contents);
}
