import { invoiceModel, type Group, type Term } from '@quire/document/invoices/model';
import { nodeAt, type Path } from '../data/places.ts';
import type { Section } from '../data/sections.ts';

/** Rows of fields; a row of one has the whole width. */
export type Rows = readonly (readonly Path[])[];

const partyRows = (party: string, ...taxes: readonly Path[]): Rows => [
  [`${party}.name`],
  [`${party}.address.line1`],
  [`${party}.address.postCode`, `${party}.address.city`, `${party}.address.country`],
  [`${party}.vatIdentifier`, ...taxes],
  [`${party}.electronicAddress`],
  [`${party}.contact.name`, `${party}.contact.telephone`, `${party}.contact.email`],
];

/** What most invoices have, by the section that shows it. What is not here is derived from the model, below "More". */
export const usual: Readonly<Record<string, Rows>> = {
  invoice: [
    ['number', 'issueDate', 'dueDate', 'delivery.date', 'typeCode', 'currency', 'buyerReference', 'purchaseOrder'],
    ['notes'],
  ],
  seller: partyRows('seller', 'seller.taxRegistration'),
  buyer: partyRows('buyer'),
  changes: [['allowances'], ['charges']],
  payment: [['payment.meansCode', 'payment.remittance', 'totals.paid'], ['payment.transfers'], ['paymentTerms']],
  attachments: [['supportingDocuments']],
};

/** The same of a line, from the line on. */
export const usualOfLine: Rows = [
  ['item.name', 'quantity', 'unit', 'price.net', 'vat.category', 'vat.rate'],
  ['item.description'],
];

const LINE = /^lines\.\d+\./;
const placed: ReadonlySet<Path> = new Set([
  ...Object.values(usual).flat(2),
  ...usualOfLine.flat().map((path) => `lines.0.${path}`),
]);

/** Whether one of the rows shows this place. */
function isPlaced(path: Path): boolean {
  return placed.has(path.replace(LINE, 'lines.0.'));
}

/** Computed by the server, or given by the choice of the profile: these have no fields. */
const COMPUTED = [
  /^totals\.(?:lines|allowances|charges|withoutVat|vat|withVat|due)$/,
  /^vatBreakdown\.\d+\.(?:taxableAmount|taxAmount)$/,
  /(?:^lines|\.subLines)\.\d+\.netAmount$/,
  /^process\.specification$/,
];

export function isComputed(path: Path): boolean {
  return COMPUTED.some((pattern) => pattern.test(path));
}

export const isList = ({ occurs }: Pick<Term | Group, 'occurs'>): boolean => occurs.endsWith('n');

/** A term or group of the model, and its place in an invoice. */
export interface Place {
  readonly key: string;
  readonly path: Path;
  readonly node: Term | Group;
}

/**
 * The members of a group that have fields and that no row shows. A group of which a row shows a part, or that has only
 * one such member, is replaced by its members: it needs no title of its own.
 */
export function membersOf(path: Path, group: Group): readonly Place[] {
  return placesOf(Object.entries(group.terms).map(([key, node]) => ({ key, node, path: `${path}.${key}` })));
}

/** The same of a section of the invoice. */
export function membersOfSection({ keys }: Section): readonly Place[] {
  return placesOf(keys.map((key) => ({ key, node: invoiceModel.terms[key]!, path: key })));
}

function placesOf(places: readonly Place[]): readonly Place[] {
  return places.flatMap((place) => {
    const { path, node } = place;
    if (isPlaced(path) || isComputed(path)) return [];
    if (node.node === 'term' || isList(node)) return [place];
    const members = membersOf(path, node);
    const isWhole = members.length > 1 && members.length === Object.keys(node.terms).length;
    return isWhole ? [place] : members;
  });
}

/** The last key of a path that is no number: `name` of `lines.0.item.name`. */
export function keyOf(path: Path): string {
  return path.split('.').findLast((key) => !/^\d+$/.test(key)) ?? path;
}

/** Whether the form has a field for this place, given the number of items in each list. */
export function hasField(path: Path, countOf: (list: Path) => number): boolean {
  const term = nodeAt(path) === undefined ? path.slice(0, path.lastIndexOf('.')) : path;
  if (nodeAt(term)?.node !== 'term' || isComputed(term)) return false;
  const keys = term.split('.');
  return keys.every((key, i) => !/^\d+$/.test(key) || Number(key) < countOf(keys.slice(0, i).join('.')));
}
