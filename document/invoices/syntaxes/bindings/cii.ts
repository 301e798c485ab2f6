import { invoiceModel, type invoiceTerms, type lineTerms } from '../../model/index.js';
import type { Group } from '../../model/index.js';
import { compileBindings, type Bindings, type GroupPlace, withPlaces } from './binding.js';
import { extendedPlaces } from './cii-extended.js';
import { ciiLines } from './cii-lines.js';
import { ciiParties } from './cii-parties.js';
import { discountLine, looksLikeIban, taxPointCode } from './codes.js';

type InvoiceTerms = typeof invoiceTerms & { readonly lines: Group<'1..n', typeof lineTerms> };

const CONTEXT = 'rsm:ExchangedDocumentContext';
const DOCUMENT = 'rsm:ExchangedDocument';
const TRANSACTION = 'rsm:SupplyChainTradeTransaction';
const AGREEMENT = `${TRANSACTION}/ram:ApplicableHeaderTradeAgreement`;
const DELIVERY = `${TRANSACTION}/ram:ApplicableHeaderTradeDelivery`;
const SETTLEMENT = `${TRANSACTION}/ram:ApplicableHeaderTradeSettlement`;
const MEANS = `${SETTLEMENT}/ram:SpecifiedTradeSettlementPaymentMeans`;
const PAYMENT_TERMS = `${SETTLEMENT}/ram:SpecifiedTradePaymentTerms`;
const TAX = `${SETTLEMENT}/ram:ApplicableTradeTax`;
const TOTALS = 'ram:SpecifiedTradeSettlementHeaderMonetarySummation';
const ACCOUNT = 'ram:PayeePartyCreditorFinancialAccount';

const ALLOWANCE_OR_CHARGE = {
  amount: 'ram:ActualAmount',
  baseAmount: 'ram:BasisAmount',
  percentage: 'ram:CalculationPercent',
  vatCategory: 'ram:CategoryTradeTax{ram:TypeCode=VAT}/ram:CategoryCode',
  vatRate: 'ram:CategoryTradeTax{ram:TypeCode=VAT}/ram:RateApplicablePercent',
  reason: 'ram:Reason',
  reasonCode: 'ram:ReasonCode',
};

const payment: Bindings<(typeof invoiceTerms)['payment']['terms']> = {
  meansCode: `${MEANS}*/ram:TypeCode`,
  meansText: `${MEANS}*/ram:Information`,
  remittance: `${SETTLEMENT}/ram:PaymentReference`,
  transfers: {
    path: `${MEANS}[${ACCOUNT}|ram:PayeeSpecifiedCreditorFinancialInstitution]`,
    terms: {
      account: {
        path: `${ACCOUNT}/ram:IBANID | ${ACCOUNT}/ram:ProprietaryID`,
        choose: (value) => (looksLikeIban(value) ? 0 : 1),
      },
      accountName: `${ACCOUNT}/ram:AccountName`,
      serviceProvider: 'ram:PayeeSpecifiedCreditorFinancialInstitution/ram:BICID',
    },
  },
  card: {
    path: `${MEANS}/ram:ApplicableTradeSettlementFinancialCard`,
    terms: { number: 'ram:ID', holder: 'ram:CardholderName' },
  },
  directDebit: {
    path: '.',
    terms: {
      mandate: `${PAYMENT_TERMS}/ram:DirectDebitMandateID`,
      creditor: `${SETTLEMENT}/ram:CreditorReferenceID`,
      account: `${MEANS}/ram:PayerPartyDebtorFinancialAccount/ram:IBANID`,
    },
  },
};

const references: Pick<
  Bindings<InvoiceTerms>,
  'project' | 'contract' | 'purchaseOrder' | 'salesOrder' | 'receivingAdvice' | 'despatchAdvice' | 'tender' | 'object'
> = {
  project: `${AGREEMENT}/ram:SpecifiedProcuringProject{ram:Name=Project reference}/ram:ID`,
  contract: `${AGREEMENT}/ram:ContractReferencedDocument/ram:IssuerAssignedID`,
  purchaseOrder: `${AGREEMENT}/ram:BuyerOrderReferencedDocument/ram:IssuerAssignedID`,
  salesOrder: `${AGREEMENT}/ram:SellerOrderReferencedDocument/ram:IssuerAssignedID`,
  receivingAdvice: `${DELIVERY}/ram:ReceivingAdviceReferencedDocument/ram:IssuerAssignedID`,
  despatchAdvice: `${DELIVERY}/ram:DespatchAdviceReferencedDocument/ram:IssuerAssignedID`,
  tender: `${AGREEMENT}/ram:AdditionalReferencedDocument[ram:TypeCode=50]/ram:IssuerAssignedID`,
  object: {
    path: `${AGREEMENT}/ram:AdditionalReferencedDocument[ram:TypeCode=130]/ram:IssuerAssignedID`,
    scheme: '../ram:ReferenceTypeCode',
  },
};

