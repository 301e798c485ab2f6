import type { lineTerms, Group } from '../../model/index.js';
import type { Bindings, GroupPlace } from './binding.js';

const ALLOWANCE_OR_CHARGE = {
  amount: 'cbc:Amount',
  baseAmount: 'cbc:BaseAmount',
  percentage: 'cbc:MultiplierFactorNumeric',
  reason: 'cbc:AllowanceChargeReason',
  reasonCode: 'cbc:AllowanceChargeReasonCode',
};

/** UBL demands an amount where there is a gross price: no discount is 0 (BT-146 = BT-148 - BT-147). */
const DISCOUNT =
  'cac:Price/cac:AllowanceCharge[cbc:ChargeIndicator=false|0]{cbc:Amount=0}{cbc:Amount/@currencyID=$currency}';

const shared: Omit<Bindings<typeof lineTerms>, 'quantity' | 'unit'> = {
  id: 'cbc:ID',
  note: 'cbc:Note',
  object: 'cac:DocumentReference[cbc:DocumentTypeCode=130]/cbc:ID',
  netAmount: 'cbc:LineExtensionAmount',
  orderLineReference: 'cac:OrderLineReference/cbc:LineID',
  buyerAccountingReference: 'cbc:AccountingCost',
  period: { path: 'cac:InvoicePeriod', terms: { start: 'cbc:StartDate', end: 'cbc:EndDate' } },
  allowances: { path: 'cac:AllowanceCharge[cbc:ChargeIndicator=false|0]', terms: ALLOWANCE_OR_CHARGE },
  charges: { path: 'cac:AllowanceCharge[cbc:ChargeIndicator=true|1]', terms: ALLOWANCE_OR_CHARGE },
  price: {
    path: '.',
    exists: 'cac:Price',
    terms: {
      net: 'cac:Price/cbc:PriceAmount',
      discount: `${DISCOUNT}/cbc:Amount`,
      gross: `${DISCOUNT}/cbc:BaseAmount`,
      baseQuantity: 'cac:Price/cbc:BaseQuantity',
      baseQuantityUnit: 'cac:Price/cbc:BaseQuantity/@unitCode',
    },
  },
  vat: {
    path: 'cac:Item/cac:ClassifiedTaxCategory{cac:TaxScheme/cbc:ID=VAT}',
    terms: { category: 'cbc:ID', rate: 'cbc:Percent' },
  },
  item: {
    path: 'cac:Item',
    terms: {
      name: 'cbc:Name',
      description: 'cbc:Description',
      sellerIdentifier: 'cac:SellersItemIdentification/cbc:ID',
      buyerIdentifier: 'cac:BuyersItemIdentification/cbc:ID',
      standardIdentifier: 'cac:StandardItemIdentification/cbc:ID',
      classifications: {
        path: 'cac:CommodityClassification+/cbc:ItemClassificationCode',
        scheme: '@listID',
        schemeVersion: '@listVersionID',
      },
      originCountry: 'cac:OriginCountry/cbc:IdentificationCode',
      attributes: { path: 'cac:AdditionalItemProperty', terms: { name: 'cbc:Name', value: 'cbc:Value' } },
    },
  },
};

/** The terms of a line, and its sub lines (BG-DEX-01 of the extension of XRechnung), which have sub lines again. */
export type LineTerms = typeof lineTerms & { readonly subLines: Group<'0..n'> };

/** BG-25 of an invoice (`Invoice`) or a credit note (`CreditNote`). */
export function ublLines(document: 'Invoice' | 'CreditNote'): GroupPlace<LineTerms> {
  const quantity = document === 'Invoice' ? 'cbc:InvoicedQuantity' : 'cbc:CreditedQuantity';
  const terms = { ...shared, quantity, unit: `${quantity}/@unitCode` };
  const subLines: GroupPlace = { path: `cac:Sub${document}Line`, terms: {} };
  Object.assign(subLines.terms, terms, { subLines });
  return { path: `cac:${document}Line`, terms: { ...terms, subLines } };
}
