import { type Additions, extendedMembers, extendedTerms } from './extended.js';
import { lineTerms } from './lines.js';
import { buyer, delivery, payee, seller, taxRepresentative } from './parties.js';
import { group, type Group, type Holding, term } from './term.js';

const references = {
  project: term('BT-11', 'Project reference', 'identifier', '0..1'),
  contract: term('BT-12', 'Contract reference', 'identifier', '0..1'),
  purchaseOrder: term('BT-13', 'Purchase order reference', 'identifier', '0..1'),
  salesOrder: term('BT-14', 'Sales order reference', 'identifier', '0..1'),
  receivingAdvice: term('BT-15', 'Receiving advice reference', 'identifier', '0..1'),
  despatchAdvice: term('BT-16', 'Despatch advice reference', 'identifier', '0..1'),
  tender: term('BT-17', 'Tender or lot reference', 'identifier', '0..1'),
  object: term('BT-18', 'Invoiced object identifier', 'schemed', '0..1'),
};

/** The terms outside of lines whose group is the invoice itself, and all groups (EN 16931-1, table 2). */
export const invoiceTerms = {
  number: term('BT-1', 'Invoice number', 'identifier', '1'),
  issueDate: term('BT-2', 'Invoice issue date', 'date', '1'),
  typeCode: term('BT-3', 'Invoice type code', 'code', '1'),
  currency: term('BT-5', 'Invoice currency code', 'code', '1'),
  vatCurrency: term('BT-6', 'VAT accounting currency code', 'code', '0..1'),
  taxPointDate: term('BT-7', 'Value added tax point date', 'date', '0..1'),
  taxPointDateCode: term('BT-8', 'Value added tax point date code', 'code', '0..1'),
  dueDate: term('BT-9', 'Payment due date', 'date', '0..1'),
  buyerReference: term('BT-10', 'Buyer reference', 'text', '0..1'),
  ...references,
  buyerAccountingReference: term('BT-19', 'Buyer accounting reference', 'text', '0..1'),
  paymentTerms: term('BT-20', 'Payment terms', 'text', '0..1'),
  notes: group('BG-1', 'Invoice note', '0..n', {
    subjectCode: term('BT-21', 'Invoice note subject code', 'code', '0..1'),
    text: term('BT-22', 'Invoice note', 'text', '1'),
  }),
  process: group('BG-2', 'Process control', '1', {
    businessProcess: term('BT-23', 'Business process type', 'text', '0..1'),
    specification: term('BT-24', 'Specification identifier', 'identifier', '1'),
  }),
  precedingInvoices: group('BG-3', 'Preceding invoice reference', '0..n', {
    number: term('BT-25', 'Preceding Invoice reference', 'identifier', '1'),
    issueDate: term('BT-26', 'Preceding Invoice issue date', 'date', '0..1'),
  }),
  seller,
  buyer,
  payee,
  taxRepresentative,
  delivery,
  payment: group('BG-16', 'Payment instructions', '0..1', {
    meansCode: term('BT-81', 'Payment means type code', 'code', '1'),
    meansText: term('BT-82', 'Payment means text', 'text', '0..1'),
    remittance: term('BT-83', 'Remittance information', 'text', '0..1'),
    transfers: group('BG-17', 'Credit transfer', '0..n', {
      account: term('BT-84', 'Payment account identifier', 'identifier', '1'),
      accountName: term('BT-85', 'Payment account name', 'text', '0..1'),
      serviceProvider: term('BT-86', 'Payment service provider identifier', 'identifier', '0..1'),
    }),
    card: group('BG-18', 'Payment card information', '0..1', {
      number: term('BT-87', 'Payment card primary account number', 'text', '1'),
      holder: term('BT-88', 'Payment card holder name', 'text', '0..1'),
    }),
    directDebit: group('BG-19', 'Direct debit', '0..1', {
      mandate: term('BT-89', 'Mandate reference identifier', 'identifier', '0..1'),
      creditor: term('BT-90', 'Bank assigned creditor identifier', 'identifier', '0..1'),
      account: term('BT-91', 'Debited account identifier', 'identifier', '0..1'),
    }),
  }),
  allowances: group('BG-20', 'Document level allowances', '0..n', {
    amount: term('BT-92', 'Document level allowance amount', 'amount', '1'),
    baseAmount: term('BT-93', 'Document level allowance base amount', 'amount', '0..1'),
    percentage: term('BT-94', 'Document level allowance percentage', 'percentage', '0..1'),
    vatCategory: term('BT-95', 'Document level allowance VAT category code', 'code', '1'),
    vatRate: term('BT-96', 'Document level allowance VAT rate', 'percentage', '0..1'),
    reason: term('BT-97', 'Document level allowance reason', 'text', '0..1'),
    reasonCode: term('BT-98', 'Document level allowance reason code', 'code', '0..1'),
  }),
  charges: group('BG-21', 'Document level charges', '0..n', {
    amount: term('BT-99', 'Document level charge amount', 'amount', '1'),
    baseAmount: term('BT-100', 'Document level charge base amount', 'amount', '0..1'),
    percentage: term('BT-101', 'Document level charge percentage', 'percentage', '0..1'),
    vatCategory: term('BT-102', 'Document level charge VAT category code', 'code', '1'),
    vatRate: term('BT-103', 'Document level charge VAT rate', 'percentage', '0..1'),
    reason: term('BT-104', 'Document level charge reason', 'text', '0..1'),
    reasonCode: term('BT-105', 'Document level charge reason code', 'code', '0..1'),
  }),
  totals: group('BG-22', 'Document totals', '1', {
    lines: term('BT-106', 'Sum of Invoice line net amount', 'amount', '1'),
    allowances: term('BT-107', 'Sum of allowances on document level', 'amount', '0..1'),
    charges: term('BT-108', 'Sum of charges on document level', 'amount', '0..1'),
    withoutVat: term('BT-109', 'Invoice total amount without VAT', 'amount', '1'),
    vat: term('BT-110', 'Invoice total VAT amount', 'amount', '0..1'),
    vatInAccountingCurrency: term('BT-111', 'Invoice total VAT amount in accounting currency', 'amount', '0..1'),
    withVat: term('BT-112', 'Invoice total amount with VAT', 'amount', '1'),
    paid: term('BT-113', 'Paid amount', 'amount', '0..1'),
    rounding: term('BT-114', 'Rounding amount', 'amount', '0..1'),
    due: term('BT-115', 'Amount due for payment', 'amount', '1'),
  }),
  vatBreakdown: group('BG-23', 'VAT breakdown', '1..n', {
    taxableAmount: term('BT-116', 'VAT category taxable amount', 'amount', '1'),
    taxAmount: term('BT-117', 'VAT category tax amount', 'amount', '1'),
    category: term('BT-118', 'VAT category code', 'code', '1'),
    rate: term('BT-119', 'VAT category rate', 'percentage', '0..1'),
    exemptionReason: term('BT-120', 'VAT exemption reason text', 'text', '0..1'),
    exemptionReasonCode: term('BT-121', 'VAT exemption reason code', 'code', '0..1'),
  }),
  supportingDocuments: group('BG-24', 'Additional supporting documents', '0..n', {
    reference: term('BT-122', 'Supporting document reference', 'identifier', '1'),
    description: term('BT-123', 'Supporting document description', 'text', '0..1'),
    location: term('BT-124', 'External document location', 'text', '0..1'),
    attachment: term('BT-125', 'Attached document', 'binary', '0..1'),
  }),
  thirdPartyPayments: group('BG-DEX-09', 'Third party payment', '0..n', {
    type: term('BT-DEX-001', 'Third party payment type', 'text', '1'),
    amount: term('BT-DEX-002', 'Third party payment amount', 'amount', '1'),
    description: term('BT-DEX-003', 'Third party payment description', 'text', '1'),
  }),
};

