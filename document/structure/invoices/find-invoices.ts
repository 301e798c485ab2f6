import type { PDFContext, PDFDict } from 'pdf-lib';
import { isTooComplex } from '../../errors.js';
import { asDict, asName, catalogOf, elements, entry, resolve } from '../../file/objects/index.js';
import { withPdf } from '../../file/open/index.js';
import { decodeStream } from '../../file/reader/index.js';
import type { PdfInput } from '../../file/source/index.js';
import { isReadable, type RecognisedRoot, recogniseRoot } from '../../invoices/recognition/index.js';
import {
  type AttachmentFacts,
  attachmentFacts,
  type EmbeddedAttachment,
  readAttachments,
} from '../attachments/index.js';
import { readClaims, readXmp } from '../metadata/index.js';
import type { PageEntry } from '../pages/index.js';
import { type InvoiceClaim, invoiceClaims } from './xmp-claim.js';

/** The names that the specifications demand, in the order in which they are preferred. */
export const invoiceFileNames = [
  'factur-x.xml',
  'xrechnung.xml',
  'zugferd-invoice.xml',
  'ZUGFeRD-invoice.xml',
] as const;

/** Embedded files of more bytes are not read: the largest invoices of 10,000 lines have 20 MB. */
const MAX_XML_BYTES = 64 * 1024 ** 2;
/** A file with more invoices is a hostile one; the rest is not read. */
const MAX_INVOICES = 20;
/** Files without such a name whose root element is looked at: each has to be inflated. */
const MAX_NAMELESS = 500;

/** An embedded file and how the document refers to it. */
export interface AttachmentPlace extends AttachmentFacts {
  /** `AFRelationship` (ISO 19005-3, 6.8), `Alternative` for example. */
  readonly relationship: string | undefined;
  /** It is in the document's list of embedded files (the name tree). */
  readonly listed: boolean;
  /** It is in the `AF` array of the catalog. */
  readonly associated: boolean;
}

/**
 * An embedded file that is an invoice or another business document by its root element, or should be one by its name.
 */
export interface EmbeddedInvoice extends AttachmentPlace {
  /** Empty if it cannot be read. */
  readonly bytes: Uint8Array;
  readonly kind: RecognisedRoot['kind'];
  /**
   * `unreadable`: its data is damaged; `too large`: it inflates beyond the limits; `no invoice`: only its name says so.
   */
  readonly fault: 'unreadable' | 'too large' | 'no invoice' | undefined;
  /** The file specification. */
  readonly spec: PDFDict;
}

/** What a PDF says about the invoice that it carries. */
export interface HybridFacts {
  /**
   * The one that counts comes first: what can be read before what cannot, then by name (`invoiceFileNames`), then those
   * that only their root element shows.
   */
  readonly invoices: readonly EmbeddedInvoice[];
  /** The other embedded files. */
  readonly others: readonly AttachmentPlace[];
  /** Newest first. */
  readonly claims: readonly InvoiceClaim[];
  /** The PDF/A that the file claims to be; not checked. */
  readonly pdfa: { readonly part: string; readonly conformance: string } | undefined;
}

/**
 * Opens a PDF and returns the invoices in it. Files with an empty user password are read. Throws the errors of
 * `withPdf`; an attachment that cannot be read is a `fault` of that invoice.
 */
export function findInvoicesIn(input: PdfInput, options: { readonly password?: string } = {}): Promise<HybridFacts> {
  return withPdf(input, { ...options, repair: false }, ({ document: { context }, pages }) =>
    findInvoices(context, pages),
  );
}

