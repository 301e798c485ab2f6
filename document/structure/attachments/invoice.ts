import type { PDFContext } from 'pdf-lib';
import { asName, entry, resolve } from '../../file/objects/index.js';
import { decodeStream } from '../../file/reader/index.js';
import { decodeXml } from '../../file/xml/index.js';
import { readAttachments } from './attachments.js';

/** The root element begins within this many bytes. */
export const INVOICE_HEAD_BYTES = 64 * 1024;

/** Root elements of invoices by namespace: CII, ZUGFeRD 1 and its draft, UBL (EN 16931-3-2 and -3-3). */
const roots: Readonly<Record<string, readonly string[]>> = {
  'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100': ['CrossIndustryInvoice'],
  'urn:ferd:CrossIndustryDocument:invoice:1p0': ['CrossIndustryDocument'],
  'urn:un:unece:uncefact:data:standard:CBFBUY:5': ['Invoice'],
  'urn:oasis:names:specification:ubl:schema:xsd:Invoice-2': ['Invoice'],
  'urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2': ['CreditNote'],
};

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
  let text: string;
  try {
    text = decodeXml(Buffer.from(head), (detail) => new Error(detail));
  } catch {
    return false;
  }
  const [, prefix, name, attributes = ''] =
    /^(?:\s+|\uFEFF|<\?[\s\S]*?\?>|<!--[\s\S]*?-->)*<(?:([\w.-]+):)?([\w.-]+)((?:\s[^>]*)?)>/.exec(text) ?? [];
  if (name === undefined) return false;
  for (const [, declared, namespace = ''] of attributes.matchAll(/\sxmlns(?::([\w.-]+))?\s*=\s*["']([^"']*)["']/g))
    if (declared === prefix && Object.hasOwn(roots, namespace)) return roots[namespace]?.includes(name) === true;
  return false;
}

function looksLikeXml(name: string, mediaType: string | undefined): boolean {
  return /\.xml$/i.test(name) || /xml/i.test(mediaType ?? '');
}
