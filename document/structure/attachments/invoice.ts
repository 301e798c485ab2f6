import type { PDFContext } from 'pdf-lib';
import { asName, entry, resolve } from '../../file/objects/index.js';
import { decodeStream } from '../../file/reader/index.js';
import { isReadable, recogniseRoot, ROOT_HEAD_BYTES } from '../../invoices/recognition/index.js';
import { readAttachments } from './attachments.js';

/** The root element begins within this many bytes. */
export const INVOICE_HEAD_BYTES = ROOT_HEAD_BYTES;

/**
 * Whether a document carries an electronic invoice as an embedded or associated file, whatever its name: Factur-X,
 * ZUGFeRD, XRechnung and others with the same root elements. What is in it is not checked.
 */
export function hasInvoice(context: PDFContext): boolean {
  return readAttachments(context, []).some(({ name, file }) => {
    if (file === undefined || !looksLikeXml(name, asName(context, entry(file.dict, 'Subtype')))) return false;
    const bytes = decodeStream(file, (value) => resolve(context, value));
    return bytes !== undefined && isInvoice(bytes.subarray(0, INVOICE_HEAD_BYTES));
  });
}

/** Whether the begin of an XML file (`INVOICE_HEAD_BYTES`) is that of an invoice. */
export function isInvoice(head: Uint8Array): boolean {
  const { kind } = recogniseRoot(head);
  return isReadable(kind) || kind === 'zugferd1-draft';
}

function looksLikeXml(name: string, mediaType: string | undefined): boolean {
  return /\.xml$/i.test(name) || /xml/i.test(mediaType ?? '');
}
