import { type PDFContext, PDFDict, PDFName, PDFRawStream } from 'pdf-lib';
import { embeddedSize, encodeG4, rawSamples } from '../../images/index.js';
import { encodeJbig2 } from '../../images/jbig2/index.js';
import { readClaims } from '../../structure/metadata/index.js';
import { asDict, asName, elements, entry, resolve } from '../objects/index.js';
import { decodeStream } from '../reader/index.js';

/** In pixels. Larger images stay as they are: the time grows with the pixels. */
const MAX_PIXELS = 200_000_000;

/** Encodings of images of one bit per pixel. */
export type BilevelCode = 'jbig2' | 'facsimile';

/**
 * The best encoding that a document may use: PDF/X-1a and PDF/X-3 forbid JBIG2 (ISO 15930-4, 6.9), and a document with
 * any claim of PDF/X keeps the filter that its printer knows.
 */
export function bilevelCode(context: PDFContext): BilevelCode {
  const info = asDict(context, context.trailerInfo.Info);
  const forPrinting = readClaims(context).has('PDF/X') || (info?.has(PDFName.of('GTS_PDFXVersion')) ?? false);
  return forPrinting ? 'facsimile' : 'jbig2';
}

/**
 * Encodes an image of one bit per pixel without loss; undefined when its samples are incomplete, too many or cannot be
 * decoded, and for images in JBIG2, which may use more of that format than is used here.
 */
export async function asBilevel(
  context: PDFContext,
  image: PDFRawStream,
  code: BilevelCode,
): Promise<PDFRawStream | undefined> {
  const { width, height } = embeddedSize(context, image);
  const length = Math.ceil(width / 8) * height;
  if (width < 1 || height < 1 || width * height > MAX_PIXELS) return undefined;
  const samples = await samplesOf(context, image);
  if (samples === undefined || samples.length < length) return undefined;
  const bits = samples.subarray(0, length);
  return code === 'jbig2' ? asJbig2(context, image, bits) : asFacsimile(context, image, bits);
}

async function samplesOf(context: PDFContext, image: PDFRawStream): Promise<Uint8Array | undefined> {
  const value = entry(image.dict, 'Filter');
  const last = asName(context, elements(context, value).at(-1) ?? value);
  if (last === 'JBIG2Decode') return undefined;
  if (last === 'CCITTFaxDecode' || last === 'CCF') return rawSamples(context, image);
  try {
    return decodeStream(image, (each) => resolve(context, each));
  } catch {
    return undefined;
  }
}

function asJbig2(context: PDFContext, image: PDFRawStream, bits: Uint8Array): PDFRawStream {
  const { width, height } = embeddedSize(context, image);
  // The filter returns 0 for black.
  const data = encodeJbig2(
    bits.map((byte) => ~byte),
    width,
    height,
  );
  return coded(context, image, data, { Filter: 'JBIG2Decode' });
}

function asFacsimile(context: PDFContext, image: PDFRawStream, bits: Uint8Array): PDFRawStream {
  const { width, height } = embeddedSize(context, image);
  // Long runs of white have the shorter codes, so the more frequent colour is declared white.
  const blackIs1 = ones(bits) * 2 <= bits.length * 8;
  return coded(context, image, encodeG4(blackIs1 ? bits : bits.map((byte) => ~byte), width, height), {
    Filter: 'CCITTFaxDecode',
    DecodeParms: { K: -1, Columns: width, Rows: height, BlackIs1: blackIs1 },
  });
}

function coded(
  context: PDFContext,
  image: PDFRawStream,
  data: Uint8Array,
  filter: { readonly Filter: string; readonly DecodeParms?: Readonly<Record<string, number | boolean>> },
): PDFRawStream {
  const entries = new Map(image.dict.entries());
  entries.delete(PDFName.of('DecodeParms'));
  for (const [key, value] of Object.entries(filter))
    entries.set(PDFName.of(key), typeof value === 'string' ? PDFName.of(value) : context.obj(value));
  return PDFRawStream.of(PDFDict.fromMapWithContext(entries, context), data);
}

function ones(bits: Uint8Array): number {
  let count = 0;
  for (let byte of bits) for (; byte !== 0; byte &= byte - 1) count++;
  return count;
}
