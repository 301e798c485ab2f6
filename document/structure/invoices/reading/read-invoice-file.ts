import { readFile } from 'node:fs/promises';
import { DocumentError } from '../../../errors.js';
import { isReadable, recogniseRoot } from '../../../invoices/recognition/index.js';
import { InvoiceXmlError, readInvoice, type ReadInvoice } from '../../../invoices/syntaxes/index.js';
import { type EmbeddedInvoice, findInvoicesIn, type HybridFacts } from '../find-invoices.js';

/** The XML of an invoice, and the PDF around it if there is one. */
export interface InvoiceFile {
  readonly bytes: Uint8Array;
  /** Present for PDFs; the invoice is the first of its `invoices`. */
  readonly hybrid?: HybridFacts;
}

const faults: Readonly<Record<NonNullable<EmbeddedInvoice['fault']>, string>> = {
  unreadable: 'its data is damaged',
  'too large': 'it inflates beyond the limits of the server',
  'no invoice': 'it is not the XML of an invoice',
};

/**
 * Returns the XML of the invoice that a PDF carries, or that a file is. Throws INVOICE_NONE where there is none (also
 * for orders and FatturaPA), INVOICE_UNREADABLE for an attachment that only has the name of one, and the errors of
 * `withPdf`.
 */
export async function findInvoiceXml(path: string, kind: string, field = 'fileInput'): Promise<InvoiceFile> {
  if (kind !== 'pdf') {
    const bytes = await readFile(path);
    const { kind: found } = recogniseRoot(bytes);
    if (isReadable(found)) return { bytes };
    throw new DocumentError('INVOICE_NONE', { field, detail: `its root element is not that of an invoice (${found})` });
  }
  const hybrid = await findInvoicesIn({ path });
  const [invoice] = hybrid.invoices;
  if (invoice === undefined)
    throw new DocumentError('INVOICE_NONE', { field, detail: 'no embedded file is an invoice' });
  const { filename, fault, bytes } = invoice;
  if (fault !== undefined)
    throw new DocumentError('INVOICE_UNREADABLE', { field, detail: `in "${filename}", ${faults[fault]}` });
  if (!isReadable(invoice.kind))
    throw new DocumentError('INVOICE_NONE', { field, detail: `"${filename}" is not an invoice (${invoice.kind})` });
  return { bytes, hybrid };
}

/** Finds and reads an invoice. Throws the errors of `findInvoiceXml`, and INVOICE_UNREADABLE for XML with faults. */
export async function readInvoiceFile(
  path: string,
  kind: string,
  field = 'fileInput',
): Promise<InvoiceFile & { readonly read: ReadInvoice }> {
  const found = await findInvoiceXml(path, kind, field);
  return { ...found, read: readInvoiceXml(found.bytes, field) };
}

/** Reads the XML of an invoice. Throws INVOICE_UNREADABLE. */
export function readInvoiceXml(bytes: Uint8Array, field: string): ReadInvoice {
  try {
    return readInvoice(bytes);
  } catch (error) {
    if (!(error instanceof InvoiceXmlError)) throw error;
    const detail = error.message.replace(/\.$/, '');
    throw new DocumentError('INVOICE_UNREADABLE', { field, detail }, [{ pointer: `/${field}`, detail }], {
      cause: error,
    });
  }
}
