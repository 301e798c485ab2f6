import {
  agreement,
  allowanceCharge,
  date,
  lineAgreement,
  lineSettlement,
  oneIdentifier,
  product,
  quantityUnit,
  referencedDocument,
  root,
  settlement,
  totals,
  tradeTax,
} from './cii-statements.js';
import { parsePathTable, type PathTree } from './path-table.js';
import { atMost, type Context, exactlyOne } from './statement.js';
import { UNUSED_IN_CII } from './unused-cii.js';

// CII-SR and CII-DT of the artefacts of EN 16931, version 1.3.16, in the order in which they apply.

const ruleOf = (number: string): string => (number.startsWith('DT-') ? `CII-${number}` : `CII-SR-${number}`);
const unused = (name: keyof typeof UNUSED_IN_CII): PathTree => parsePathTable(UNUSED_IN_CII[name], ruleOf);

const transaction = '/rsm:CrossIndustryInvoice/rsm:SupplyChainTradeTransaction';
const line = `${transaction}/ram:IncludedSupplyChainTradeLineItem`;

const PLAIN_IDENTIFIERS = [
  '/rsm:CrossIndustryInvoice/rsm:ExchangedDocumentContext/ram:GuidelineSpecifiedDocumentContextParameter/ram:ID',
  '/rsm:CrossIndustryInvoice/rsm:ExchangedDocument/ram:ID',
  `${line}/ram:AssociatedDocumentLineDocument/ram:LineID`,
  `${line}/ram:SpecifiedTradeProduct/ram:SellerAssignedID`,
].join(' | ');

export const CII_CONTEXTS: readonly Context[] = [
  { on: 'ram:SpecifiedTradeSettlementPaymentMeans', unused: unused('paymentMeans') },
  {
    on: '/rsm:CrossIndustryInvoice/rsm:ExchangedDocumentContext',
    unused: unused('context'),
    statements: [
      atMost('CII-SR-003', 'ram:BusinessProcessSpecifiedDocumentContextParameter', 'BT-23', 'warning'),
      exactlyOne('CII-SR-009', 'ram:GuidelineSpecifiedDocumentContextParameter', 'BT-24'),
      exactlyOne('CII-SR-010', 'ram:GuidelineSpecifiedDocumentContextParameter/ram:ID', 'BT-24'),
    ],
  },
  {
    on: '/rsm:CrossIndustryInvoice/rsm:ExchangedDocument',
    unused: unused('document'),
    statements: [exactlyOne('CII-SR-014', 'ram:TypeCode', 'BT-3')],
  },
  {
    on: '/rsm:CrossIndustryInvoice/rsm:ExchangedDocument/ram:IncludedNote',
    statements: [atMost('CII-SR-030', 'ram:Content', 'BT-22', 'warning')],
  },
  { on: line, unused: unused('line') },
  {
    on: `${line}/ram:AssociatedDocumentLineDocument`,
    unused: unused('lineDocument'),
    statements: [
      atMost('CII-SR-039', 'ram:IncludedNote', 'BT-127', 'warning'),
      atMost('CII-SR-040', 'ram:IncludedNote/ram:Content', 'BT-127', 'warning'),
    ],
  },
  {
    on: `${line}/ram:SpecifiedTradeProduct`,
    unused: unused('product'),
    statements: product,
  },
  {
    on: `${line}/ram:SpecifiedTradeProduct/ram:ApplicableProductCharacteristic`,
    statements: [
      exactlyOne('CII-SR-069', 'ram:Description', 'BT-160'),
      exactlyOne('CII-SR-072', 'ram:Value', 'BT-161'),
    ],
  },
  {
    on: `${line}/ram:SpecifiedLineTradeAgreement`,
    unused: unused('lineAgreement'),
    statements: lineAgreement,
  },
  { on: 'ram:SpecifiedTradeAllowanceCharge', statements: allowanceCharge },
  {
    on: 'ram:GrossPriceProductTradePrice/ram:AppliedTradeAllowanceCharge',
    statements: [atMost('CII-SR-440', 'ram:ActualAmount', 'BT-147')],
  },
  { on: `${line}/ram:SpecifiedLineTradeDelivery`, unused: unused('lineDelivery') },
  {
    on: `${line}/ram:SpecifiedLineTradeSettlement`,
    unused: unused('lineSettlement'),
    statements: lineSettlement,
  },
  { on: `${transaction}/ram:ApplicableHeaderTradeAgreement`, unused: unused('agreement'), statements: agreement },
  {
    on: `${transaction}/ram:ApplicableHeaderTradeDelivery`,
    unused: unused('delivery'),
    statements: [oneIdentifier('CII-SR-449', 'ram:ShipToTradeParty', 'BT-71')],
  },
  { on: `${transaction}/ram:ApplicableHeaderTradeSettlement`, unused: unused('settlement'), statements: settlement },
  {
    on: `${transaction}/ram:ApplicableHeaderTradeSettlement/ram:SpecifiedTradeSettlementHeaderMonetarySummation`,
    unused: unused('totals'),
    statements: totals,
  },
  { on: '/rsm:CrossIndustryInvoice', unused: unused('root'), statements: root },
  { on: '*DocumentContextParameter', unused: unused('contextParameter') },
  { on: PLAIN_IDENTIFIERS, unused: unused('plainIdentifier') },
  { on: 'ram:*ID', unused: unused('identifier') },
  { on: 'ram:TypeCode', unused: unused('typeCode') },
  // Never applies in the artefacts either: the context before it has the same elements.
  { on: '/rsm:CrossIndustryInvoice/rsm:ExchangedDocument/ram:TypeCode', unused: unused('invoiceTypeCode') },
  {
    on: `${line}/ram:SpecifiedLineTradeSettlement/ram:ApplicableTradeTax/ram:CategoryCode`,
    unused: unused('lineCategory'),
  },
  { on: 'ram:*ReferencedDocument', unused: unused('referencedDocument'), statements: referencedDocument },
  { on: 'ram:*Amount', where: (it) => it.qname !== 'ram:TaxTotalAmount', unused: unused('amount') },
  { on: 'ram:*Quantity', unused: unused('quantity'), statements: [quantityUnit] },
  { on: 'ram:*TradeTax', unused: unused('tradeTax'), statements: tradeTax },
  { on: 'ram:BillingSpecifiedPeriod', unused: unused('period') },
  { on: 'ram:PostalTradeAddress', unused: unused('address') },
  {
    on: 'udt:DateTimeString',
    where: (it) => it.attributes.get('format') === '102',
    statements: [date],
  },
];