/** A line, whose sub lines (BG-DEX-01) only the extension of XRechnung knows. */
export type InvoiceLine = Holding<typeof lineTerms> & { readonly subLines?: readonly InvoiceLine[] };

/** An invoice as the semantic model sees it, whatever its syntax. */
export type Invoice = Holding<typeof invoiceTerms> & { readonly lines?: readonly InvoiceLine[] };

export type Address = NonNullable<NonNullable<Invoice['seller']>['address']>;
export type VatBreakdown = NonNullable<Invoice['vatBreakdown']>[number];
export type AllowanceOrCharge = NonNullable<Invoice['allowances']>[number];

/**
 * All terms, with those of Factur-X EXTENDED (`extended.ts`), which the type `Invoice` leaves out: what a loop over the
 * model walks. `subLines` of a line is a group that contains itself.
 */
export const invoiceModel: Group = (() => {
  const { lines, ...additions } = extendedTerms;
  const line = extendedMembers(lineTerms, lines as Additions);
  line['subLines'] = group('BG-DEX-01', 'Sub invoice line', '0..n', line);
  const terms = extendedMembers(invoiceTerms, additions);
  return group('BG-0', 'Invoice', '1', { ...terms, lines: group('BG-25', 'Invoice line', '1..n', line) });
})();
