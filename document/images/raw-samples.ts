import { type PDFContext, PDFName, PDFNumber, PDFRawStream } from 'pdf-lib';
import { asDict, asNumber, elements, entry, resolve, setEntry } from '../file/objects/index.js';
import { decodeFront } from '../file/reader/index.js';
import { componentsOf } from './colour-samples.js';
import { decodeImage, embeddedSize, MAX_EMBEDDED_PIXELS } from './decode-image.js';
import { readJpegHeader } from './jpeg.js';

/**
 * Returns the samples of an image XObject whose last filter is an image filter, exactly as that filter decodes them
 * (ISO 32000-1, 7.4): JPEG in the image's colour space, CCITT and JBIG2 as one bit per sample, rows padded to bytes.
 * Undefined where this is not possible: JPEG 2000, damaged data, dictionaries that contradict the data, images of more
 * than `MAX_EMBEDDED_PIXELS`.
 */
export async function rawSamples(context: PDFContext, image: PDFRawStream): Promise<Uint8Array | undefined> {
  const { width, height } = embeddedSize(context, image);
  if (width < 1 || height < 1 || width * height > MAX_EMBEDDED_PIXELS) return undefined;
  const front = decodeFront(image, (value) => resolve(context, value));
  if (front?.left.length !== 1) return undefined;
  switch (front.left[0]) {
    case 'DCTDecode':
      return jpegSamples(context, image, front.data);
    case 'CCITTFaxDecode':
    case 'JBIG2Decode':
      return bilevelSamples(context, image);
    default:
      return undefined;
  }
}

async function jpegSamples(
  context: PDFContext,
  { dict }: PDFRawStream,
  data: Uint8Array,
): Promise<Uint8Array | undefined> {
  const header = readJpegHeader(data);
  const transform = lastParameter(context, dict, 'ColorTransform');
  if (
    header === undefined ||
    header.components !== componentsOf(context, dict) ||
    (asNumber(context, entry(dict, 'BitsPerComponent')) ?? 8) !== 8
  )
    return undefined;
  // The library considers only the markers in the file.
  if (transform !== undefined && !header.adobe && transform !== (header.components === 3 ? 1 : 0)) return undefined;
  const { default: sharp } = await import('sharp');
  try {
    const source = sharp(data, { ignoreIcc: true, failOn: 'warning', limitInputPixels: MAX_EMBEDDED_PIXELS });
    const found = await source.metadata();
    if (
      found.width !== asNumber(context, entry(dict, 'Width')) ||
      found.height !== asNumber(context, entry(dict, 'Height')) ||
      found.channels !== header.components
    )
      return undefined;
    const pixels =
      header.components === 4
        ? source.pipelineColourspace('cmyk').toColourspace('cmyk')
        : header.components === 1
          ? source.toColourspace('b-w')
          : source;
    const { data: samples, info } = await pixels.raw().toBuffer({ resolveWithObject: true });
    if (info.channels !== header.components) return undefined;
    // The library inverts the CMYK samples that Adobe's programs store inverted; in the PDF, /Decode does that.
    if (header.components === 4 && header.adobe)
      for (let i = 0; i < samples.length; i++) samples[i] = 255 - samples[i]!;
    return samples;
  } catch {
    return undefined;
  }
}

/** Decoded as plain grey: black is 0 and white is 1, whatever the image's colour space. */
async function bilevelSamples(context: PDFContext, image: PDFRawStream): Promise<Uint8Array | undefined> {
  const bare = image.dict.clone(context);
  for (const key of ['SMask', 'Mask', 'ImageMask', 'Decode', 'SMaskInData']) setEntry(bare, key, undefined);
  setEntry(bare, 'ColorSpace', PDFName.of('DeviceGray'));
  setEntry(bare, 'BitsPerComponent', PDFNumber.of(1));
  const pixels = await decodeImage(context, PDFRawStream.of(bare, image.contents));
  const { width, height } = embeddedSize(context, image);
  if (pixels?.channels !== 1 || pixels.width !== width || pixels.height !== height) return undefined;
  const row = Math.ceil(width / 8);
  const samples = new Uint8Array(row * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const value = pixels.data[y * width + x]!;
      if (value !== 0 && value !== 255) return undefined;
      if (value === 255) samples[y * row + (x >> 3)]! |= 0x80 >> (x & 7);
    }
  }
  return samples;
}

/** A number from the last filter's parameters. */
function lastParameter(context: PDFContext, dict: PDFRawStream['dict'], key: string): number | undefined {
  const value = entry(dict, 'DecodeParms');
  const last = asDict(context, elements(context, value).at(-1)) ?? asDict(context, value);
  return last === undefined ? undefined : asNumber(context, entry(last, key));
}
