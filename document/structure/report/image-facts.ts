import { PDFArray, type PDFContext, PDFName, type PDFObject, type PDFRawStream } from 'pdf-lib';
import { asName, asNumber, entry, nameText, resolve } from '../../file/objects/index.js';

/** An image XObject (ISO 32000-1, 8.9.5) as its dictionary and the header of its data have it. */
export interface ImageFacts {
  readonly width: number;
  readonly height: number;
  readonly bitsPerComponent: number;
  /**
   * Name of the colour space's family: DeviceRGB, ICCBased …; undefined for a mask, and where JPEG 2000 data say it.
   */
  readonly colourSpace: string | undefined;
  /**
   * Extension of a file with such data: jpg, jp2, tiff (fax), jb2; png for whatever is packed without loss or not at
   * all.
   */
  readonly suffix: string;
}

/** Bytes of JPEG 2000 data in which the header is looked for. */
const HEADER = 64 * 1024;
const SUFFIXES: Readonly<Record<string, string>> = {
  DCTDecode: 'jpg',
  DCT: 'jpg',
  JPXDecode: 'jp2',
  CCITTFaxDecode: 'tiff',
  CCF: 'tiff',
  JBIG2Decode: 'jb2',
};

/** Tells what an image is; its samples are not decoded. */
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

/** Gives the family of a colour space (ISO 32000-1, table 62). */
function familyOf(context: PDFContext, value: PDFObject | undefined): string | undefined {
  const space = resolve(context, value);
  const name = space instanceof PDFArray ? resolve(context, space.asArray()[0]) : space;
  return name instanceof PDFName ? nameText(name) : undefined;
}

/** Bits of the first component of JPEG 2000 data: behind the marker SIZ (ISO 15444-1, A.5.1). */
function jpxDepth(data: Uint8Array): number | undefined {
  const bytes = Buffer.from(data.buffer, data.byteOffset, Math.min(data.length, HEADER));
  const at = bytes.indexOf('ff4fff51', 0, 'hex');
  const depth = at < 0 ? undefined : bytes[at + 42];
  return depth === undefined ? undefined : (depth & 0x7f) + 1;
}
