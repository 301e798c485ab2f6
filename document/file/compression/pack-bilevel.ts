import { type PDFContext, PDFDict, PDFName, PDFRawStream } from 'pdf-lib';
import { embeddedSize, encodeG4 } from '../../images/index.js';

/** In pixels. Larger images are not encoded as CCITT fax: the time grows with the pixels. */
const MAX_PIXELS = 200_000_000;

/**
 * Encodes the image's samples (`plain`, decoded) losslessly as CCITT group 4; undefined when they are incomplete or too
 * many.
 */
export function asFacsimile(context: PDFContext, image: PDFRawStream, plain: Uint8Array): PDFRawStream | undefined {
  const { width, height } = embeddedSize(context, image);
  const length = Math.ceil(width / 8) * height;
  if (width < 1 || height < 1 || width * height > MAX_PIXELS || plain.length < length) return undefined;
  const bits = plain.subarray(0, length);
  // Long runs of white have the shorter codes, so the more frequent colour is declared white.
  const blackIs1 = ones(bits) * 2 <= length * 8;
  const entries = new Map(image.dict.entries());
  entries.set(PDFName.of('Filter'), PDFName.of('CCITTFaxDecode'));
  entries.set(PDFName.of('DecodeParms'), context.obj({ K: -1, Columns: width, Rows: height, BlackIs1: blackIs1 }));
  return PDFRawStream.of(
    PDFDict.fromMapWithContext(entries, context),
    encodeG4(blackIs1 ? bits : bits.map((byte) => ~byte), width, height),
  );
}

function ones(bits: Uint8Array): number {
  let count = 0;
  for (let byte of bits) for (; byte !== 0; byte &= byte - 1) count++;
  return count;
}
