import { editFile } from '../../file/open/index.js';
import { fittingDpi, pixelSize } from './limits.js';
import { picturePages } from './picture-pages.js';
import { PictureStore } from './picture-store.js';

/** Resolution of the images, as far as the pixel limits allow: text stays sharp when it is printed. */
const DPI = 300;
const FAILED = 'DOCUMENT_UNPROCESSABLE';

/** How a program's failure on a document was avoided. */
export interface ImagesInstead {
  /** Why the program failed: `it crashed (signal 11, SIGSEGV)`. */
  readonly reason: string;
}

/**
 * Lets an external program draw the PDF `input`. When it fails on the document, it gets a copy at `copy` on which
 * PDFium drew each page as an image: it has the same pages, and nothing else of the document can harm the program.
 * Returns undefined when the copy was not needed. Rejects as `draw` does for `input`.
 */
export async function drawOrPicture(
  input: string,
  copy: string,
  draw: (input: string) => Promise<void>,
  signal?: AbortSignal,
): Promise<ImagesInstead | undefined> {
  try {
    await draw(input);
    return undefined;
  } catch (error) {
    const { code, data } = error as { readonly code?: string; readonly data?: Readonly<Record<string, unknown>> };
    if (code !== FAILED) throw error;
    try {
      await writePictures(input, copy, signal);
      await draw(copy);
    } catch {
      // The caller learns why the document itself could not be drawn, unless the time is over.
      signal?.throwIfAborted();
      throw error;
    }
    return { reason: String(data?.['detail']) };
  }
}

async function writePictures(input: string, copy: string, signal: AbortSignal | undefined): Promise<void> {
  const store = new PictureStore(`${copy}.images`);
  await editFile(input, copy, { mode: 'rewrite', stamp: false }, (opened) =>
    picturePages(opened, {
      store,
      sizes: (pages) => {
        const dpi = fittingDpi(pages, DPI);
        return pages.map((page) => pixelSize(page, dpi));
      },
      ...(signal === undefined ? {} : { signal }),
    }),
  );
}
