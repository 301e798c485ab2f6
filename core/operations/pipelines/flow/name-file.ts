import type { InvoiceTexts } from '../../runner/index.js';
import type { WireFile } from '../../workers/index.js';
import type { NamedFile, PerFile } from '../templates.js';

/** Reads the invoice of a file in a worker; rejects with INVOICE_NONE for a file that has none. */
export type InvoiceReader = (file: WireFile, signal: AbortSignal) => Promise<InvoiceTexts>;

/** Returns what these values need to know of a file; of none, where a step received no file. */
export type NameFile = (
  file: WireFile | undefined,
  values: readonly (Pick<PerFile<unknown>, 'needsInvoice'> | undefined)[],
  signal: AbortSignal,
) => Promise<NamedFile>;

/** Reads invoices only for values that need them, and each once in a run. */
export function fileNamer(read: InvoiceReader): NameFile {
  const known = new Map<string, Promise<InvoiceTexts>>();
  return async (file, values, signal) => {
    const name = file?.name ?? 'default';
    if (file === undefined || !values.some((value) => value?.needsInvoice === true)) return { name };
    let invoice = known.get(file.path);
    if (invoice === undefined) {
      invoice = read(file, signal);
      known.set(file.path, invoice);
      // A read that was cancelled with its branch says nothing about the file.
      invoice.catch(() => known.delete(file.path));
    }
    return { name, invoice: await invoice };
  };
}
