// A table of facts: the code lists that the schematrons of Factur-X 1.0.8 name for texts (".") and attributes, and the
// number of the rule (FX-SCH-A-000…). The format is that of restrictions.ts, the lists are in code-lists.ts.

export const FACTUR_X_CODES = `
  ApplicableHeaderTradeAgreement/AdditionalReferencedDocument[TypeCode=130]/FormattedIssueDateTime/qdt:DateTimeString |
  ApplicableHeaderTradeAgreement/AdditionalReferencedDocument[TypeCode=50]/FormattedIssueDateTime/qdt:DateTimeString |
  ApplicableHeaderTradeAgreement/AdditionalReferencedDocument[TypeCode=916]/FormattedIssueDateTime/qdt:DateTimeString |
  ReceivingAdviceReferencedDocument/FormattedIssueDateTime/qdt:DateTimeString |
  SellerOrderReferencedDocument/FormattedIssueDateTime/qdt:DateTimeString {mwbx}
    @format dateFormats 022
  ApplicableHeaderTradeAgreement/AdditionalReferencedDocument[TypeCode=130]/ReferenceTypeCode |
  SpecifiedLineTradeAgreement/AdditionalReferencedDocument/ReferenceTypeCode |
  SpecifiedLineTradeSettlement/AdditionalReferencedDocument/ReferenceTypeCode
    . referenceTypes 282
  ApplicableHeaderTradeAgreement/AdditionalReferencedDocument[TypeCode=130]/TypeCode
    . objectReference 023
  ApplicableHeaderTradeAgreement/AdditionalReferencedDocument[TypeCode=50]/TypeCode
    . tenderReference 023
  ApplicableHeaderTradeAgreement/AdditionalReferencedDocument[TypeCode=916]/AttachmentBinaryObject {mwbe}
    @mimeCode attachmentTypes 287
  ApplicableHeaderTradeAgreement/AdditionalReferencedDocument[TypeCode=916]/AttachmentBinaryObject {mwbx}
    @mimeCode attachmentTypesExtended 287
  ApplicableHeaderTradeAgreement/AdditionalReferencedDocument[TypeCode=916]/TypeCode
    . supportingDocument 023
  ApplicableHeaderTradeAgreement/ContractReferencedDocument/ReferenceTypeCode {mwbx}
    . referenceTypes 282
  ApplicableHeaderTradeDelivery/ShipToTradeParty/SpecifiedLegalOrganization/PostalTradeAddress/CountryID |
  ApplicableHeaderTradeDelivery/UltimateShipToTradeParty/SpecifiedLegalOrganization/PostalTradeAddress/CountryID |
  BuyerAgentTradeParty/PostalTradeAddress/CountryID |
  BuyerAgentTradeParty/SpecifiedLegalOrganization/PostalTradeAddress/CountryID |
  BuyerTaxRepresentativeTradeParty/PostalTradeAddress/CountryID |
  BuyerTaxRepresentativeTradeParty/SpecifiedLegalOrganization/PostalTradeAddress/CountryID |
  BuyerTradeParty/SpecifiedLegalOrganization/PostalTradeAddress/CountryID |
  InvoiceeTradeParty/PostalTradeAddress/CountryID |
  InvoiceeTradeParty/SpecifiedLegalOrganization/PostalTradeAddress/CountryID |
  InvoicerTradeParty/PostalTradeAddress/CountryID |
  InvoicerTradeParty/SpecifiedLegalOrganization/PostalTradeAddress/CountryID |
  ItemSellerTradeParty/PostalTradeAddress/CountryID |
  PayeeTradeParty/SpecifiedLegalOrganization/PostalTradeAddress/CountryID |
  PayerTradeParty/PostalTradeAddress/CountryID |
  PayerTradeParty/SpecifiedLegalOrganization/PostalTradeAddress/CountryID |
  ProductEndUserTradeParty/PostalTradeAddress/CountryID |
  ProductEndUserTradeParty/SpecifiedLegalOrganization/PostalTradeAddress/CountryID | RelevantTradeLocation/CountryID |
  SalesAgentTradeParty/PostalTradeAddress/CountryID |
  SalesAgentTradeParty/SpecifiedLegalOrganization/PostalTradeAddress/CountryID |
  SellerTaxRepresentativeTradeParty/PostalTradeAddress/CountryID |
  SellerTaxRepresentativeTradeParty/SpecifiedLegalOrganization/PostalTradeAddress/CountryID |
  SellerTradeParty/PostalTradeAddress/CountryID |
  SellerTradeParty/SpecifiedLegalOrganization/PostalTradeAddress/CountryID |
  ShipFromTradeParty/PostalTradeAddress/CountryID |
  ShipFromTradeParty/SpecifiedLegalOrganization/PostalTradeAddress/CountryID |
  ShipToTradeParty/PostalTradeAddress/CountryID | UltimateShipToTradeParty/PostalTradeAddress/CountryID
    . countries 036
  ApplicableHeaderTradeSettlement/ApplicableTradeTax/ExemptionReasonCode |
  NetPriceProductTradePrice/IncludedTradeTax/ExemptionReasonCode |
  SpecifiedAdvancePayment/IncludedTradeTax/ExemptionReasonCode
    . exemptionReasons 181
  ApplicableHeaderTradeSettlement/ApplicableTradeTax/TaxPointDate/udt:DateString | BasisDateTime/udt:DateTimeString |
  BillingSpecifiedPeriod/EndDateTime/udt:DateTimeString | BillingSpecifiedPeriod/StartDateTime/udt:DateTimeString |
  ConversionRateDateTime/udt:DateTimeString | DueDateDateTime/udt:DateTimeString |
  EffectiveSpecifiedPeriod/CompleteDateTime/udt:DateTimeString | IssueDateTime/udt:DateTimeString |
  OccurrenceDateTime/udt:DateTimeString
    @format dateFormat 022
  ApplicableHeaderTradeSettlement/ReceivableSpecifiedTradeAccountingAccount/TypeCode
    . accountTypes 023
  ApplicableHeaderTradeSettlement/SpecifiedTradeAllowanceCharge[allowance]/BasisQuantity |
  ApplicableHeaderTradeSettlement/SpecifiedTradeAllowanceCharge[charge]/BasisQuantity | BilledQuantity |
  ChargeFreeQuantity | GrossPriceProductTradePrice/BasisQuantity | NetPriceProductTradePrice/BasisQuantity |
  PackageQuantity | PerPackageUnitQuantity | UnitQuantity
    @unitCode units 275
  ApplicableHeaderTradeSettlement/SpecifiedTradeAllowanceCharge[allowance]/CategoryTradeTax/CategoryCode |
  ApplicableHeaderTradeSettlement/SpecifiedTradeAllowanceCharge[charge]/CategoryTradeTax/CategoryCode |
  ApplicableTradeTax/CategoryCode {mwbe}
    . vatCategories 179
  ApplicableHeaderTradeSettlement/SpecifiedTradeAllowanceCharge[allowance]/CategoryTradeTax/CategoryCode |
  ApplicableHeaderTradeSettlement/SpecifiedTradeAllowanceCharge[charge]/CategoryTradeTax/CategoryCode |
  ApplicableTradeTax/CategoryCode {mx}
    . vatCategoriesExtended 179
  ApplicableHeaderTradeSettlement/SpecifiedTradeAllowanceCharge[allowance]/CategoryTradeTax/TypeCode |
  ApplicableHeaderTradeSettlement/SpecifiedTradeAllowanceCharge[charge]/CategoryTradeTax/TypeCode |
  ApplicableTradeTax/TypeCode {mwbe}
    . vat 023
  ApplicableHeaderTradeSettlement/SpecifiedTradeAllowanceCharge[allowance]/CategoryTradeTax/TypeCode |
  ApplicableHeaderTradeSettlement/SpecifiedTradeAllowanceCharge[charge]/CategoryTradeTax/TypeCode |
  ApplicableTradeTax/TypeCode {mx}
    . taxTypes 023
  ApplicableTradeTax/DueDateTypeCode
    . taxPointCodes 180
  ApplicableTradeTax/ExemptionReasonCode {mwx}
    . exemptionReasons 181
  AppliedTradeTax/CategoryCode | NetPriceProductTradePrice/IncludedTradeTax/CategoryCode |
  SpecifiedAdvancePayment/IncludedTradeTax/CategoryCode
    . vatCategoriesExtended 179
  AppliedTradeTax/TypeCode | SpecifiedAdvancePayment/IncludedTradeTax/TypeCode
    . taxTypes 023
  BasisQuantity {mwbe}
    @unitCode units 275
  BuyerOrderReferencedDocument/FormattedIssueDateTime/qdt:DateTimeString |
  ContractReferencedDocument/FormattedIssueDateTime/qdt:DateTimeString |
  DespatchAdviceReferencedDocument/FormattedIssueDateTime/qdt:DateTimeString |
  InvoiceReferencedDocument/FormattedIssueDateTime/qdt:DateTimeString {mx}
    @format dateFormats 022
  BuyerTradeParty/GlobalID | BuyerTradeParty/SpecifiedLegalOrganization/ID | PayeeTradeParty/GlobalID |
  PayeeTradeParty/SpecifiedLegalOrganization/ID | SellerTradeParty/GlobalID |
  SellerTradeParty/SpecifiedLegalOrganization/ID | ShipToTradeParty/GlobalID | SpecifiedTradeProduct/GlobalID
    @schemeID identifierSchemes 031
  BuyerTradeParty/PostalTradeAddress/CountryID {wbex}
    . countries 036
  BuyerTradeParty/SpecifiedTaxRegistration/ID {wbex}
    @schemeID vatScheme 031
  BuyerTradeParty/URIUniversalCommunication/URIID | SellerTradeParty/URIUniversalCommunication/URIID
    @schemeID addressSchemes 031
  ClassCode
    @listID classificationSchemes 297
  DeliveryNoteReferencedDocument/FormattedIssueDateTime/qdt:DateTimeString |
  FormattedReceivedDateTime/qdt:DateTimeString |
  InvoiceSpecifiedReferencedDocument/FormattedIssueDateTime/qdt:DateTimeString |
  QuotationReferencedDocument/FormattedIssueDateTime/qdt:DateTimeString |
  SpecifiedLineTradeAgreement/AdditionalReferencedDocument/FormattedIssueDateTime/qdt:DateTimeString |
  UltimateCustomerOrderReferencedDocument/FormattedIssueDateTime/qdt:DateTimeString
    @format dateFormats 022
  DeliveryTypeCode
    . deliveryTerms 320
  EndDateTime/udt:DateTimeString | InvoiceReferencedDocument/FormattedIssueDateTime/qdt:DateTimeString |
  StartDateTime/udt:DateTimeString | udt:DateTimeString {mwbe}
    @format dateFormat 022
  GlobalID | SpecifiedLegalOrganization/ID {mx}
    @schemeID identifierSchemes 031
  GrossPriceProductTradePrice/AppliedTradeAllowanceCharge[allowance]/ReasonCode {mwx}
    . allowanceReasons 186
  GrossPriceProductTradePrice/AppliedTradeAllowanceCharge[charge]/ReasonCode {mwx}
    . chargeReasons 186
  GuidelineSpecifiedDocumentContextParameter/ID {b}
    . basic 026
  GuidelineSpecifiedDocumentContextParameter/ID {e}
    . en16931 026
  GuidelineSpecifiedDocumentContextParameter/ID {m}
    . minimum 026
  GuidelineSpecifiedDocumentContextParameter/ID {x}
    . extended 026
  GuidelineSpecifiedDocumentContextParameter/ID {w}
    . basicWl 026
  IncludedNote/SubjectCode | SubjectCode {mwx}
    . subjects 162
  InvoiceCurrencyCode
    . currencies 040
  InvoiceReferencedDocument/TypeCode {mwbx}
    . precedingTypes 023
  InvoiceSpecifiedReferencedDocument/TypeCode
    . precedingTypes 023
  LineStatusCode
    . lineStatus 334
  LineStatusReasonCode
    . lineSubtypes 335
  ModeCode
    . transportModes 346
  NetPriceProductTradePrice/IncludedTradeTax/TypeCode
    . vat 023
  OriginTradeCountry/ID
    . countries 026
  PayeeTradeParty/PostalTradeAddress/CountryID {mx}
    . countries 036
  SellerTaxRepresentativeTradeParty/SpecifiedTaxRegistration/ID
    @schemeID vatScheme 031
  SourceCurrencyCode
    . currencies 332
  SpecifiedLineTradeAgreement/AdditionalReferencedDocument/AttachmentBinaryObject
    @mimeCode attachmentTypesExtended 287
  SpecifiedLineTradeAgreement/AdditionalReferencedDocument/TypeCode |
  SpecifiedLineTradeSettlement/AdditionalReferencedDocument/TypeCode
    . additionalReferences 023
  SpecifiedTradeAllowanceCharge[allowance]/CategoryTradeTax/CategoryCode |
  SpecifiedTradeAllowanceCharge[charge]/CategoryTradeTax/CategoryCode {mw}
    . vatCategories 179
  SpecifiedTradeAllowanceCharge[allowance]/CategoryTradeTax/TypeCode |
  SpecifiedTradeAllowanceCharge[charge]/CategoryTradeTax/TypeCode {mw}
    . vat 023
  SpecifiedTradeAllowanceCharge[allowance]/ReasonCode
    . allowanceReasons 186
  SpecifiedTradeAllowanceCharge[charge]/ReasonCode
    . chargeReasons 186
  SpecifiedTradeSettlementHeaderMonetarySummation/TaxTotalAmount[@currencyID=$currency] |
  SpecifiedTradeSettlementHeaderMonetarySummation/TaxTotalAmount[@currencyID=$vatCurrency] |
  SpecifiedTradeSettlementLineMonetarySummation/TaxTotalAmount[@currencyID=$currency] |
  SpecifiedTradeSettlementLineMonetarySummation/TaxTotalAmount[@currencyID=$vatCurrency]
    @currencyID currencies 045
  SpecifiedTradeSettlementPaymentMeans/TypeCode
    . paymentMeans 023
  TargetCurrencyCode
    . currencies 333
  TaxCurrencyCode
    . currencies 196
  TaxTotalAmount[@currencyID=$currency] | TaxTotalAmount[@currencyID=$vatCurrency] {mwbe}
    @currencyID currencies 045
  TypeCode {m}
    . documentTypes 023
  URIUniversalCommunication/URIID {mx}
    @schemeID addressSchemes 031
  rsm:ExchangedDocument/IncludedNote/SubjectCode
    . subjects 162
  rsm:ExchangedDocument/TypeCode
    . documentTypes 023
`;
