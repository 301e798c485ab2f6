import { type PDFContext, PDFRawStream } from 'pdf-lib';
import { asDict, asName, elements, entry, resolve } from '../file/objects/index.js';
import { type PageEntry, pageAttribute } from '../structure/pages/index.js';
import { embeddedSize } from './decode-image.js';

/** An image XObject by what another reader of the file also knows about it. */
export interface StoredImage {
  readonly width: number;
  readonly height: number;
  /** Bytes as stored. */
  readonly length: number;
}

/** Entries that change how a JPEG is shown. */
const CHANGES = ['Decode', 'DecodeParms', 'DP', 'F', 'FFilter', 'ImageMask', 'Mask', 'OC', 'SMask', 'SMaskInData'];
const COLOURS: ReadonlySet<string | undefined> = new Set(['DeviceGray', 'DeviceRGB']);

/**
 * Returns the images in a page's own resources that are a JPEG in grey or RGB and nothing else: any JPEG decoder shows
 * the same as a PDF reader. An image that another one resembles in all that `StoredImage` says is left out.
 */
export function plainJpegs(context: PDFContext, page: PageEntry): StoredImage[] {
  const resources = asDict(context, pageAttribute(page, 'Resources'));
  const defaults = asDict(context, resources && entry(resources, 'ColorSpace'));
  if (['DefaultGray', 'DefaultRGB'].some((key) => defaults !== undefined && entry(defaults, key) !== undefined))
    return [];
  const images: (StoredImage & { readonly plain: boolean })[] = [];
  for (const [, value] of asDict(context, resources && entry(resources, 'XObject'))?.entries() ?? []) {
    const image = resolve(context, value);
    if (image instanceof PDFRawStream && asName(context, entry(image.dict, 'Subtype')) === 'Image')
      images.push({
        ...embeddedSize(context, image),
        length: image.contents.length,
        plain: isPlain(context, image),
      });
  }
  return images.filter((image) => image.plain && images.every((other) => other.plain || !same(image, other)));
}

const same = (a: StoredImage, b: StoredImage): boolean =>
  a.width === b.width && a.height === b.height && a.length === b.length;

function isPlain(context: PDFContext, { dict }: PDFRawStream): boolean {
  const filter = resolve(context, entry(dict, 'Filter'));
  const filters = elements(context, filter);
  const only = asName(context, filter) ?? (filters.length === 1 ? asName(context, filters[0]) : undefined);
  return (
    only === 'DCTDecode' &&
    COLOURS.has(asName(context, entry(dict, 'ColorSpace'))) &&
    CHANGES.every((key) => entry(dict, key) === undefined)
  );
}