/** Returns the invoices in an opened document, what its XMP says about them, and its other files. */
export function findInvoices(context: PDFContext, pages: readonly PageEntry[]): HybridFacts {
  const catalog = catalogOf(context);
  const associated = new Set(
    catalog === undefined ? [] : elements(context, entry(catalog, 'AF')).map((value) => asDict(context, value)),
  );
  const invoices: EmbeddedInvoice[] = [];
  const others: AttachmentPlace[] = [];
  let nameless = 0;
  for (const attachment of readAttachments(context, pages)) {
    const { file, spec } = attachment;
    if (file === undefined) continue;
    const embedded = { ...attachment, file };
    const place: AttachmentPlace = {
      ...attachmentFacts(context, embedded),
      relationship: asName(context, entry(spec, 'AFRelationship')),
      listed: attachment.from === 'document',
      associated: associated.has(spec),
    };
    const isCandidate = isNamed(embedded.name) || (looksLikeXml(context, embedded) && nameless++ < MAX_NAMELESS);
    const read = isCandidate && invoices.length < MAX_INVOICES ? readIfInvoice(context, embedded) : undefined;
    if (read === undefined) others.push(place);
    else invoices.push({ ...place, ...read, spec });
  }
  const xmp = readXmp(context);
  return {
    // The sort is stable: equal ones stay in the order of the file.
    invoices: invoices.sort((a, b) => difficulty(a) - difficulty(b) || rankOf(a.filename) - rankOf(b.filename)),
    others,
    claims: xmp === undefined ? [] : invoiceClaims(xmp),
    pdfa: pdfaOf(context),
  };
}

/** Whether a document carries an invoice. What is in it is not checked. */
export function hasInvoice(context: PDFContext): boolean {
  return findInvoices(context, []).invoices.some(({ kind }) => isInvoiceKind(kind));
}

/** Whether the begin of an XML file (`ROOT_HEAD_BYTES`) is that of an invoice. */
export function isInvoice(head: Uint8Array): boolean {
  return isInvoiceKind(recogniseRoot(head).kind);
}

const isInvoiceKind = (kind: RecognisedRoot['kind']): boolean => isReadable(kind) || kind === 'zugferd1-draft';

function readIfInvoice(
  context: PDFContext,
  { name, file }: EmbeddedAttachment,
): Pick<EmbeddedInvoice, 'bytes' | 'kind' | 'fault'> | undefined {
  const named = isNamed(name);
  const faulty = (fault: EmbeddedInvoice['fault']) =>
    named ? { bytes: new Uint8Array(), kind: 'not-xml' as const, fault } : undefined;
  let bytes: Uint8Array | undefined;
  try {
    bytes = decodeStream(file, (value) => resolve(context, value));
  } catch (error) {
    if (!isTooComplex(error)) throw error;
    return faulty('too large');
  }
  if (bytes === undefined) return faulty('unreadable');
  if (bytes.length > MAX_XML_BYTES) return faulty('too large');
  const { kind } = recogniseRoot(bytes);
  if (isInvoiceKind(kind) || kind === 'order-x' || kind === 'fatturapa') return { bytes, kind, fault: undefined };
  return named ? { bytes, kind, fault: 'no invoice' } : undefined;
}

/** 0 for invoices that are read, 1 for other business documents, 2 for what only has the name of one. */
function difficulty({ kind, fault }: EmbeddedInvoice): number {
  if (fault !== undefined) return 2;
  return isReadable(kind) ? 0 : 1;
}

/** Place of a name among those of the specifications; their number for any other. Case decides only between two. */
function rankOf(name: string): number {
  const exact = invoiceFileNames.findIndex((one) => one === name);
  const loose = invoiceFileNames.findIndex((one) => one.toLowerCase() === name.toLowerCase());
  const found = exact >= 0 ? exact : loose;
  return found < 0 ? invoiceFileNames.length : found;
}

const isNamed = (name: string): boolean => rankOf(name) < invoiceFileNames.length;

function looksLikeXml(context: PDFContext, { name, file }: EmbeddedAttachment): boolean {
  return /\.xml$/i.test(name) || /xml/i.test(asName(context, entry(file.dict, 'Subtype')) ?? '');
}

function pdfaOf(context: PDFContext): HybridFacts['pdfa'] {
  const claim = readClaims(context).get('PDF/A');
  if (claim === undefined) return undefined;
  const [part = '', conformance = ''] = claim.split('|');
  return { part, conformance };
}
