import { savePdf } from '@quire/document/open';
import { type PagesToPicturesOptions, pagesToPictures } from '@quire/document/render';

/** Gives a PDF in which every page is one picture of what the file at this path showed; see `pagesToPictures`. */
export async function pagesAsPictures(path: string, options: PagesToPicturesOptions): Promise<Uint8Array> {
  return savePdf(await pagesToPictures({ path }, options));
}
