import { parseDecimal } from '@quire/document/invoices/amounts';
import type { Invoice } from '@quire/document/invoices/model';
import { InvoiceXmlError, readInvoice, type ReadInvoice } from '@quire/document/invoices/syntaxes';
import { findInvoiceXml } from '@quire/document/structure/invoices/reading';
import { isQuireError } from '@quire/registry/errors';
import { identifyXml } from './hybrid/identify.js';
import { validateInvoice } from './validate.js';

/** Conditions on an invoice; all that are present must hold. */
export interface InvoiceConditions {
  /** `valid`: no fatal rule fails; `invalid`: one does, or the XML cannot be read. */
  readonly verdict: 'any' | 'valid' | 'invalid';
  readonly profile?: string;
  /** Part of the seller's name or trading name, or the whole VAT identifier; case does not matter. */
  readonly seller?: string;
  /** The whole number; case does not matter. */
  readonly number?: string;
  /** Bounds of the total with VAT, as decimal numbers. */
  readonly minAmount?: string;
  readonly maxAmount?: string;
  readonly currency?: string;
  /** Bounds of the issue date, `YYYY-MM-DD`. */
  readonly from?: string;
  readonly to?: string;
}

/** Whether a file is or carries an invoice for which all conditions hold. Throws the errors of `withPdf`. */
export async function matchesInvoice(path: string, kind: string, conditions: InvoiceConditions): Promise<boolean> {
  const { verdict, profile } = conditions;
  const found = await findInvoiceXml(path, kind).catch(codeOf);
  if (found === 'INVOICE_NONE') return false;
  // A file that only has the name of an invoice holds none that could be compared.
  if (found === 'INVOICE_UNREADABLE') return verdict === 'invalid' && hasOnly(conditions, 'verdict');
  const { bytes, hybrid } = found;
  const identity = identifyXml(bytes, hybrid?.invoices[0]?.filename);
  if (profile !== undefined && identity.profile?.id !== profile) return false;
  let read: ReadInvoice | undefined;
  if (verdict === 'any') read = readIfPossible(bytes);
  else {
    const checked = await validateInvoice(bytes, {}, hybrid === undefined ? undefined : { path, hybrid });
    if (checked.report.valid !== (verdict === 'valid')) return false;
    ({ read } = checked);
  }
  // What cannot be read is an invoice, but nothing in it can be compared.
  return read === undefined ? hasOnly(conditions, 'verdict', 'profile') : holds(read, conditions);
}

function readIfPossible(bytes: Uint8Array): ReadInvoice | undefined {
  try {
    return readInvoice(bytes);
  } catch (error) {
    if (error instanceof InvoiceXmlError) return undefined;
    throw error;
  }
}

function codeOf(error: unknown): 'INVOICE_NONE' | 'INVOICE_UNREADABLE' {
  if (isQuireError(error) && (error.code === 'INVOICE_NONE' || error.code === 'INVOICE_UNREADABLE')) return error.code;
  throw error;
}

function hasOnly(conditions: InvoiceConditions, ...names: readonly (keyof InvoiceConditions)[]): boolean {
  return Object.entries(conditions).every(
    ([name, value]) => value === undefined || (names as readonly string[]).includes(name),
  );
}

function holds(
  { invoice }: ReadInvoice,
  { seller, number, minAmount, maxAmount, currency, from, to }: InvoiceConditions,
) {
  return (
    (seller === undefined || isSeller(invoice, seller)) &&
    (number === undefined || plain(invoice.number) === plain(number)) &&
    (currency === undefined || invoice.currency === currency.toUpperCase()) &&
    isBetween(invoice, minAmount, maxAmount) &&
    isWithin(invoice.issueDate, from, to)
  );
}

const plain = (text: string | undefined): string => (text ?? '').normalize('NFC').trim().toLowerCase();
const packed = (text: string | undefined): string => plain(text).replace(/\s+/g, '');

function isSeller({ seller }: Invoice, wanted: string): boolean {
  return (
    [seller?.name, seller?.tradingName].some((name) => plain(name).includes(plain(wanted))) ||
    (seller?.vatIdentifier !== undefined && packed(seller.vatIdentifier) === packed(wanted))
  );
}

/** An invoice whose total is missing or no number is in no range. */
function isBetween({ totals }: Invoice, min: string | undefined, max: string | undefined): boolean {
  if (min === undefined && max === undefined) return true;
  const total = parseDecimal(totals?.withVat);
  const [least, most] = [parseDecimal(min), parseDecimal(max)];
  return total !== undefined && (least === undefined || total.gte(least)) && (most === undefined || total.lte(most));
}

/** Dates in this form compare as texts; one that is no date is in no range. */
function isWithin(date: string | undefined, from: string | undefined, to: string | undefined): boolean {
  if (from === undefined && to === undefined) return true;
  return (
    date !== undefined &&
    /^\d{4}-\d\d-\d\d$/.test(date) &&
    (from === undefined || date >= from) &&
    (to === undefined || date <= to)
  );
}
