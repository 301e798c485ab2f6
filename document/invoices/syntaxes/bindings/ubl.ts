import { invoiceModel, type Group, type invoiceTerms } from '../../model/index.js';
import { compileBindings, type Bindings, type CompiledGroup, type GroupText } from './binding.js';
import { discountLine } from './codes.js';
import { type LineTerms, ublLines } from './ubl-lines.js';
import { ublParties } from './ubl-parties.js';

type InvoiceTerms = typeof invoiceTerms & { readonly lines: Group<'1..n', LineTerms> };
type Different = 'typeCode' | 'dueDate' | 'project' | 'supportingDocuments' | 'thirdPartyPayments' | 'lines';

const ALLOWANCE_OR_CHARGE = {
  amount: 'cbc:Amount',
  baseAmount: 'cbc:BaseAmount',
  percentage: 'cbc:MultiplierFactorNumeric',
  vatCategory: 'cac:TaxCategory{cac:TaxScheme/cbc:ID=VAT}/cbc:ID',
  vatRate: 'cac:TaxCategory{cac:TaxScheme/cbc:ID=VAT}/cbc:Percent',
  reason: 'cbc:AllowanceChargeReason',
  reasonCode: 'cbc:AllowanceChargeReasonCode',
};

/** BT-21 stands before the text of the note: `#AAI#text`. What is no code of three letters is not written. */
const note: GroupText = {
  read: (text) => {
    const [, subjectCode, rest] = /^#([A-Z]{3})#([\s\S]*)$/.exec(text) ?? [];
    return subjectCode === undefined ? { text } : { subjectCode, text: rest?.trim() ?? '' };
  },
  write: ({ subjectCode, text = '' }) =>
    typeof subjectCode === 'string' && /^[A-Z]{3}$/.test(subjectCode) ? `#${subjectCode}#${text}` : String(text),
};

/** UBL demands a purchase order where there is a sales order; `NA` stands for none. */
const NO_ORDER = 'NA';

const payment: Bindings<(typeof invoiceTerms)['payment']['terms']> = {
  meansCode: 'cac:PaymentMeans*/cbc:PaymentMeansCode',
  meansText: 'cac:PaymentMeans^/cbc:PaymentMeansCode/@name',
  remittance: 'cac:PaymentMeans*/cbc:PaymentID',
  transfers: {
    path: 'cac:PaymentMeans+/cac:PayeeFinancialAccount',
    terms: {
      account: 'cbc:ID',
      accountName: 'cbc:Name',
      serviceProvider: 'cac:FinancialInstitutionBranch/cbc:ID',
    },
  },
  card: {
    path: 'cac:PaymentMeans/cac:CardAccount{cbc:NetworkID=NA}',
    terms: { number: 'cbc:PrimaryAccountNumberID', holder: 'cbc:HolderName' },
  },
  directDebit: {
    path: '.',
    exists: 'cac:PaymentMeans/cac:PaymentMandate',
    terms: {
      mandate: 'cac:PaymentMeans/cac:PaymentMandate/cbc:ID',
      creditor:
        'cac:AccountingSupplierParty/cac:Party/cac:PartyIdentification[cbc:ID/@schemeID=SEPA]/cbc:ID | ' +
        'cac:PayeeParty/cac:PartyIdentification[cbc:ID/@schemeID=SEPA]/cbc:ID',
      account: 'cac:PaymentMeans/cac:PaymentMandate/cac:PayerFinancialAccount/cbc:ID',
    },
  },
};

