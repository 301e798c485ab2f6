import { createHash } from 'node:crypto';
import { withMemory } from '../../engines/pdfium/index.js';
import type { Picture } from '../model.js';
import type { PlacedPicture } from '../page-content.js';
import { boxThrough, joined, type PageFrame, type Six } from './frame.js';
import type { Scratch } from './scratch.js';

/** By the number of FPDF_COLORSPACE_*. */
const COLOURS = [
  '',
  'DeviceGray',
  'DeviceRGB',
  'DeviceCMYK',
  'CalGray',
  'CalRGB',
  'Lab',
  'ICCBased',
  'Separation',
  'DeviceN',
  'Indexed',
  'Pattern',
];
const FORMATS: Readonly<Record<string, Picture['format']>> = {
  DCTDecode: 'jpeg',
  JPXDecode: 'jpeg2000',
  JBIG2Decode: 'jbig2',
  CCITTFaxDecode: 'ccitt',
};
/** Data that is hashed, so that equal pictures are known. */
const MAX_HASHED = 8 * 1024 * 1024;

/**
 * Reads where an image of a page stands and what it is; undefined for one that is not on the page. `outer` leads from
 * its container to the page as shown.
 */
export function readPicture(
  scratch: Scratch,
  page: number,
  number: number,
  object: number,
  index: number,
  outer: Six,
  frame: PageFrame,
): PlacedPicture | undefined {
  const { pdfium, at } = scratch;
  if (!pdfium.FPDFPageObj_GetMatrix(object, at)) return undefined;
  const matrix = joined([...scratch.floats.subarray(0, 6)] as unknown as Six, outer);
  const box = frame.seen(boxThrough(matrix, 0, 0, 1, 1));
  if (box === undefined) return undefined;
  // FPDF_IMAGEOBJ_METADATA: width, height, two resolutions, bits of a pixel, colour space, marked content id.
  const known = pdfium.FPDFImageObj_GetImageMetadata(object, page, at);
  const [width = 0, height = 0, , , bits = 0, colour = 0, mcid = -1] = known ? scratch.words : [];
  const filters = pdfium.FPDFImageObj_GetImageFilterCount(object);
  const filter =
    filters > 0
      ? scratch.text((target, size) => pdfium.FPDFImageObj_GetImageFilter(object, filters - 1, target, size), 'utf-8')
      : '';
  const [a, b, c, d] = matrix;
  const [wide, high] = [Math.hypot(a, b), Math.hypot(c, d)];
  const dpi = wide > 0 && high > 0 ? Math.round(Math.min((width * 72) / wide, (height * 72) / high)) : 0;
  return {
    picture: {
      source: 'image',
      page: number,
      box,
      index,
      key: keyOf(scratch, object),
      width,
      height,
      dpi,
      format: FORMATS[filter] ?? 'raw',
      colour: COLOURS[colour] ?? '',
      bits,
    },
    mcid,
  };
}

/** The same for equal data. */
function keyOf({ pdfium }: Scratch, object: number): string | undefined {
  const length = pdfium.FPDFImageObj_GetImageDataRaw(object, 0, 0);
  if (length <= 0 || length > MAX_HASHED) return undefined;
  return withMemory(pdfium, length, (at) => {
    const written = pdfium.FPDFImageObj_GetImageDataRaw(object, at, length);
    return createHash('sha256')
      .update(pdfium.pdfium.HEAPU8.subarray(at, at + Math.min(length, written)))
      .digest('hex')
      .slice(0, 24);
  });
}
