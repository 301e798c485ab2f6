import { type OpenedPdf, type OpenOptions, withPdf } from './open-pdf.js';
import { guardDocument } from './guard.js';
import { pdfBytes, type WriteOptions, writePdf } from './save-pdf.js';

/** A change to an opened document, made in memory. */
export type Edit<T> = (opened: OpenedPdf) => T | Promise<T>;

/**
 * Opens a file, lets `edit` change the document in memory, and writes the result to a new file at `target`, as
 * `writePdf` does. Returns the return value of `edit`. Throws the errors of `openPdf` and of `edit`; PDF_DAMAGED where
 * a malformed object graph breaks either of them.
 */
export async function editFile<T>(
  source: string,
  target: string,
  options: OpenOptions & WriteOptions,
  edit: Edit<T>,
): Promise<T> {
  return withPdf({ path: source }, options, (opened) =>
    guardDocument(options.field ?? 'fileInput', async () => {
      const result = await edit(opened);
      writePdf(opened, target, options);
      return result;
    }),
  );
}

/** The same in memory, for scripts and small documents. */
export async function editBytes(
  bytes: Uint8Array,
  options: OpenOptions & WriteOptions,
  edit: Edit<unknown>,
): Promise<Uint8Array> {
  return withPdf(bytes, options, (opened) =>
    guardDocument(options.field ?? 'fileInput', async () => {
      await edit(opened);
      return pdfBytes(opened, options);
    }),
  );
}
