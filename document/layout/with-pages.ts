import { withPdf } from '../file/open/index.js';
import { eachPage, userUnit } from '../structure/pages/index.js';
import { documentTitle } from '../structure/metadata/index.js';
import type { PdfiumDocument } from '../engines/pdfium/index.js';
import { type PdfInput, withSource } from '../file/source/index.js';
import { readPdf } from '../content/text/index.js';
import { PageReader } from './read/page-reader.js';

export interface OpenPages {
  readonly document: PdfiumDocument;
  readonly reader: PageReader;
  /** Pages that can be read. */
  readonly pageCount: number;
  readonly title: string | undefined;
  /** User units by page (0-based), where they are not 1. */
  readonly units: ReadonlyMap<number, number>;
  /** Its file, if it is in one. */
  readonly path: string | undefined;
}

/**
 * Opens a PDF for reading what its pages show: `reader.read(index)` gives the content of a page (0-based).
 * Errors: PDF_DAMAGED, PDF_NO_PAGES, PDF_ENCRYPTED, PDF_ENCRYPTION_UNSUPPORTED.
 */
export async function withPages<T>(input: PdfInput, fn: (pages: OpenPages) => T | Promise<T>): Promise<T> {
  return withSource(input, async (source) => {
    const { title, units } = await facts(source);
    return readPdf(source, (document) =>
      fn({
        document,
        reader: new PageReader(document, (index) => units.get(index) ?? 1),
        pageCount: document.reachablePages(),
        title,
        units,
        path: 'path' in input ? input.path : undefined,
      }),
    );
  });
}

/** The title, and the user units that are not 1; nothing of a document that only PDFium can read. */
async function facts(
  source: PdfInput,
): Promise<{ readonly title: string | undefined; readonly units: ReadonlyMap<number, number> }> {
  const units = new Map<number, number>();
  try {
    return await withPdf(source, { repair: false }, ({ document: { context } }) => {
      let index = 0;
      for (const page of eachPage(context)) {
        const unit = userUnit(context, page);
        if (unit !== 1) units.set(index, unit);
        index++;
      }
      const title = documentTitle(context);
      return { title, units };
    });
  } catch {
    return { title: undefined, units };
  }
}
