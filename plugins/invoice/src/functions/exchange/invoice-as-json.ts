import { type BinaryObject, type Group, invoiceModel, type SchemedIdentifier } from '@quire/document/invoices/model';
import type { ReadInvoice } from '@quire/document/invoices/syntaxes';
import type { InvoiceFile } from '@quire/document/structure/invoices/reading';
import { identifyXml } from '../hybrid/identify.js';

/** A term of an invoice with its value. */
export interface TermValue {
  readonly term: string;
  readonly name: string;
  /** In `invoice`: `lines[0].netAmount`. */
  readonly path: string;
  /** Of an attached file its name. */
  readonly value: string;
  readonly scheme?: string;
}

/** Content of the XML that the model has no place for. */
export interface UnreadValue {
  readonly xpath: string;
  readonly line: number;
  readonly value: string;
}

/** A file that comes with an invoice. */
export interface AttachmentFact {
  readonly name: string;
  readonly mimeCode: string | null;
  /** Bytes; null if a PDF does not state it. */
  readonly size: number | null;
  readonly from: 'invoice' | 'pdf';
}

/** The answer of `invoice/extract` as JSON. */
export function invoiceAsJson({ bytes, hybrid, read }: InvoiceFile & { readonly read: ReadInvoice }) {
  const { standard, version, profile, specification } = identifyXml(bytes, hybrid?.invoices[0]?.filename);
  return {
    standard: standard ?? null,
    version: version ?? null,
    profile: profile?.id ?? null,
    specification: specification === '' ? null : specification,
    syntax: read.syntax,
    invoice: read.invoice,
    terms: listTerms(read.invoice),
    unread: listUnread(read),
    attachments: [
      ...attachedFiles(read).map(({ name, mimeCode, content }): AttachmentFact => {
        return { name, mimeCode: mimeCode ?? null, size: content.length, from: 'invoice' };
      }),
      ...(hybrid?.others ?? []).map((other): AttachmentFact => {
        return {
          name: other.filename,
          mimeCode: other.contentType,
          size: other.size < 0 ? null : other.size,
          from: 'pdf',
        };
      }),
    ],
  };
}

/** All values of an invoice in the order of the model. */
function listTerms(invoice: object): readonly TermValue[] {
  const found: TermValue[] = [];
  collect(invoiceModel, invoice, '', found);
  return found;
}

function collect(group: Group, values: object, prefix: string, found: TermValue[]): void {
  for (const [key, entry] of Object.entries(group.terms)) {
    const value = (values as Readonly<Record<string, unknown>>)[key];
    if (value === undefined) continue;
    const many = Array.isArray(value);
    for (const [index, one] of (many ? (value as readonly unknown[]) : [value]).entries()) {
      const path = `${prefix}${key}${many ? `[${index}]` : ''}`;
      if (entry.node === 'group') collect(entry, one as object, `${path}.`, found);
      else found.push({ term: entry.id, name: entry.name, path, ...textOf(one) });
    }
  }
}

function textOf(value: unknown): Pick<TermValue, 'value' | 'scheme'> {
  if (typeof value === 'string') return { value };
  if ('content' in (value as object)) return { value: (value as BinaryObject).filename ?? '' };
  const { value: text, scheme } = value as SchemedIdentifier;
  return scheme === undefined ? { value: text } : { value: text, scheme };
}

/** What the model has no place for, with its place. */
export function listUnread(read: ReadInvoice): readonly UnreadValue[] {
  return read.unread.map(({ element, attribute, value }) => ({
    xpath: `${read.xpathOf(element)}${attribute === undefined ? '' : `/@${attribute}`}`,
    line: element.line,
    value,
  }));
}

/** The attached files (BT-125), decoded. One without a name has the reference of its document (BT-122). */
export function attachedFiles({ invoice }: ReadInvoice) {
  return (invoice.supportingDocuments ?? []).flatMap(({ reference = '', attachment }) => {
    if (attachment === undefined) return [];
    const { content, filename, mimeCode } = attachment;
    const isBase64 = content.length % 4 === 0 && /^[A-Za-z\d+/]*={0,2}$/.test(content);
    return [{ name: filename ?? reference, mimeCode, isBase64, content: Buffer.from(content, 'base64') }];
  });
}
