import type { Invoice } from '../../../invoices/model/index.js';
import type { ProfileId } from '../../../invoices/profiles/index.js';
import { checkRules, type Violation } from '../../../invoices/rules/index.js';
import { readInvoice, writeInvoice } from '../../../invoices/syntaxes/index.js';

type Mutable<T> = T extends readonly (infer E)[]
  ? Mutable<E>[]
  : T extends object
    ? { -readonly [K in keyof T]: Mutable<T[K]> }
    : T;
export type Draft = Mutable<Invoice>;

const money = (cents: number): string => (cents / 100).toFixed(2);

/** A correct XRechnung with this many lines, each 3 pieces for 19.90 at 19 %. */
export function sampleInvoice(lines = 2): Draft {
  const net = lines * 5970;
  const tax = Math.round((net * 19) / 100);
  return {
    number: 'RE-2026-0001',
    issueDate: '2026-09-01',
    typeCode: '380',
    currency: 'EUR',
    dueDate: '2026-09-30',
    buyerReference: '04011000-12345-34',
    process: { businessProcess: 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0' },
    seller: {
      name: 'Muster GmbH',
      vatIdentifier: 'DE123456789',
      electronicAddress: { value: 'rechnung@muster.example', scheme: 'EM' },
      address: { line1: 'Hauptstraße 1', city: 'Berlin', postCode: '10115', country: 'DE' },
      contact: { name: 'Erika Muster', telephone: '+49 30 123456', email: 'erika@muster.example' },
    },
    buyer: {
      name: 'Stadt Beispiel',
      electronicAddress: { value: 'eingang@stadt.example', scheme: 'EM' },
      address: { city: 'Bonn', postCode: '53111', country: 'DE' },
    },
    delivery: { date: '2026-08-31' },
    payment: { meansCode: '58', transfers: [{ account: 'DE89370400440532013000' }] },
    totals: {
      lines: money(net),
      withoutVat: money(net),
      vat: money(tax),
      withVat: money(net + tax),
      due: money(net + tax),
    },
    vatBreakdown: [{ taxableAmount: money(net), taxAmount: money(tax), category: 'S', rate: '19' }],
    lines: Array.from({ length: lines }, (_, index) => ({
      id: String(index + 1),
      quantity: '3',
      unit: 'H87',
      netAmount: '59.70',
      price: { net: '19.90' },
      vat: { category: 'S', rate: '19' },
      item: { name: `Article ${index + 1}` },
    })),
  };
}

export type Written = 'cii' | 'ubl';

/** The XML of the sample after a change of its data. */
export function sampleXml(
  syntax: Written,
  change: (invoice: Draft) => void = () => undefined,
  profile: ProfileId = 'xrechnung',
): string {
  const invoice = sampleInvoice();
  change(invoice);
  return writeInvoice(invoice as Invoice, { syntax, profile }).xml;
}

export const check = (xml: string): Violation[] => checkRules(readInvoice(Buffer.from(xml)));

/** Rules that are broken, information left out. */
export const broken = (violations: readonly Violation[]): string[] => [
  ...new Set(violations.filter(({ severity }) => severity !== 'information').map(({ rule }) => rule)),
];
