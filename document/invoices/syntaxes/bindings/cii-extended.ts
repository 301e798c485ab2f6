import type { AddedGroup, AddedPlaces, TermPlace } from './binding.js';

// Where CII keeps what Factur-X EXTENDED adds (model/extended.ts).

const TRANSACTION = 'rsm:SupplyChainTradeTransaction';
const AGREEMENT = `${TRANSACTION}/ram:ApplicableHeaderTradeAgreement`;
const DELIVERY = `${TRANSACTION}/ram:ApplicableHeaderTradeDelivery`;
const SETTLEMENT = `${TRANSACTION}/ram:ApplicableHeaderTradeSettlement`;
const TERMS = `${SETTLEMENT}/ram:SpecifiedTradePaymentTerms`;
const LINE_DOCUMENT = 'ram:AssociatedDocumentLineDocument';
const LINE_AGREEMENT = 'ram:SpecifiedLineTradeAgreement';
const LINE_DELIVERY = 'ram:SpecifiedLineTradeDelivery';
const LINE_SETTLEMENT = 'ram:SpecifiedLineTradeSettlement';
const LINE_TOTALS = `${LINE_SETTLEMENT}/ram:SpecifiedTradeSettlementLineMonetarySummation`;
const GROSS = `${LINE_AGREEMENT}/ram:GrossPriceProductTradePrice`;
const DISCOUNT = `${GROSS}/ram:AppliedTradeAllowanceCharge[ram:ChargeIndicator/udt:Indicator=false|0]`;
const PRICE_CHARGE = `${GROSS}/ram:AppliedTradeAllowanceCharge[ram:ChargeIndicator/udt:Indicator=true|1]`;
const ISSUED = 'ram:FormattedIssueDateTime/qdt:DateTimeString';

const ADDRESS = {
  line1: 'ram:LineOne',
  line2: 'ram:LineTwo',
  line3: 'ram:LineThree',
  city: 'ram:CityName',
  postCode: 'ram:PostcodeCode',
  subdivision: 'ram:CountrySubDivisionName',
  country: 'ram:CountryID',
};

const FAX = 'ram:FaxUniversalCommunication/ram:CompleteNumber';
const contact = (path: string): AddedGroup => ({
  path: `${path}ram:DefinedTradeContact`,
  terms: {
    name: 'ram:PersonName',
    department: 'ram:DepartmentName',
    telephone: 'ram:TelephoneUniversalCommunication/ram:CompleteNumber',
    fax: FAX,
    email: 'ram:EmailURIUniversalCommunication/ram:URIID',
  },
});

const VAT_ID = 'ram:SpecifiedTaxRegistration[ram:ID/@schemeID=VA]/ram:ID';

/** An identifier with a scheme is a GlobalID. */
const PARTY_ID: TermPlace = {
  path: 'ram:ID | ram:GlobalID',
  choose: (_value, scheme) => (scheme === undefined ? 0 : 1),
};

const party = (path: string): AddedGroup => ({
  path,
  terms: {
    name: 'ram:Name',
    tradingName: 'ram:SpecifiedLegalOrganization/ram:TradingBusinessName',
    identifiers: PARTY_ID,
    legalRegistration: 'ram:SpecifiedLegalOrganization/ram:ID',
    vatIdentifier: VAT_ID,
    electronicAddress: 'ram:URIUniversalCommunication/ram:URIID',
    role: 'ram:RoleCode',
    address: { path: 'ram:PostalTradeAddress', terms: ADDRESS },
    contact: contact(''),
  },
});

const reference = (path: string): AddedGroup => ({
  path,
  terms: { number: 'ram:IssuerAssignedID', date: ISSUED },
});

const lineReference = (path: string): AddedGroup => ({
  path,
  terms: { number: 'ram:IssuerAssignedID', date: ISSUED, line: 'ram:LineID' },
});

const condition = (terms: string, amount: string): AddedPlaces => ({
  date: `${terms}ram:BasisDateTime/udt:DateTimeString`,
  period: `${terms}ram:BasisPeriodMeasure`,
  periodUnit: `${terms}ram:BasisPeriodMeasure/@unitCode`,
  baseAmount: `${terms}ram:BasisAmount`,
  percentage: `${terms}ram:CalculationPercent`,
  amount: `${terms}${amount}`,
});