const shared: Omit<Bindings<InvoiceTerms>, Different> = {
  number: 'cbc:ID',
  issueDate: 'cbc:IssueDate',
  currency: 'cbc:DocumentCurrencyCode',
  vatCurrency: 'cbc:TaxCurrencyCode',
  taxPointDate: 'cbc:TaxPointDate',
  taxPointDateCode: 'cac:InvoicePeriod^/cbc:DescriptionCode',
  buyerReference: 'cbc:BuyerReference',
  contract: 'cac:ContractDocumentReference/cbc:ID',
  purchaseOrder: { path: 'cac:OrderReference/cbc:ID', read: (text) => (text === NO_ORDER ? undefined : text) },
  salesOrder: `cac:OrderReference{cbc:ID=${NO_ORDER}}/cbc:SalesOrderID`,
  receivingAdvice: 'cac:ReceiptDocumentReference/cbc:ID',
  despatchAdvice: 'cac:DespatchDocumentReference/cbc:ID',
  tender: 'cac:OriginatorDocumentReference/cbc:ID',
  object: 'cac:AdditionalDocumentReference[cbc:DocumentTypeCode=130]/cbc:ID',
  buyerAccountingReference: 'cbc:AccountingCost',
  paymentTerms: { path: 'cac:PaymentTerms/cbc:Note', ...discountLine },
  notes: { path: 'cbc:Note', text: note, terms: { subjectCode: '.', text: '.' } },
  process: { path: '.', terms: { businessProcess: 'cbc:ProfileID', specification: 'cbc:CustomizationID' } },
  precedingInvoices: {
    path: 'cac:BillingReference+/cac:InvoiceDocumentReference',
    terms: { number: 'cbc:ID', issueDate: 'cbc:IssueDate' },
  },
  ...ublParties,
  payment: { path: '.', exists: 'cac:PaymentMeans', terms: payment },
  allowances: { path: 'cac:AllowanceCharge[cbc:ChargeIndicator=false|0]', terms: ALLOWANCE_OR_CHARGE },
  charges: { path: 'cac:AllowanceCharge[cbc:ChargeIndicator=true|1]', terms: ALLOWANCE_OR_CHARGE },
  totals: {
    path: '.',
    exists: 'cac:LegalMonetaryTotal',
    terms: {
      lines: 'cac:LegalMonetaryTotal/cbc:LineExtensionAmount',
      allowances: 'cac:LegalMonetaryTotal/cbc:AllowanceTotalAmount',
      charges: 'cac:LegalMonetaryTotal/cbc:ChargeTotalAmount',
      withoutVat: 'cac:LegalMonetaryTotal/cbc:TaxExclusiveAmount',
      vat: 'cac:TaxTotal[cbc:TaxAmount/@currencyID=$currency]/cbc:TaxAmount',
      vatInAccountingCurrency: 'cac:TaxTotal[cbc:TaxAmount/@currencyID=$vatCurrency]/cbc:TaxAmount',
      withVat: 'cac:LegalMonetaryTotal/cbc:TaxInclusiveAmount',
      paid: 'cac:LegalMonetaryTotal/cbc:PrepaidAmount',
      rounding: 'cac:LegalMonetaryTotal/cbc:PayableRoundingAmount',
      due: 'cac:LegalMonetaryTotal/cbc:PayableAmount',
    },
  },
  vatBreakdown: {
    path: 'cac:TaxTotal/cac:TaxSubtotal+',
    terms: {
      taxableAmount: 'cbc:TaxableAmount',
      taxAmount: 'cbc:TaxAmount',
      category: 'cac:TaxCategory{cac:TaxScheme/cbc:ID=VAT}/cbc:ID',
      rate: 'cac:TaxCategory{cac:TaxScheme/cbc:ID=VAT}/cbc:Percent',
      exemptionReason: 'cac:TaxCategory{cac:TaxScheme/cbc:ID=VAT}/cbc:TaxExemptionReason',
      exemptionReasonCode: 'cac:TaxCategory{cac:TaxScheme/cbc:ID=VAT}/cbc:TaxExemptionReasonCode',
    },
  },
};

const SUPPORTING_DOCUMENT = {
  reference: 'cbc:ID',
  description: 'cbc:DocumentDescription',
  location: 'cac:Attachment/cac:ExternalReference/cbc:URI',
  attachment: 'cac:Attachment/cbc:EmbeddedDocumentBinaryObject',
};

const invoice: Bindings<InvoiceTerms> = {
  ...shared,
  typeCode: 'cbc:InvoiceTypeCode',
  dueDate: 'cbc:DueDate',
  project: 'cac:ProjectReference/cbc:ID',
  supportingDocuments: {
    path: 'cac:AdditionalDocumentReference[cbc:DocumentTypeCode!=130]',
    terms: SUPPORTING_DOCUMENT,
  },
  thirdPartyPayments: {
    path: 'cac:PrepaidPayment',
    terms: { type: 'cbc:ID', amount: 'cbc:PaidAmount', description: 'cbc:InstructionID' },
  },
  lines: ublLines('Invoice'),
};

const creditNote: Bindings<InvoiceTerms> = {
  ...shared,
  typeCode: 'cbc:CreditNoteTypeCode',
  dueDate: 'cac:PaymentMeans*/cbc:PaymentDueDate',
  project: 'cac:AdditionalDocumentReference[cbc:DocumentTypeCode=50]/cbc:ID',
  supportingDocuments: {
    path: 'cac:AdditionalDocumentReference[cbc:DocumentTypeCode!=130|50]',
    terms: SUPPORTING_DOCUMENT,
  },
  thirdPartyPayments: null,
  lines: ublLines('CreditNote'),
};

/** UBL 2.1 Invoice (EN 16931-3-2); paths begin at the root element. */
export const ublInvoice: CompiledGroup = compileBindings<InvoiceTerms>(invoiceModel, { path: '.', terms: invoice });

/** UBL 2.1 CreditNote (EN 16931-3-2); paths begin at the root element. */
export const ublCreditNote: CompiledGroup = compileBindings<InvoiceTerms>(invoiceModel, {
  path: '.',
  terms: creditNote,
});
