import { type PDFContext, PDFName, PDFNumber, type PDFRawStream, PDFBool } from 'pdf-lib';
import { encodeG4, type PageImage } from '../../images/index.js';
import { dictOf } from '../../file/objects/index.js';
import type { PictureStore } from '../../engines/rendering/index.js';
import type { Samples } from './grey-picture.js';

/**
 * A document whose pages become pictures takes at most so many times what its images took, and so much more for each
 * page.
 */
const MOST_GROWTH = 1.5;
const PAGE_BYTES = 100 * 1024;
/** Of what a page may take, pictures get this part; the rest is for text and structure. */
const PICTURE_SHARE = 0.85;
/** JPEG qualities in the order in which they are tried, then sizes at the last of them. */
const QUALITIES = [85, 75, 65, 50] as const;
const SIZES = [0.75, 0.5, 0.35, 0.25] as const;
/** A page is drawn in black and white when no more than this part of it is grey, which edges of letters are. */
const MOST_GREY = 0.08;
const [BLACK_BELOW, WHITE_ABOVE, HALF] = [64, 208, 140];

/**
 * How many bytes a page's picture may take, by what the document had: the bytes of images that show up on the page for
 * the first time.
 */
export function pictureBytes(images: Iterable<PageImage>, pages: number): number[] {
  const own = new Array<number>(pages).fill(0);
  for (const { page, stream } of images) own[page] = (own[page] ?? 0) + stream.contents.length;
  return own.map((bytes) => Math.floor((bytes * MOST_GROWTH + PAGE_BYTES) * PICTURE_SHARE));
}

/**
 * Codes a page's picture in at most so many bytes: in black and white where it is nothing else, else as JPEG as good as
 * fits.
 */
export async function pagePicture(
  context: PDFContext,
  picture: Samples,
  most: number,
  store: PictureStore,
): Promise<PDFRawStream> {
  const { width, height, channels } = picture;
  const image = { Type: PDFName.of('XObject'), Subtype: PDFName.of('Image') };
  const number = (value: number): PDFNumber => PDFNumber.of(value);
  const facsimile = channels === 1 && isLineArt(picture) ? encodeG4(bitsOf(picture), width, height) : undefined;
  if (facsimile !== undefined && facsimile.length <= most) {
    return store.add(
      dictOf(context, {
        ...image,
        Width: number(width),
        Height: number(height),
        BitsPerComponent: number(1),
        ColorSpace: PDFName.of('DeviceGray'),
        Filter: PDFName.of('CCITTFaxDecode'),
        DecodeParms: dictOf(context, {
          K: number(-1),
          Columns: number(width),
          Rows: number(height),
          BlackIs1: PDFBool.False,
        }),
      }),
      facsimile,
    );
  }
  const { jpeg, size } = await fittingJpeg(picture, most);
  return store.add(
    dictOf(context, {
      ...image,
      Width: number(size.width),
      Height: number(size.height),
      BitsPerComponent: number(8),
      ColorSpace: PDFName.of(channels === 1 ? 'DeviceGray' : 'DeviceRGB'),
      Filter: PDFName.of('DCTDecode'),
    }),
    jpeg,
  );
}

async function fittingJpeg({ width, height, channels, data }: Samples, most: number) {
  const { default: sharp } = await import('sharp');
  const code = async (quality: number, scale: number) => {
    let image = sharp(data, { raw: { width, height, channels }, limitInputPixels: false });
    if (channels === 1) image = image.toColourspace('b-w');
    const size = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
    if (scale < 1) image = image.resize(size.width, size.height, { fit: 'fill' });
    return { jpeg: await image.jpeg({ quality, mozjpeg: false }).toBuffer(), size };
  };
  for (const quality of QUALITIES) {
    const coded = await code(quality, 1);
    if (coded.jpeg.length <= most) return coded;
  }
  for (const scale of SIZES) {
    const coded = await code(QUALITIES[3], scale);
    if (coded.jpeg.length <= most || scale === SIZES[3]) return coded;
  }
  return code(QUALITIES[3], SIZES[3]);
}

/** True for a picture of black on white. */
function isLineArt({ data }: Samples): boolean {
  let grey = 0;
  for (let at = 0; at < data.length; at++) if (data[at]! > BLACK_BELOW && data[at]! < WHITE_ABOVE) grey++;
  return grey <= data.length * MOST_GREY;
}

/** One bit a pixel, 1 for black, each row in whole bytes. */
function bitsOf({ width, height, data }: Samples): Uint8Array {
  const row = Math.ceil(width / 8);
  const bits = new Uint8Array(row * height);
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++) if (data[at]! < HALF) bits[y * row + (x >> 3)]! |= 0x80 >> (x & 7);
  return bits;
}