const PRICE_PART = {
  amount: 'ram:ActualAmount',
  percentage: 'ram:CalculationPercent',
  baseAmount: 'ram:BasisAmount',
  reason: 'ram:Reason',
};

const lines: AddedPlaces = {
  noteSubjectCode: `${LINE_DOCUMENT}/ram:IncludedNote/ram:SubjectCode`,
  noteContentCode: `${LINE_DOCUMENT}/ram:IncludedNote/ram:ContentCode`,
  parent: `${LINE_DOCUMENT}/ram:ParentLineID`,
  status: `${LINE_DOCUMENT}/ram:LineStatusCode`,
  subtype: `${LINE_DOCUMENT}/ram:LineStatusReasonCode`,
  orderReference: `${LINE_AGREEMENT}/ram:BuyerOrderReferencedDocument/ram:IssuerAssignedID`,
  orderDate: `${LINE_AGREEMENT}/ram:BuyerOrderReferencedDocument/${ISSUED}`,
  quotation: lineReference(`${LINE_AGREEMENT}/ram:QuotationReferencedDocument`),
  contract: lineReference(`${LINE_AGREEMENT}/ram:ContractReferencedDocument`),
  ultimateCustomerOrders: lineReference(`${LINE_AGREEMENT}/ram:UltimateCustomerOrderReferencedDocument`),
  despatchAdvice: lineReference(`${LINE_DELIVERY}/ram:DespatchAdviceReferencedDocument`),
  receivingAdvice: lineReference(`${LINE_DELIVERY}/ram:ReceivingAdviceReferencedDocument`),
  deliveryNote: lineReference(`${LINE_DELIVERY}/ram:DeliveryNoteReferencedDocument`),
  precedingInvoice: lineReference(`${LINE_SETTLEMENT}/ram:InvoiceReferencedDocument`),
  chargeFreeQuantity: `${LINE_DELIVERY}/ram:ChargeFreeQuantity`,
  chargeFreeUnit: `${LINE_DELIVERY}/ram:ChargeFreeQuantity/@unitCode`,
  packages: `${LINE_DELIVERY}/ram:PackageQuantity`,
  packageUnit: `${LINE_DELIVERY}/ram:PackageQuantity/@unitCode`,
  deliveryDate: `${LINE_DELIVERY}/ram:ActualDeliverySupplyChainEvent/ram:OccurrenceDateTime/udt:DateTimeString`,
  chargeTotal: `${LINE_TOTALS}/ram:ChargeTotalAmount`,
  allowanceTotal: `${LINE_TOTALS}/ram:AllowanceTotalAmount`,
  allowanceChargeTotal: `${LINE_TOTALS}/ram:TotalAllowanceChargeAmount`,
  grossAmount: `${LINE_TOTALS}/ram:GrandTotalAmount`,
  price: {
    discountPercentage: `${DISCOUNT}^/ram:CalculationPercent`,
    discountBaseAmount: `${DISCOUNT}^/ram:BasisAmount`,
    discountReason: `${DISCOUNT}^/ram:Reason`,
    discountReasonCode: `${DISCOUNT}^/ram:ReasonCode`,
    furtherDiscounts: { path: DISCOUNT, after: 1, terms: PRICE_PART },
    charges: { path: PRICE_CHARGE, terms: PRICE_PART },
  },
  vat: {
    amount: 'ram:CalculatedAmount',
    exemptionReason: 'ram:ExemptionReason',
    exemptionReasonCode: 'ram:ExemptionReasonCode',
  },
  item: {
    identifier: 'ram:ID',
    industryIdentifier: 'ram:IndustryAssignedID',
    modelIdentifier: 'ram:ModelID',
    batches: 'ram:BatchID',
    brand: 'ram:BrandName',
    model: 'ram:ModelName',
    attributes: { type: 'ram:TypeCode' },
    instances: {
      path: 'ram:IndividualTradeProductInstance',
      terms: { batch: 'ram:BatchID', serialNumber: 'ram:SupplierAssignedSerialID' },
    },
    includedItems: {
      path: 'ram:IncludedReferencedProduct',
      terms: {
        identifier: 'ram:ID',
        standardIdentifiers: 'ram:GlobalID',
        sellerIdentifier: 'ram:SellerAssignedID',
        buyerIdentifier: 'ram:BuyerAssignedID',
        name: 'ram:Name',
        description: 'ram:Description',
        quantity: 'ram:UnitQuantity',
        unit: 'ram:UnitQuantity/@unitCode',
      },
    },
  },
  shipTo: party(`${LINE_DELIVERY}/ram:ShipToTradeParty`),
  ultimateShipTo: party(`${LINE_DELIVERY}/ram:UltimateShipToTradeParty`),
};

