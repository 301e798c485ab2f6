import { savePdf } from '@quire/document/open';
import { type PagesToPicturesOptions, pagesToPictures } from '@quire/document/render';

/** Gives a PDF in which every page is one picture of what it showed; see `pagesToPictures`. */
export async function pagesAsPictures(bytes: Uint8Array, options: PagesToPicturesOptions): Promise<Uint8Array> {
  return savePdf(await pagesToPictures(bytes, options));
}
