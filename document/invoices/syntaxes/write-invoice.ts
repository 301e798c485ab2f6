import type { Invoice } from '../model/index.js';
import { profileById, profileOf, type ProfileId } from '../profiles/index.js';
import type { CompiledGroup } from './bindings/binding.js';
import { cii, ciiExtended } from './bindings/cii.js';
import { ublCreditNote, ublInvoice } from './bindings/ubl.js';
import { readInvoiceElement } from './read-invoice.js';
import { addRequired } from './writing/add-required.js';
import { deriveRequired } from './writing/derive-required.js';
import { findLost, type Lost } from './writing/find-lost.js';
import { ciiOrder } from './writing/order-cii.js';
import { ublOrder } from './writing/order-ubl.js';
import { limitTo } from './writing/profile-limits.js';
import { elementOrder, sortByTypes, sortElements } from './writing/sort-elements.js';
import { createElement, GroupWriter } from './writing/write-group.js';
import { serializeXml } from './xml/index.js';

/** Which syntax and profile are written. */
export interface WriteTarget {
  readonly syntax: 'cii' | 'ubl';
  /** Sets BT-24 and leaves out what the profile cannot hold. Absent: BT-24 and all terms stay. */
  readonly profile?: ProfileId;
}

export interface WrittenInvoice {
  readonly xml: string;
  /** Values that the syntax or the profile has no place for, in the order of the model. */
  readonly lost: readonly Lost[];
}

/** Type codes (UNTDID 1001) of credit notes: the document is a UBL CreditNote (EN 16931-3-2, BT-3). */
const CREDIT_NOTES: ReadonlySet<string> = new Set([
  '81',
  '83',
  '261',
  '262',
  '296',
  '308',
  '381',
  '396',
  '420',
  '458',
  '532',
]);

const order = { cii: elementOrder(ciiOrder), ubl: elementOrder(ublOrder) };

interface DocumentType {
  readonly root: string;
  readonly binding: CompiledGroup;
  readonly prefixes: readonly string[];
  /** The prefix whose names are written without it. */
  readonly bare?: string;
}

const CII: DocumentType = { root: 'rsm:CrossIndustryInvoice', binding: cii, prefixes: ['rsm', 'ram', 'qdt', 'udt'] };
const CII_EXTENDED: DocumentType = { ...CII, binding: ciiExtended };
const UBL_INVOICE: DocumentType = { root: 'ubl:Invoice', binding: ublInvoice, prefixes: ['cac', 'cbc'], bare: 'ubl' };
const UBL_CREDIT_NOTE: DocumentType = {
  root: 'cn:CreditNote',
  binding: ublCreditNote,
  prefixes: ['cac', 'cbc'],
  bare: 'cn',
};

/** Writes an invoice as CII D16B or UBL 2.1, with the elements in the order of the schema. */
export function writeInvoice(invoice: Invoice, { syntax, profile }: WriteTarget): WrittenInvoice {
  const held = profile === undefined ? invoice : withSpecification(limitTo(profile, invoice), profile);
  const type = documentType(syntax, held);
  const root = createElement(type.root, undefined);
  const writable = deriveRequired(syntax === 'cii' ? withOnePrecedingInvoice(held, profile) : held, syntax);
  const writer = new GroupWriter(
    { currency: held.currency?.trim(), vatCurrency: held.vatCurrency?.trim() },
    syntax === 'ubl',
  );
  writer.write(type.binding, writable, root);
  addRequired(root);
  if (type === CII_EXTENDED) sortByTypes(root);
  else sortElements(root, order[syntax]);
  const lost = findLost(invoice, readInvoiceElement(root).invoice).filter(({ term }) => term !== 'BT-24');
  return { xml: serializeXml(root, type.prefixes, type.bare), lost };
}

function documentType(syntax: WriteTarget['syntax'], { typeCode = '', process }: Invoice): DocumentType {
  if (syntax === 'cii') return profileOf(process?.specification)?.id === 'extended' ? CII_EXTENDED : CII;
  return CREDIT_NOTES.has(typeCode.trim()) ? UBL_CREDIT_NOTE : UBL_INVOICE;
}

/** An identifier that names an older version of the profile stays. */
function withSpecification(invoice: Invoice, profile: ProfileId): Invoice {
  const { matches, specification } = profileById(profile);
  if (matches.test(invoice.process?.specification?.trim() ?? '')) return invoice;
  return { ...invoice, process: { ...invoice.process, specification } };
}

/** CII D16B has one reference to an invoice (BG-3); the schemas of Factur-X 1.0.07, which are newer, have several. */
function withOnePrecedingInvoice(invoice: Invoice, profile: ProfileId | undefined): Invoice {
  const { precedingInvoices } = invoice;
  const isFacturX = profile !== undefined && profileById(profile).standard === 'factur-x';
  if (precedingInvoices === undefined || precedingInvoices.length < 2 || isFacturX) return invoice;
  return { ...invoice, precedingInvoices: precedingInvoices.slice(0, 1) };
}
