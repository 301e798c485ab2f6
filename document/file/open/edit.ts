import { type OpenedPdf, type OpenOptions, withPdf } from './open-pdf.js';
import { guardDocument } from './guard.js';
import { pdfBytes, type WriteOptions, writePdf } from './save-pdf.js';

/** Changes an opened document in memory. */
export type Edit<T> = (opened: OpenedPdf) => T | Promise<T>;

/**
 * Opens a file, lets `edit` change the document in memory, and writes it into a new file at `target`, as `writePdf`
 * does. Gives what `edit` gives. Errors: those of `openPdf`, and what `edit` throws; PDF_DAMAGED for what an odd object
 * graph makes either stumble over.
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