const terms: Bindings<InvoiceTerms> = {
  number: `${DOCUMENT}/ram:ID`,
  issueDate: `${DOCUMENT}/ram:IssueDateTime/udt:DateTimeString`,
  typeCode: `${DOCUMENT}/ram:TypeCode`,
  currency: `${SETTLEMENT}/ram:InvoiceCurrencyCode`,
  vatCurrency: `${SETTLEMENT}/ram:TaxCurrencyCode`,
  taxPointDate: `${TAX}^/ram:TaxPointDate/udt:DateString`,
  taxPointDateCode: { path: `${TAX}*/ram:DueDateTypeCode`, ...taxPointCode },
  dueDate: `${PAYMENT_TERMS}/ram:DueDateDateTime/udt:DateTimeString`,
  buyerReference: `${AGREEMENT}/ram:BuyerReference`,
  ...references,
  buyerAccountingReference: `${SETTLEMENT}/ram:ReceivableSpecifiedTradeAccountingAccount/ram:ID`,
  paymentTerms: { path: `${PAYMENT_TERMS}/ram:Description`, ...discountLine },
  notes: { path: `${DOCUMENT}/ram:IncludedNote`, terms: { subjectCode: 'ram:SubjectCode', text: 'ram:Content' } },
  process: {
    path: CONTEXT,
    terms: {
      businessProcess: 'ram:BusinessProcessSpecifiedDocumentContextParameter/ram:ID',
      specification: 'ram:GuidelineSpecifiedDocumentContextParameter/ram:ID',
    },
  },
  precedingInvoices: {
    path: `${SETTLEMENT}/ram:InvoiceReferencedDocument`,
    terms: { number: 'ram:IssuerAssignedID', issueDate: 'ram:FormattedIssueDateTime/qdt:DateTimeString' },
  },
  ...ciiParties,
  payment: { path: '.', exists: MEANS, terms: payment },
  allowances: {
    path: `${SETTLEMENT}/ram:SpecifiedTradeAllowanceCharge[ram:ChargeIndicator/udt:Indicator=false|0]`,
    terms: ALLOWANCE_OR_CHARGE,
  },
  charges: {
    path: `${SETTLEMENT}/ram:SpecifiedTradeAllowanceCharge[ram:ChargeIndicator/udt:Indicator=true|1]`,
    terms: ALLOWANCE_OR_CHARGE,
  },
  totals: {
    path: `${SETTLEMENT}/${TOTALS}`,
    terms: {
      lines: 'ram:LineTotalAmount',
      allowances: 'ram:AllowanceTotalAmount',
      charges: 'ram:ChargeTotalAmount',
      withoutVat: 'ram:TaxBasisTotalAmount',
      vat: 'ram:TaxTotalAmount[@currencyID=$currency]',
      vatInAccountingCurrency: 'ram:TaxTotalAmount[@currencyID=$vatCurrency]',
      withVat: 'ram:GrandTotalAmount',
      paid: 'ram:TotalPrepaidAmount',
      rounding: 'ram:RoundingAmount',
      due: 'ram:DuePayableAmount',
    },
  },
  vatBreakdown: {
    path: `${TAX}{ram:TypeCode=VAT}`,
    terms: {
      taxableAmount: 'ram:BasisAmount',
      taxAmount: 'ram:CalculatedAmount',
      category: 'ram:CategoryCode',
      rate: 'ram:RateApplicablePercent',
      exemptionReason: 'ram:ExemptionReason',
      exemptionReasonCode: 'ram:ExemptionReasonCode',
    },
  },
  supportingDocuments: {
    path: `${AGREEMENT}/ram:AdditionalReferencedDocument[ram:TypeCode!=50|130]{ram:TypeCode=916}`,
    terms: {
      reference: 'ram:IssuerAssignedID',
      description: 'ram:Name',
      location: 'ram:URIID',
      attachment: 'ram:AttachmentBinaryObject',
    },
  },
  thirdPartyPayments: null,
  lines: ciiLines,
};

/** CII D16B (EN 16931-3-3); paths begin at the root element. */
export const cii = compileBindings<InvoiceTerms>(invoiceModel, { path: '.', terms });

/** The same with what Factur-X EXTENDED adds. */
export const ciiExtended = compileBindings<InvoiceTerms>(
  invoiceModel,
  withPlaces<GroupPlace<InvoiceTerms>>({ path: '.', terms }, extendedPlaces),
);
