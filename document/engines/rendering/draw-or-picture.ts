import { DocumentError } from '../../errors.js';
import { editFile, withPdf } from '../../file/open/index.js';
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

export interface DrawOptions {
  readonly signal?: AbortSignal | undefined;
  /** The PDF that the program writes, if it writes one: it must have all pages of what was drawn. */
  readonly drawn?: string;
}

/**
 * Lets an external program draw the PDF `input`. When it fails on the document, or leaves out pages, it gets a copy at
 * `copy` on which PDFium drew each page as an image: it has the same pages, and nothing else of the document can harm
 * the program. Returns undefined when the copy was not needed. Rejects as `draw` does for `input`; PDF_DAMAGED where
 * pages are left out of the copy, too.
 */
export async function drawOrPicture(
  input: string,
  copy: string,
  draw: (input: string) => Promise<void>,
  { signal, drawn }: DrawOptions = {},
): Promise<ImagesInstead | undefined> {
  const drawAll = async (path: string): Promise<void> => {
    await draw(path);
    if (drawn !== undefined) await checkPages(path, drawn);
  };
  try {
    await drawAll(input);
    return undefined;
  } catch (error) {
    const { code, data } = error as { readonly code?: string; readonly data?: Readonly<Record<string, unknown>> };
    if (code !== FAILED && !(error instanceof PagesLeftOut)) throw error;
    try {
      await writePictures(input, copy, signal);
      await drawAll(copy);
    } catch {
      // The caller learns why the document itself could not be drawn, unless the time is over.
      signal?.throwIfAborted();
      throw error;
    }
    return { reason: String(data?.['detail']) };
  }
}

/** Ghostscript exits with 0 when it cannot find a page. */
class PagesLeftOut extends DocumentError {
  constructor(found: number, pages: number) {
    super('PDF_DAMAGED', { field: 'fileInput', detail: `it found ${found} of ${pages} pages` });
  }
}

async function checkPages(input: string, drawn: string): Promise<void> {
  const count = (path: string): Promise<number> => withPdf({ path }, {}, ({ pages }) => pages.length);
  const pages = await count(input);
  const found = await count(drawn).catch((error: unknown) => {
    if (error instanceof DocumentError) return 0;
    throw error;
  });
  if (found < pages) throw new PagesLeftOut(found, pages);
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
