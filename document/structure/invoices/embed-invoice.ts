import { PDFString } from 'pdf-lib';
import { catalogOf, entry, setEntry } from '../../file/objects/index.js';
import type { OpenedPdf } from '../../file/open/index.js';
import { addAttachments, dropFiles, type NewAttachment } from '../attachments/index.js';
import { infoOf, readXmp, syncXmp, writeXmp } from '../metadata/index.js';
import type { EmbeddedInvoice } from './find-invoices.js';
import { withInvoiceClaim, withoutInvoiceClaims } from './write-claim.js';
import type { InvoiceClaim } from './xmp-claim.js';

/**
 * Embeds an invoice and its supporting documents in a PDF/A-3 file, in place, and describes the invoice in its XMP
 * (`withInvoiceClaim`). Everything else stays, also what viewers show first. Returns false, and changes nothing, if the
 * file's XMP cannot be extended. Write the document with `stamp: false`.
 */
export function embedInvoice(
  { document: { context }, pages }: Pick<OpenedPdf, 'document' | 'pages'>,
  files: readonly NewAttachment[],
  claim: Pick<InvoiceClaim, 'fileName' | 'version' | 'level'>,
  now: Date,
): boolean {
  const catalog = catalogOf(context);
  const xmp = withInvoiceClaim(readXmp(context) ?? '', claim);
  if (catalog === undefined || xmp === undefined) return false;
  const shownFirst = entry(catalog, 'PageMode');
  addAttachments(context, pages, files);
  setEntry(catalog, 'PageMode', shownFirst);
  const info = infoOf(context);
  if (info !== undefined) setEntry(info, 'ModDate', PDFString.fromDate(now));
  setEntry(catalog, 'Metadata', writeXmp(context, syncXmp(context, xmp, info)));
  return true;
}

/** Removes invoices from a PDF, in place, wherever they are listed, and what its XMP says about them. */
export function removeInvoices(
  { document: { context }, pages }: Pick<OpenedPdf, 'document' | 'pages'>,
  invoices: readonly EmbeddedInvoice[],
): void {
  const catalog = catalogOf(context);
  dropFiles(context, pages, new Set(invoices.map(({ spec }) => spec)));
  const xmp = readXmp(context);
  if (catalog !== undefined && xmp !== undefined)
    setEntry(catalog, 'Metadata', writeXmp(context, withoutInvoiceClaims(xmp)));
}
