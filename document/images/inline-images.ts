import {
  PDFArray,
  PDFBool,
  type PDFContext,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
} from 'pdf-lib';
import {
  type ContentDict,
  ContentLexer,
  ContentName,
  imageColourSpace,
  imageEntry,
  imageFilters,
  type InlineImage,
  type Operand,
} from '../content/index.js';
import { arrayOf, asDict, dictOf, entry } from '../file/objects/index.js';

/** Long names of the base spaces of indexed ones (ISO 32000-1, table 94). */
const spaces: Readonly<Record<string, string>> = {
  G: 'DeviceGray',
  RGB: 'DeviceRGB',
  CMYK: 'DeviceCMYK',
  I: 'Indexed',
};
const plainKeys = ['Width', 'Height', 'BitsPerComponent', 'ImageMask', 'Decode', 'DecodeParms'] as const;

/** Yields the inline images of decoded content (ISO 32000-1, 8.9.7) as unregistered image XObjects. */
export function* inlineImages(
  context: PDFContext,
  content: Uint8Array,
  resources: PDFDict | undefined,
): Generator<PDFRawStream> {
  // Skips the lexer where the operator does not occur at all.
  if (Buffer.from(content.buffer, content.byteOffset, content.length).indexOf('BI') < 0) return;
  for (const { image } of new ContentLexer(content)) {
    if (image !== undefined) yield inlineImage(context, content, image, resources);
  }
}

/** Returns the image of one `BI` operator. */
export function inlineImage(
  context: PDFContext,
  content: Uint8Array,
  { dict, dataStart, dataEnd }: InlineImage,
  resources: PDFDict | undefined,
): PDFRawStream {
  return PDFRawStream.of(longDict(context, dict, resources), content.subarray(dataStart, dataEnd));
}

function longDict(context: PDFContext, dict: ContentDict, resources: PDFDict | undefined): PDFDict {
  const plain = plainKeys.map((key) => [key, objectOf(context, imageEntry(dict, key))] as const);
  const filters = imageFilters(dict).map((name) => PDFName.of(name));
  return dictOf(context, {
    Type: PDFName.of('XObject'),
    Subtype: PDFName.of('Image'),
    ...Object.fromEntries(plain),
    ...(filters.length === 0
      ? {}
      : {
          Filter: arrayOf(context, filters),
          DecodeParms: listed(context, objectOf(context, imageEntry(dict, 'DecodeParms'))),
        }),
    ColorSpace: colourSpace(context, dict, resources),
  });
}

/** Parameters as an array, as the filters are one. */
function listed(context: PDFContext, parms: PDFObject | undefined): PDFObject | undefined {
  return parms instanceof PDFDict ? arrayOf(context, [parms]) : parms;
}

/** Other than device spaces are named in the resources. */
function colourSpace(context: PDFContext, dict: ContentDict, resources: PDFDict | undefined): PDFObject | undefined {
  const value = imageEntry(dict, 'ColorSpace');
  const name = imageColourSpace(dict);
  if (value === undefined || name === undefined) return undefined;
  if (value instanceof ContentName) {
    const named = asDict(context, resources && entry(resources, 'ColorSpace'));
    return (named && entry(named, value.text)) ?? PDFName.of(name);
  }
  const list = objectOf(context, value);
  if (!(list instanceof PDFArray)) return PDFName.of(name);
  return arrayOf(
    context,
    list
      .asArray()
      .map((item) => (item instanceof PDFName ? PDFName.of(spaces[item.decodeText()] ?? item.decodeText()) : item)),
  );
}

function objectOf(context: PDFContext, value: Operand | undefined): PDFObject | undefined {
  if (typeof value === 'number') return PDFNumber.of(value);
  if (typeof value === 'boolean') return value ? PDFBool.True : PDFBool.False;
  if (value instanceof ContentName) return PDFName.of(value.text);
  if (value instanceof Uint8Array) return PDFHexString.of(Buffer.from(value).toString('hex'));
  if (Array.isArray(value))
    return arrayOf(
      context,
      (value as readonly Operand[]).flatMap((item) => objectOf(context, item) ?? []),
    );
  if (value instanceof Map)
    return dictOf(
      context,
      Object.fromEntries([...(value as ContentDict)].map(([key, item]) => [key, objectOf(context, item)])),
    );
  return undefined;
}
