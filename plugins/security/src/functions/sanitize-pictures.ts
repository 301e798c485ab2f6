import { asName, dictOf, entry, nameText, resolve } from '@quire/document/file/objects';
import { dictOfHolder, everyObject } from '@quire/document/file/objects';
import { decodeFront } from '@quire/document/file/reader';
import { PDFArray, type PDFContext, PDFName, PDFNumber, PDFRawStream, type PDFRef } from 'pdf-lib';

/** Which metadata to remove from images: XMP, or the rest (Exif with location and camera, IPTC, comments). */
export interface PictureFacts {
  readonly xmp: boolean;
  readonly info: boolean;
}

const XMP = ['http://ns.adobe.com/xap/1.0/\0', 'http://ns.adobe.com/xmp/extension/\0'] as const;
/** Segments of a JPEG (ITU-T T.81, table B.1): start of scan, Exif and XMP, IPTC, comment. */
const [START_OF_SCAN, APP1, APP13, COMMENT] = [0xda, 0xe1, 0xed, 0xfe] as const;

/**
 * Removes metadata from JPEG images, in place, without recompressing them. Returns the number of images with metadata.
 */
export function dropPictureFacts(context: PDFContext, facts: PictureFacts): number {
  const bare = new Map<PDFRawStream, PDFRef | undefined>();
  for (const holder of everyObject(context)) {
    if (holder instanceof PDFArray) continue;
    for (const [key, value] of dictOfHolder(holder).entries()) {
      const picture = resolve(context, value);
      if (!(picture instanceof PDFRawStream) || asName(context, entry(picture.dict, 'Subtype')) !== 'Image') continue;
      if (!bare.has(picture)) bare.set(picture, withoutFacts(context, picture, facts));
      dictOfHolder(holder).set(key, bare.get(picture) ?? value);
    }
  }
  return [...bare.values()].filter((ref) => ref !== undefined).length;
}

/** The image without its metadata, or undefined if it has none. */
function withoutFacts(context: PDFContext, picture: PDFRawStream, facts: PictureFacts): PDFRef | undefined {
  const filters = resolve(context, entry(picture.dict, 'Filter'));
  const names =
    filters instanceof PDFArray ? filters.asArray().map((one) => asName(context, one)) : [asName(context, filters)];
  if (!names.includes('DCTDecode')) return undefined;
  let jpeg: Uint8Array | undefined;
  try {
    const front = decodeFront(picture, (value) => resolve(context, value));
    jpeg = front?.left.length === 1 ? front.data : undefined;
  } catch {
    // Beyond the inflation limits, so its content is unknown.
  }
  const kept = jpeg === undefined ? undefined : keptSegments(jpeg, facts);
  if (kept === undefined) return undefined;
  const entries = picture.dict
    .entries()
    .filter(([key]) => !['Filter', 'DecodeParms', 'Length'].includes(nameText(key)));
  const dict = dictOf(context, {
    ...Object.fromEntries(entries.map(([key, value]) => [nameText(key), value])),
    Filter: PDFName.of('DCTDecode'),
    Length: PDFNumber.of(kept.length),
  });
  const parameters = resolve(context, entry(picture.dict, 'DecodeParms'));
  const own = parameters instanceof PDFArray ? parameters.asArray()[names.indexOf('DCTDecode')] : parameters;
  if (own !== undefined && resolve(context, own) !== undefined) dict.set(PDFName.of('DecodeParms'), own);
  return context.register(PDFRawStream.of(dict, kept));
}

/** A JPEG without metadata segments; undefined if it has none or is not a JPEG. */
function keptSegments(jpeg: Uint8Array, facts: PictureFacts): Uint8Array | undefined {
  const bytes = Buffer.from(jpeg.buffer, jpeg.byteOffset, jpeg.length);
  const kept = [bytes.subarray(0, 2)];
  let at = 2;
  while (at + 4 <= bytes.length && bytes[at] === 0xff && bytes[at + 1] !== START_OF_SCAN) {
    const marker = bytes[at + 1] ?? 0;
    const end = marker === 0xff ? at + 1 : at + 2 + bytes.readUInt16BE(at + 2);
    if (end > bytes.length) return undefined;
    if (!tells(marker, bytes.subarray(at + 4, end), facts)) kept.push(bytes.subarray(at, end));
    at = end;
  }
  kept.push(bytes.subarray(at));
  const whole = Buffer.concat(kept);
  return whole.length < bytes.length ? whole : undefined;
}

function tells(marker: number, data: Buffer, { xmp, info }: PictureFacts): boolean {
  if (marker === APP1)
    return XMP.some((mark) => data.subarray(0, mark.length).toString('latin1') === mark) ? xmp : info;
  return info && (marker === APP13 || marker === COMMENT);
}
