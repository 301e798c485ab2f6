import {
  decodeImage,
  encodePixels,
  embeddedSize,
  listImages,
  type PageImage,
  type PixelFormat,
} from '@quire/document/images';
import { guardDocument, withPdf } from '@quire/document/file/open';
import { breathe, MAX_JOB_PIXELS } from '@quire/document/engines/rendering';
import { InputError } from '@quire/registry/errors';

export interface ExtractImagesOptions {
  readonly format: PixelFormat;
  readonly signal?: AbortSignal;
  /** Counts pages. */
  readonly progress?: (done: number, total: number) => void;
  /** Called with each image file, its page and its number on the page, both from 1. */
  readonly emit: (picture: Uint8Array, page: number, n: number) => Promise<void>;
}

export interface ExtractedImages {
  readonly images: number;
  readonly unreadable: number;
}

/**
 * Extracts the images of a PDF at their own size, each once, one at a time in memory (`docs/interface/misc.yml`,
 * extract-images): images of the page's own resources first, then those of its forms, then inline images. Images that
 * cannot be decoded are counted and skipped. Throws the errors of `openPdf`, IMAGE_TOO_LARGE for one image or all
 * together, INPUT_TOO_COMPLEX, and INPUT_INVALID if the format cannot hold an image's size.
 */
export async function extractImages(
  source: string,
  { format, signal, progress, emit }: ExtractImagesOptions,
): Promise<ExtractedImages> {
  return withPdf({ path: source }, {}, async ({ document: { context }, pages }) => {
    let [images, unreadable, pixels, onPage, last] = [0, 0, 0, 0, -1];
    const found = listImages(context, pages);
    const next = (): Promise<IteratorResult<PageImage>> => guardDocument('fileInput', () => found.next());
    for (let item = await next(); item.done !== true; item = await next()) {
      await breathe(signal);
      const { page, stream } = item.value;
      const { width, height } = embeddedSize(context, stream);
      pixels += width * height;
      if (pixels > MAX_JOB_PIXELS) throw new InputError('IMAGE_TOO_LARGE', { found: pixels, limit: MAX_JOB_PIXELS });
      if (page !== last) [onPage, last] = [0, page];
      const decoded = await guardDocument('fileInput', () => decodeImage(context, stream));
      if (decoded === undefined) unreadable++;
      else {
        images++;
        await emit(await encodePixels(decoded, format, 'format'), page + 1, ++onPage);
      }
      progress?.(page, pages.length);
    }
    return { images, unreadable };
  });
}
