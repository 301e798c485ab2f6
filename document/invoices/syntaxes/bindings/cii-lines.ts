import type { lineTerms } from '../../model/index.js';
import type { Bindings, GroupPlace } from './binding.js';

const SETTLEMENT = 'ram:SpecifiedLineTradeSettlement';
const AGREEMENT = 'ram:SpecifiedLineTradeAgreement';
const GROSS = `${AGREEMENT}/ram:GrossPriceProductTradePrice`;
const NET = `${AGREEMENT}/ram:NetPriceProductTradePrice`;
const QUANTITY = 'ram:SpecifiedLineTradeDelivery/ram:BilledQuantity';
const ALLOWANCE = 'ram:SpecifiedTradeAllowanceCharge[ram:ChargeIndicator/udt:Indicator=false|0]';
const CHARGE = 'ram:SpecifiedTradeAllowanceCharge[ram:ChargeIndicator/udt:Indicator=true|1]';

const ALLOWANCE_OR_CHARGE = {
  amount: 'ram:ActualAmount',
  baseAmount: 'ram:BasisAmount',
  percentage: 'ram:CalculationPercent',
  reason: 'ram:Reason',
  reasonCode: 'ram:ReasonCode',
};

const terms: Bindings<typeof lineTerms> = {
  id: 'ram:AssociatedDocumentLineDocument/ram:LineID',
  note: 'ram:AssociatedDocumentLineDocument/ram:IncludedNote/ram:Content',
  object: {
    path: `${SETTLEMENT}/ram:AdditionalReferencedDocument[ram:TypeCode=130]/ram:IssuerAssignedID`,
    scheme: '../ram:ReferenceTypeCode',
  },
  quantity: QUANTITY,
  unit: `${QUANTITY}/@unitCode`,
  netAmount: `${SETTLEMENT}/ram:SpecifiedTradeSettlementLineMonetarySummation/ram:LineTotalAmount`,
  orderLineReference: `${AGREEMENT}/ram:BuyerOrderReferencedDocument/ram:LineID`,
  buyerAccountingReference: `${SETTLEMENT}/ram:ReceivableSpecifiedTradeAccountingAccount/ram:ID`,
  period: {
    path: `${SETTLEMENT}/ram:BillingSpecifiedPeriod`,
    terms: { start: 'ram:StartDateTime/udt:DateTimeString', end: 'ram:EndDateTime/udt:DateTimeString' },
  },
  allowances: { path: `${SETTLEMENT}/${ALLOWANCE}`, terms: ALLOWANCE_OR_CHARGE },
  charges: { path: `${SETTLEMENT}/${CHARGE}`, terms: ALLOWANCE_OR_CHARGE },
  price: {
    path: '.',
    exists: AGREEMENT,
    terms: {
      net: `${NET}/ram:ChargeAmount`,
      discount: `${GROSS}/ram:AppliedTradeAllowanceCharge[ram:ChargeIndicator/udt:Indicator=false|0]/ram:ActualAmount`,
      gross: `${GROSS}/ram:ChargeAmount`,
      baseQuantity: `${NET}/ram:BasisQuantity | ${GROSS}/ram:BasisQuantity`,
      baseQuantityUnit: `${NET}/ram:BasisQuantity/@unitCode | ${GROSS}/ram:BasisQuantity/@unitCode`,
    },
  },
  vat: {
    path: `${SETTLEMENT}/ram:ApplicableTradeTax{ram:TypeCode=VAT}`,
    terms: { category: 'ram:CategoryCode', rate: 'ram:RateApplicablePercent' },
  },
  item: {
    path: 'ram:SpecifiedTradeProduct',
    terms: {
      name: 'ram:Name',
      description: 'ram:Description',
      sellerIdentifier: 'ram:SellerAssignedID',
      buyerIdentifier: 'ram:BuyerAssignedID',
      standardIdentifier: 'ram:GlobalID',
      classifications: {
        path: 'ram:DesignatedProductClassification+/ram:ClassCode',
        scheme: '@listID',
        schemeVersion: '@listVersionID',
      },
      originCountry: 'ram:OriginTradeCountry/ram:ID',
      attributes: {
        path: 'ram:ApplicableProductCharacteristic',
        terms: { name: 'ram:Description', value: 'ram:Value' },
      },
    },
  },
};

/** BG-25. Sub lines (BG-DEX-01) have no place in CII. */
export const ciiLines: GroupPlace<typeof lineTerms> = {
  path: 'rsm:SupplyChainTradeTransaction/ram:IncludedSupplyChainTradeLineItem',
  terms,
};
