import { createHash } from 'node:crypto';
import type { PDFContext, PDFRawStream } from 'pdf-lib';
import {
  boxAround,
  type ContentColour,
  type ContentReader,
  multiply,
  type PaintedImage,
  type PaintedInlineImage,
  quadOf,
} from '../../index.js';
import {
  decodeImage,
  embeddedSize,
  encodePixels,
  inlineImage,
  MAX_EMBEDDED_PIXELS,
  type Pixels,
  readJpegHeader,
} from '../../../images/index.js';
import { asName, elements, entry, resolve } from '../../../file/objects/index.js';
import type { ImageElement } from '../model.js';
import { type PageSpace, rounded, roundedMatrix } from '../page-space.js';

/** An image as the editor has it, and where it comes from. */
export interface ReadImage {
  readonly element: ImageElement;
  readonly painted: PaintedImage | PaintedInlineImage;
  readonly stream: PDFRawStream;
}

export interface PictureData {
  readonly imageData: string;
  readonly imageFormat: 'png' | 'jpeg';
}

/** Pictures are kept, since they may be drawn again: at most so many characters of them, but always the last one. */
const KEPT_LENGTH = 48 * 1024 * 1024;
/** Colour spaces that are the same in a picture file. */
const PLAIN_SPACES: ReadonlySet<string> = new Set(['DeviceGray', 'DeviceRGB', 'CalGray', 'CalRGB', 'ICCBased']);

/** Exports an image without its data. Elements start at the lower left corner of their bounding box. */
export function tellImage(
  reader: ContentReader,
  painted: PaintedImage | PaintedInlineImage,
  space: PageSpace,
  zOrder: number,
): ReadImage {
  const { context } = reader;
  const stream =
    'stream' in painted
      ? painted.stream
      : inlineImage(context, painted.frame.bytes, painted.image, painted.frame.resources);
  const transform = multiply(painted.state.ctm, space.shown);
  const [left, bottom, right, top] = boxAround(quadOf(transform, [0, 0, 1, 1])).map((side) => rounded(side)) as [
    number,
    number,
    number,
    number,
  ];
  const { width, height } = embeddedSize(context, stream);
  const element: ImageElement = {
    id: `image-${zOrder}`,
    ...('name' in painted ? { objectName: painted.name } : { inlineImage: true }),
    nativeWidth: width,
    nativeHeight: height,
    x: left,
    y: bottom,
    width: rounded(right - left),
    height: rounded(top - bottom),
    left,
    right,
    top,
    bottom,
    transform: roundedMatrix(transform),
    zOrder,
  };
  return { element, painted, stream };
}

/** By this in its `id` a picture that nobody changed is known. */
export function digestOf(imageData: string): string {
  return createHash('sha256').update(imageData).digest('hex').slice(0, 16);
}

/** Exports image data: JPEG unchanged if browsers show it the same, otherwise as PNG. */
export class PictureTeller {
  readonly #kept = new Map<PDFRawStream, PictureData>();
  #length = 0;

  constructor(private readonly context: PDFContext) {}

  /** The picture of an image as it is drawn; undefined for one that cannot be decoded or is too large to be. */
  async picture({ stream, painted }: ReadImage): Promise<PictureData | undefined> {
    const known = this.#kept.get(stream);
    if (known !== undefined) return known;
    const made = this.#jpeg(stream) ?? (await this.#png(stream, painted.state.fill));
    // A stencil's colour is that of each place.
    if (made === undefined || this.#isStencil(stream)) return made;
    if (this.#length + made.imageData.length > KEPT_LENGTH) {
      this.#kept.clear();
      this.#length = 0;
    }
    this.#kept.set(stream, made);
    this.#length += made.imageData.length;
    return made;
  }

  #jpeg({ dict, contents }: PDFRawStream): PictureData | undefined {
    const { context } = this;
    const filter =
      asName(context, entry(dict, 'Filter')) ??
      (elements(context, entry(dict, 'Filter')).length === 1
        ? asName(context, elements(context, entry(dict, 'Filter'))[0])
        : undefined);
    const space = resolve(context, entry(dict, 'ColorSpace'));
    const family = asName(context, space) ?? asName(context, elements(context, space)[0]) ?? '';
    if (
      filter !== 'DCTDecode' ||
      !PLAIN_SPACES.has(family) ||
      ['SMask', 'Mask', 'Decode', 'DecodeParms'].some((key) => resolve(context, entry(dict, key)) !== undefined)
    )
      return undefined;
    const header = readJpegHeader(contents);
    return header === undefined || header.components === 4
      ? undefined
      : { imageData: Buffer.from(contents).toString('base64'), imageFormat: 'jpeg' };
  }

  async #png(stream: PDFRawStream, fill: ContentColour): Promise<PictureData | undefined> {
    const { width, height } = embeddedSize(this.context, stream);
    if (width < 1 || height < 1 || width * height > MAX_EMBEDDED_PIXELS) return undefined;
    const decoded = await decodeImage(this.context, stream);
    if (decoded === undefined) return undefined;
    const pixels = this.#isStencil(stream) ? inColour(decoded, fill) : decoded;
    return {
      imageData: Buffer.from(await encodePixels(pixels, 'png', 'fileInput')).toString('base64'),
      imageFormat: 'png',
    };
  }

  #isStencil({ dict }: PDFRawStream): boolean {
    return resolve(this.context, entry(dict, 'ImageMask'))?.toString() === 'true';
  }
}

/**
 * The painted area of an image mask in its colour (black for colours that no device space has) on transparent
 * background.
 */
function inColour({ width, height, channels, data }: Pixels, { space, values }: ContentColour): Pixels {
  const [first = 0, second = 0, third = 0, fourth = 0] = values;
  const colour =
    space === 'DeviceRGB'
      ? [first, second, third]
      : space === 'DeviceCMYK'
        ? [first, second, third].map((ink) => (1 - ink) * (1 - fourth))
        : space === 'DeviceGray'
          ? [first, first, first]
          : [0, 0, 0];
  const [red, green, blue] = colour.map((part) => Math.round(Math.min(1, Math.max(0, part)) * 255)) as [
    number,
    number,
    number,
  ];
  const out = new Uint8Array(width * height * 4);
  for (let i = 0, from = 0, to = 0; i < width * height; i++, from += channels, to += 4) {
    out[to] = red;
    out[to + 1] = green;
    out[to + 2] = blue;
    out[to + 3] = 255 - data[from]!;
  }
  return { width, height, channels: 4, data: out };
}
