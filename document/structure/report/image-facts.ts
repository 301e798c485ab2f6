import { PDFArray, type PDFContext, PDFName, type PDFObject, type PDFRawStream } from 'pdf-lib';
import { asName, asNumber, entry, nameText, resolve } from '../../file/objects/index.js';

/** An image XObject (ISO 32000-1, 8.9.5) as described by its dictionary and the header of its data. */
export interface ImageFacts {
  readonly width: number;
  readonly height: number;
  readonly bitsPerComponent: number;
  /**
   * Name of the colour space family: DeviceRGB, ICCBased …; undefined for a mask, and if only the JPEG 2000 data define
   * it.
   */
  readonly colourSpace: string | undefined;
  /** File extension for the data: jpg, jp2, tiff (fax), jb2; png for data that is lossless or not compressed. */
  readonly suffix: string;
}

/** Number of bytes of JPEG 2000 data in which the header is searched. */
const HEADER = 64 * 1024;
const SUFFIXES: Readonly<Record<string, string>> = {
  DCTDecode: 'jpg',
  DCT: 'jpg',
  JPXDecode: 'jp2',
  CCITTFaxDecode: 'tiff',
  CCF: 'tiff',
  JBIG2Decode: 'jb2',
};

/** Describes an image without decoding its samples. */
export function imageFacts(context: PDFContext, image: PDFRawStream): ImageFacts {
  const whole = (key: string): number | undefined => {
    const value = asNumber(context, entry(image.dict, key));
    return value === undefined ? undefined : Math.max(0, Math.trunc(value));
  };
  const stored = resolve(context, entry(image.dict, 'Filter'));
  const filter = asName(context, stored instanceof PDFArray ? stored.asArray().at(-1) : stored);
  const suffix = (filter === undefined ? undefined : SUFFIXES[filter]) ?? 'png';
  const isMask = resolve(context, entry(image.dict, 'ImageMask'))?.toString() === 'true';
  const implied = isMask || suffix === 'tiff' || suffix === 'jb2' ? 1 : 8;
  return {
    width: whole('Width') ?? 0,
    height: whole('Height') ?? 0,
    suffix,
    bitsPerComponent:
      whole('BitsPerComponent') ??
      (filter === 'JPXDecode' && stored instanceof PDFName ? jpxDepth(image.contents) : undefined) ??
      implied,
    colourSpace: isMask ? undefined : familyOf(context, entry(image.dict, 'ColorSpace')),
  };
}

/** Returns the family of a colour space (ISO 32000-1, table 62). */
function familyOf(context: PDFContext, value: PDFObject | undefined): string | undefined {
  const space = resolve(context, value);
  const name = space instanceof PDFArray ? resolve(context, space.asArray()[0]) : space;
  return name instanceof PDFName ? nameText(name) : undefined;
}

/** Returns the bit depth of the first component of JPEG 2000 data, from the SIZ marker (ISO 15444-1, A.5.1). */
function jpxDepth(data: Uint8Array): number | undefined {
  const bytes = Buffer.from(data.buffer, data.byteOffset, Math.min(data.length, HEADER));
  const at = bytes.indexOf('ff4fff51', 0, 'hex');
  const depth = at < 0 ? undefined : bytes[at + 42];
  return depth === undefined ? undefined : (depth & 0x7f) + 1;
}
