import { deflateSync } from 'node:zlib';
import { type PDFContext, PDFName, PDFRawStream } from 'pdf-lib';
import type { Sharp } from 'sharp';
import { decodeImage, embeddedSize, readJpegHeader } from '../../images/index.js';
import { asNumber, elements, entry, resolve } from '../objects/index.js';
import { decodeFront } from '../reader/index.js';
import { type SampleKind, sampleKind } from './colour.js';

/** Larger images are not decoded: at three bytes per pixel they would fill the worker's memory. */
const MAX_PIXELS = 120_000_000;

/** An image whose samples can be resampled. */
export interface ImageSource {
  readonly pixels: Sharp;
  readonly width: number;
  readonly height: number;
  readonly kind: 'gray' | 'rgb' | 'tint' | 'cmyk';
  /** Already lossy, so that lossy recompression is acceptable. */
  readonly lossy: boolean;
  /** Bytes of the image when it is only compressed losslessly. */
  readonly packedSize: number;
  /** The samples were converted to DeviceGray or DeviceRGB, so that the old colour space and /Decode do not apply. */
  readonly converted: boolean;
  /** The JPEG library stores CMYK inverted; true where the samples were not, so that they must be inverted first. */
  readonly inverts: boolean;
}

/**
 * Reads an image XObject for resampling. Returns undefined for images that are better left alone: stencil masks, colour
 * key masks, one bit per pixel, several spot colours, unsupported filters, damaged data.
 */
export async function readImage(context: PDFContext, image: PDFRawStream): Promise<ImageSource | undefined> {
  const { dict } = image;
  const { width, height } = embeddedSize(context, image);
  const bits = asNumber(context, entry(dict, 'BitsPerComponent')) ?? 8;
  if (width < 1 || height < 1 || width * height > MAX_PIXELS || bits === 1) return undefined;
  // A colour key names exact sample values (ISO 32000-1, 8.9.6.4).
  if (
    resolve(context, entry(dict, 'ImageMask'))?.toString() === 'true' ||
    elements(context, entry(dict, 'Mask')).length > 0
  )
    return undefined;
  const kind = sampleKind(context, entry(dict, 'ColorSpace'));
  const channels = channelsOf[kind];
  const front = decodeFront(image, (value) => resolve(context, value), width * height * 8 + 1024 * 1024);
  if (front === undefined) return undefined;
  const { default: sharp } = await import('sharp');
  if (front.left.length === 0 && bits === 8 && (channels === 1 || channels === 3)) {
    const length = width * height * channels;
    if (front.data.length < length) return undefined;
    const packedSize = Math.min(image.contents.length, deflateSync(front.data).length);
    return {
      pixels: sharp(front.data.subarray(0, length), { raw: { width, height, channels }, limitInputPixels: MAX_PIXELS }),
      width,
      height,
      kind: kind as 'gray',
      lossy: false,
      packedSize,
      converted: false,
      inverts: false,
    };
  }
  if (front.left.length === 1 && front.left[0] === 'DCTDecode' && channels !== undefined)
    return readJpeg(front.data, { width, height, kind: kind as 'gray', channels, packedSize: image.contents.length });
  // Samples of other depths, palettes and JPEG 2000 become grey or RGB of eight bits; inks and spot colours would
  // change in print.
  const convertible =
    front.left[0] === 'JPXDecode'
      ? ['gray', 'rgb', 'none']
      : front.left.length === 0 && bits !== 8
        ? ['gray', 'rgb']
        : [];
  return convertible.includes(kind) ? convertImage(context, image) : undefined;
}

const channelsOf: Readonly<Partial<Record<SampleKind, 1 | 3 | 4>>> = { gray: 1, rgb: 3, tint: 1, cmyk: 4 };

async function readJpeg(
  data: Uint8Array,
  { channels, ...facts }: Pick<ImageSource, 'width' | 'height' | 'kind' | 'packedSize'> & { readonly channels: number },
): Promise<ImageSource | undefined> {
  const header = readJpegHeader(data);
  if (header?.components !== channels) return undefined;
  const { default: sharp } = await import('sharp');
  // The PDF's colour space counts, not a profile inside the JPEG (ISO 32000-1, 7.4.8).
  const pixels = sharp(data, { ignoreIcc: true, failOn: 'warning', limitInputPixels: MAX_PIXELS });
  try {
    const found = await pixels.metadata();
    if (
      found.format !== 'jpeg' ||
      found.channels !== channels ||
      found.width !== facts.width ||
      found.height !== facts.height
    )
      return undefined;
  } catch {
    return undefined;
  }
  return {
    ...facts,
    pixels: channels === 4 ? pixels.pipelineColourspace('cmyk') : pixels,
    lossy: true,
    converted: false,
    inverts: channels === 4 && !header.adobe,
  };
}

/**
 * Decodes an image XObject to grey or RGB, without its masks, which are kept separately. Undefined where this is not
 * possible.
 */
export async function convertImage(context: PDFContext, image: PDFRawStream): Promise<ImageSource | undefined> {
  const bare = image.dict.clone(context);
  for (const key of ['SMask', 'Mask']) bare.delete(PDFName.of(key));
  const decoded = await decodeImage(context, PDFRawStream.of(bare, image.contents));
  if (decoded === undefined || decoded.channels === 4) return undefined;
  const { default: sharp } = await import('sharp');
  const { width, height, channels, data } = decoded;
  const kind = channels === 1 ? 'gray' : 'rgb';
  return {
    pixels: sharp(data, { raw: { width, height, channels }, limitInputPixels: MAX_PIXELS }),
    width,
    height,
    kind,
    lossy: true,
    packedSize: image.contents.length,
    converted: true,
    inverts: false,
  };
}