const SHIP_TO = `${DELIVERY}/ram:ShipToTradeParty`;

const delivery: AddedPlaces = {
  note: reference(`${DELIVERY}/ram:DeliveryNoteReferencedDocument`),
  electronicAddress: `${SHIP_TO}/ram:URIUniversalCommunication/ram:URIID`,
  tradingName: `${SHIP_TO}/ram:SpecifiedLegalOrganization/ram:TradingBusinessName`,
  legalRegistration: `${SHIP_TO}/ram:SpecifiedLegalOrganization/ram:ID`,
  vatIdentifier: `${SHIP_TO}/${VAT_ID}`,
  contact: contact(`${SHIP_TO}/`),
  ultimateShipTo: party(`${DELIVERY}/ram:UltimateShipToTradeParty`),
  shipFrom: party(`${DELIVERY}/ram:ShipFromTradeParty`),
};

const furtherReference = (code: string, terms: AddedPlaces): AddedGroup => ({
  path: `${AGREEMENT}/ram:AdditionalReferencedDocument[ram:TypeCode=${code}]`,
  after: 1,
  terms,
});

const DISCOUNT_TERMS = 'ram:ApplicableTradePaymentDiscountTerms';

/** Places in CII of the terms of EXTENDED. */
export const extendedPlaces: AddedPlaces = {
  name: 'rsm:ExchangedDocument/ram:Name',
  language: 'rsm:ExchangedDocument/ram:LanguageID',
  isCopy: 'rsm:ExchangedDocument/ram:CopyIndicator/udt:Indicator',
  contractualDueDate: 'rsm:ExchangedDocument/ram:EffectiveSpecifiedPeriod/ram:CompleteDateTime/udt:DateTimeString',
  sellerReference: `${SETTLEMENT}/ram:InvoiceIssuerReference`,
  contractDate: `${AGREEMENT}/ram:ContractReferencedDocument/${ISSUED}`,
  purchaseOrderDate: `${AGREEMENT}/ram:BuyerOrderReferencedDocument/${ISSUED}`,
  salesOrderDate: `${AGREEMENT}/ram:SellerOrderReferencedDocument/${ISSUED}`,
  despatchAdviceDate: `${DELIVERY}/ram:DespatchAdviceReferencedDocument/${ISSUED}`,
  receivingAdviceDate: `${DELIVERY}/ram:ReceivingAdviceReferencedDocument/${ISSUED}`,
  furtherObjects: furtherReference('130', {
    identifier: { path: 'ram:IssuerAssignedID', scheme: '../ram:ReferenceTypeCode' },
  }),
  furtherTenders: furtherReference('50', { reference: 'ram:IssuerAssignedID' }),
  quotation: reference(`${AGREEMENT}/ram:QuotationReferencedDocument`),
  ultimateCustomerOrders: reference(`${AGREEMENT}/ram:UltimateCustomerOrderReferencedDocument`),
  notes: { contentCode: 'ram:ContentCode' },
  process: { isTest: 'ram:TestIndicator/udt:Indicator' },
  // EN 16931 has the department as the name where there is no name.
  seller: { contact: { name: 'ram:PersonName', department: 'ram:DepartmentName', fax: FAX }, role: 'ram:RoleCode' },
  buyer: {
    // The first is the identifier of EN 16931 where there is no other.
    globalIdentifiers: { path: 'ram:GlobalID', besides: 'identifier' },
    legalInformation: 'ram:Description',
    contact: { name: 'ram:PersonName', department: 'ram:DepartmentName', fax: FAX },
    role: 'ram:RoleCode',
  },
  payee: {
    tradingName: 'ram:SpecifiedLegalOrganization/ram:TradingBusinessName',
    vatIdentifier: VAT_ID,
    address: { path: 'ram:PostalTradeAddress', terms: ADDRESS },
    contact: contact(''),
  },
  delivery,
  partialPayment: `${TERMS}/ram:PartialPaymentAmount`,
  discountTerms: { path: `${TERMS}/${DISCOUNT_TERMS}`, terms: condition('', 'ram:ActualDiscountAmount') },
  penaltyTerms: {
    path: `${TERMS}/ram:ApplicableTradePaymentPenaltyTerms`,
    terms: condition('', 'ram:ActualPenaltyAmount'),
  },
  furtherPaymentTerms: {
    path: TERMS,
    after: 1,
    terms: {
      text: 'ram:Description',
      dueDate: 'ram:DueDateDateTime/udt:DateTimeString',
      partialPayment: 'ram:PartialPaymentAmount',
      discountPercentage: `${DISCOUNT_TERMS}/ram:CalculationPercent`,
      discountPeriod: `${DISCOUNT_TERMS}/ram:BasisPeriodMeasure`,
      discountPeriodUnit: `${DISCOUNT_TERMS}/ram:BasisPeriodMeasure/@unitCode`,
      discountBaseAmount: `${DISCOUNT_TERMS}/ram:BasisAmount`,
      discountAmount: `${DISCOUNT_TERMS}/ram:ActualDiscountAmount`,
    },
  },
  logistics: {
    path: `${SETTLEMENT}/ram:SpecifiedLogisticsServiceCharge`,
    terms: {
      description: 'ram:Description',
      amount: 'ram:AppliedAmount',
      vatCategory: 'ram:AppliedTradeTax{ram:TypeCode=VAT}/ram:CategoryCode',
      vatRate: 'ram:AppliedTradeTax{ram:TypeCode=VAT}/ram:RateApplicablePercent',
    },
  },
  vatBreakdown: { lineAmount: 'ram:LineTotalBasisAmount', allowanceChargeAmount: 'ram:AllowanceChargeBasisAmount' },
  currencyExchange: {
    path: `${SETTLEMENT}/ram:TaxApplicableTradeCurrencyExchange`,
    terms: {
      source: 'ram:SourceCurrencyCode',
      target: 'ram:TargetCurrencyCode',
      rate: 'ram:ConversionRate',
      date: 'ram:ConversionRateDateTime/udt:DateTimeString',
    },
  },
  advancePayments: {
    path: `${SETTLEMENT}/ram:SpecifiedAdvancePayment`,
    terms: {
      amount: 'ram:PaidAmount',
      date: 'ram:FormattedReceivedDateTime/qdt:DateTimeString',
      taxes: {
        path: 'ram:IncludedTradeTax{ram:TypeCode=VAT}',
        terms: {
          amount: 'ram:CalculatedAmount',
          category: 'ram:CategoryCode',
          rate: 'ram:RateApplicablePercent',
          exemptionReason: 'ram:ExemptionReason',
          exemptionReasonCode: 'ram:ExemptionReasonCode',
        },
      },
    },
  },
  salesAgent: party(`${AGREEMENT}/ram:SalesAgentTradeParty`),
  buyerTaxRepresentative: party(`${AGREEMENT}/ram:BuyerTaxRepresentativeTradeParty`),
  productEndUser: party(`${AGREEMENT}/ram:ProductEndUserTradeParty`),
  buyerAgent: party(`${AGREEMENT}/ram:BuyerAgentTradeParty`),
  invoicer: party(`${SETTLEMENT}/ram:InvoicerTradeParty`),
  invoicee: party(`${SETTLEMENT}/ram:InvoiceeTradeParty`),
  payer: party(`${SETTLEMENT}/ram:PayerTradeParty`),
  lines,
};
