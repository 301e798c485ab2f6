// A table of facts: how often the schematrons of Factur-X 1.0.8 want elements and attributes (1, ? for 0..1,
// + for 1..n), and the number of the rule (FX-SCH-A-000…). The format is that of restrictions.ts.

export const FACTUR_X_OCCURRENCES = `
  ActualDeliverySupplyChainEvent
    OccurrenceDateTime 1 171
  ApplicableHeaderTradeAgreement
    BuyerTradeParty 1 028, SellerTradeParty 1 027
  ApplicableHeaderTradeAgreement/AdditionalReferencedDocument[TypeCode=130] |
  ApplicableHeaderTradeAgreement/AdditionalReferencedDocument[TypeCode=50] |
  SpecifiedLineTradeSettlement/AdditionalReferencedDocument
    IssuerAssignedID 1 029, TypeCode 1 020
  ApplicableHeaderTradeAgreement/AdditionalReferencedDocument[TypeCode=130]/FormattedIssueDateTime/qdt:DateTimeString |
  ApplicableHeaderTradeAgreement/AdditionalReferencedDocument[TypeCode=50]/FormattedIssueDateTime/qdt:DateTimeString |
  ApplicableHeaderTradeAgreement/AdditionalReferencedDocument[TypeCode=916]/FormattedIssueDateTime/qdt:DateTimeString |
  ReceivingAdviceReferencedDocument/FormattedIssueDateTime/qdt:DateTimeString |
  SellerOrderReferencedDocument/FormattedIssueDateTime/qdt:DateTimeString {mwbx}
    @format 1 021
  ApplicableHeaderTradeAgreement/AdditionalReferencedDocument[TypeCode=916] |
  SpecifiedLineTradeAgreement/AdditionalReferencedDocument
    AttachmentBinaryObject ? 284, IssuerAssignedID 1 029, Name ? 283, TypeCode 1 020
  ApplicableHeaderTradeAgreement/AdditionalReferencedDocument[TypeCode=916]/AttachmentBinaryObject |
  SpecifiedLineTradeAgreement/AdditionalReferencedDocument/AttachmentBinaryObject
    @filename 1 286, @mimeCode 1 285
  ApplicableHeaderTradeAgreement/BuyerOrderReferencedDocument |
  ApplicableHeaderTradeAgreement/ContractReferencedDocument |
  ApplicableHeaderTradeAgreement/QuotationReferencedDocument |
  ApplicableHeaderTradeAgreement/SellerOrderReferencedDocument |
  ApplicableHeaderTradeAgreement/UltimateCustomerOrderReferencedDocument |
  ApplicableHeaderTradeDelivery/DeliveryNoteReferencedDocument |
  ApplicableHeaderTradeDelivery/DespatchAdviceReferencedDocument |
  ApplicableHeaderTradeDelivery/ReceivingAdviceReferencedDocument |
  ApplicableHeaderTradeSettlement/InvoiceReferencedDocument | InvoiceSpecifiedReferencedDocument
    IssuerAssignedID 1 029
  ApplicableHeaderTradeDelivery/ShipToTradeParty/SpecifiedLegalOrganization/PostalTradeAddress |
  ApplicableHeaderTradeDelivery/UltimateShipToTradeParty/SpecifiedLegalOrganization/PostalTradeAddress |
  BuyerAgentTradeParty/PostalTradeAddress | BuyerAgentTradeParty/SpecifiedLegalOrganization/PostalTradeAddress |
  BuyerTaxRepresentativeTradeParty/PostalTradeAddress |
  BuyerTaxRepresentativeTradeParty/SpecifiedLegalOrganization/PostalTradeAddress |
  BuyerTradeParty/SpecifiedLegalOrganization/PostalTradeAddress | InvoiceeTradeParty/PostalTradeAddress |
  InvoiceeTradeParty/SpecifiedLegalOrganization/PostalTradeAddress | InvoicerTradeParty/PostalTradeAddress |
  InvoicerTradeParty/SpecifiedLegalOrganization/PostalTradeAddress | ItemSellerTradeParty/PostalTradeAddress |
  PayeeTradeParty/SpecifiedLegalOrganization/PostalTradeAddress | PayerTradeParty/PostalTradeAddress |
  PayerTradeParty/SpecifiedLegalOrganization/PostalTradeAddress | ProductEndUserTradeParty/PostalTradeAddress |
  ProductEndUserTradeParty/SpecifiedLegalOrganization/PostalTradeAddress | SalesAgentTradeParty/PostalTradeAddress |
  SalesAgentTradeParty/SpecifiedLegalOrganization/PostalTradeAddress |
  SellerTaxRepresentativeTradeParty/PostalTradeAddress |
  SellerTaxRepresentativeTradeParty/SpecifiedLegalOrganization/PostalTradeAddress |
  SellerTradeParty/PostalTradeAddress | SellerTradeParty/SpecifiedLegalOrganization/PostalTradeAddress |
  ShipFromTradeParty/PostalTradeAddress | ShipFromTradeParty/SpecifiedLegalOrganization/PostalTradeAddress |
  ShipToTradeParty/PostalTradeAddress | UltimateShipToTradeParty/PostalTradeAddress
    CountryID 1 035, CountrySubDivisionName ? 167
  ApplicableHeaderTradeSettlement
    ApplicableTradeTax + 173, InvoiceCurrencyCode 1 038, PaymentReference ? 172,
    SpecifiedTradeSettlementHeaderMonetarySummation 1 039
  ApplicableHeaderTradeSettlement {mwbe}
    ReceivableSpecifiedTradeAccountingAccount ? 175, SpecifiedTradePaymentTerms ? 174
  ApplicableHeaderTradeSettlement/ApplicableTradeTax
    AllowanceChargeBasisAmount ? 324, BasisAmount 1 177, CalculatedAmount 1 176, LineTotalBasisAmount ? 323
  ApplicableHeaderTradeSettlement/ApplicableTradeTax/TaxPointDate/udt:DateString | BasisDateTime/udt:DateTimeString |
  BillingSpecifiedPeriod/EndDateTime/udt:DateTimeString | BillingSpecifiedPeriod/StartDateTime/udt:DateTimeString |
  ConversionRateDateTime/udt:DateTimeString |
  DeliveryNoteReferencedDocument/FormattedIssueDateTime/qdt:DateTimeString | DueDateDateTime/udt:DateTimeString |
  EffectiveSpecifiedPeriod/CompleteDateTime/udt:DateTimeString | FormattedReceivedDateTime/qdt:DateTimeString |
  InvoiceReferencedDocument/FormattedIssueDateTime/qdt:DateTimeString |
  InvoiceSpecifiedReferencedDocument/FormattedIssueDateTime/qdt:DateTimeString | IssueDateTime/udt:DateTimeString |
  OccurrenceDateTime/udt:DateTimeString | QuotationReferencedDocument/FormattedIssueDateTime/qdt:DateTimeString |
  SpecifiedLineTradeAgreement/AdditionalReferencedDocument/FormattedIssueDateTime/qdt:DateTimeString |
  UltimateCustomerOrderReferencedDocument/FormattedIssueDateTime/qdt:DateTimeString
    @format 1 021
  ApplicableHeaderTradeSettlement/BillingSpecifiedPeriod
    Description ? 187
  ApplicableHeaderTradeSettlement/SpecifiedTradeAllowanceCharge[allowance] |
  ApplicableHeaderTradeSettlement/SpecifiedTradeAllowanceCharge[charge]
    CategoryTradeTax 1 185
  ApplicableHeaderTradeSettlement/SpecifiedTradeAllowanceCharge[allowance]/CategoryTradeTax |
  ApplicableHeaderTradeSettlement/SpecifiedTradeAllowanceCharge[charge]/CategoryTradeTax | ApplicableTradeTax
    CategoryCode 1 178, TypeCode 1 020
  ApplicableProductCharacteristic
    Description 1 294, Value 1 295
  ApplicableTradeDeliveryTerms
    DeliveryTypeCode 1 319
  ApplicableTradePaymentPenaltyTerms/BasisPeriodMeasure | ChargeFreeQuantity | PackageQuantity |
  PerPackageUnitQuantity | UnitQuantity
    @unitCode 1 277
  ApplicableTradeSettlementFinancialCard | BusinessProcessSpecifiedDocumentContextParameter |
  BuyerAgentTradeParty/SpecifiedTaxRegistration | BuyerTaxRepresentativeTradeParty/SpecifiedTaxRegistration |
  GuidelineSpecifiedDocumentContextParameter | InvoiceeTradeParty/SpecifiedTaxRegistration |
  InvoicerTradeParty/SpecifiedTaxRegistration | ItemSellerTradeParty/SpecifiedTaxRegistration[ID/@schemeID=FC] |
  ItemSellerTradeParty/SpecifiedTaxRegistration[ID/@schemeID=VA] | OriginTradeCountry |
  PayerTradeParty/SpecifiedTaxRegistration | ProductEndUserTradeParty/SpecifiedTaxRegistration |
  SalesAgentTradeParty/SpecifiedTaxRegistration | SellerTaxRepresentativeTradeParty/SpecifiedTaxRegistration |
  SellerTradeParty/SpecifiedTaxRegistration[ID/@schemeID=FC] |
  SellerTradeParty/SpecifiedTaxRegistration[ID/@schemeID=VA] | ShipFromTradeParty/SpecifiedTaxRegistration |
  UltimateShipToTradeParty/SpecifiedTaxRegistration
    ID 1 019
  ApplicableTradeTax {mw}
    BasisAmount 1 177, CalculatedAmount 1 176
  AppliedTradeTax
    CategoryCode 1 178, RateApplicablePercent 1 329, TypeCode 1 020
  AssociatedDocumentLineDocument
    LineID 1 270
  AssociatedDocumentLineDocument {mwbe}
    IncludedNote ? 271
  BuyerAgentTradeParty | InvoiceeTradeParty | InvoicerTradeParty | PayerTradeParty | ProductEndUserTradeParty |
  SalesAgentTradeParty
    ID ? 163, Name 1 030, RoleCode ? 321, SpecifiedTaxRegistration ? 166, URIUniversalCommunication ? 165
  BuyerAgentTradeParty/SpecifiedTaxRegistration/ID | BuyerTaxRepresentativeTradeParty/SpecifiedTaxRegistration/ID |
  BuyerTradeParty/GlobalID | BuyerTradeParty/URIUniversalCommunication/URIID |
  InvoiceeTradeParty/SpecifiedTaxRegistration/ID | InvoicerTradeParty/SpecifiedTaxRegistration/ID |
  ItemSellerTradeParty/SpecifiedTaxRegistration[ID/@schemeID=FC]/ID |
  ItemSellerTradeParty/SpecifiedTaxRegistration[ID/@schemeID=VA]/ID | PayeeTradeParty/GlobalID |
  PayerTradeParty/SpecifiedTaxRegistration/ID | ProductEndUserTradeParty/SpecifiedTaxRegistration/ID |
  SalesAgentTradeParty/SpecifiedTaxRegistration/ID | SellerTaxRepresentativeTradeParty/SpecifiedTaxRegistration/ID |
  SellerTradeParty/GlobalID | SellerTradeParty/SpecifiedTaxRegistration[ID/@schemeID=FC]/ID |
  SellerTradeParty/SpecifiedTaxRegistration[ID/@schemeID=VA]/ID | SellerTradeParty/URIUniversalCommunication/URIID |
  ShipFromTradeParty/SpecifiedTaxRegistration/ID | ShipToTradeParty/GlobalID |
  SpecifiedLineTradeDelivery/ShipToTradeParty/SpecifiedLegalOrganization/ID | SpecifiedTradeProduct/GlobalID |
  UltimateShipToTradeParty/SpecifiedTaxRegistration/ID
    @schemeID 1 037
  BuyerOrderReferencedDocument {mwb}
    IssuerAssignedID 1 029
  BuyerOrderReferencedDocument/FormattedIssueDateTime/qdt:DateTimeString |
  ContractReferencedDocument/FormattedIssueDateTime/qdt:DateTimeString |
  DespatchAdviceReferencedDocument/FormattedIssueDateTime/qdt:DateTimeString {mx}
    @format 1 021
  BuyerTaxRepresentativeTradeParty
    ID ? 163, Name 1 030, RoleCode ? 321, SpecifiedTaxRegistration 1 169, URIUniversalCommunication ? 165
  BuyerTradeParty
    ID ? 163, Name 1 030, RoleCode ? 321, URIUniversalCommunication ? 165
  BuyerTradeParty {wbex}
    PostalTradeAddress 1 032, SpecifiedTaxRegistration ? 166
  BuyerTradeParty {mwbe}
    DefinedTradeContact ? 288, GlobalID ? 164
  BuyerTradeParty {mwbx}
    Description ? 187
  BuyerTradeParty/DefinedTradeContact/EmailURIUniversalCommunication | BuyerTradeParty/URIUniversalCommunication |
  SellerTradeParty/DefinedTradeContact/EmailURIUniversalCommunication | SellerTradeParty/URIUniversalCommunication
    URIID 1 168
  BuyerTradeParty/DefinedTradeContact/TelephoneUniversalCommunication | FaxUniversalCommunication |
  SellerTradeParty/DefinedTradeContact/TelephoneUniversalCommunication
    CompleteNumber 1 289
  BuyerTradeParty/PostalTradeAddress {wbex}
    CountryID 1 035
  BuyerTradeParty/PostalTradeAddress
    CountrySubDivisionName ? 167
  BuyerTradeParty/SpecifiedLegalOrganization {m}
    ID 1 019
  BuyerTradeParty/SpecifiedTaxRegistration {wbex}
    ID 1 019
  BuyerTradeParty/SpecifiedTaxRegistration/ID {wbex}
    @schemeID 1 037
  ClassCode
    @listID 1 296
  ContractReferencedDocument | DespatchAdviceReferencedDocument | InvoiceReferencedDocument |
  ReceivingAdviceReferencedDocument | SellerOrderReferencedDocument {mwbe}
    IssuerAssignedID 1 029
  DefinedTradeContact/EmailURIUniversalCommunication | EmailURIUniversalCommunication {mwbx}
    URIID 1 168
  DefinedTradeContact/TelephoneUniversalCommunication | TelephoneUniversalCommunication {mwbx}
    CompleteNumber 1 289
  DesignatedProductClassification
    ClassName ? 342
  EffectiveSpecifiedPeriod
    CompleteDateTime 1 316
  EndDateTime/udt:DateTimeString | StartDateTime/udt:DateTimeString | udt:DateTimeString {mwbe}
    @format 1 021
  GlobalID | PayeeTradeParty/SpecifiedTaxRegistration/ID | ShipToTradeParty/SpecifiedTaxRegistration/ID |
  URIUniversalCommunication/URIID {mx}
    @schemeID 1 037
  GrossPriceProductTradePrice
    ChargeAmount 1 273
  GrossPriceProductTradePrice {mwbe}
    AppliedTradeAllowanceCharge[allowance] ? 274
  GrossPriceProductTradePrice/AppliedTradeAllowanceCharge[allowance] | SpecifiedTradeAllowanceCharge[allowance] |
  SpecifiedTradeAllowanceCharge[charge]
    ActualAmount 1 184, ChargeIndicator 1 183
  GrossPriceProductTradePrice/AppliedTradeAllowanceCharge[charge] {mwx}
    ActualAmount 1 184, ChargeIndicator 1 183
  IncludedNote {mwbe}
    Content 1 160
  IncludedNote {mx}
    Content ? 317
  IncludedNote {mwx}
    SubjectCode ? 161
  IncludedReferencedProduct
    Description ? 187, ID ? 163, IndustryAssignedID ? 343, Name 1 030, UnitQuantity ? 344
  IncludedSupplyChainTradeLineItem
    AssociatedDocumentLineDocument 1 266, SpecifiedTradeProduct 1 267
  IncludedSupplyChainTradeLineItem {mwbe}
    SpecifiedLineTradeAgreement 1 268, SpecifiedLineTradeDelivery 1 269
  ItemSellerTradeParty
    Description ? 187, RoleCode ? 321, SpecifiedTaxRegistration[ID/@schemeID=FC] ? 034,
    SpecifiedTaxRegistration[ID/@schemeID=VA] ? 033, URIUniversalCommunication ? 165
  NetPriceProductTradePrice
    ChargeAmount 1 273, IncludedTradeTax ? 336
  NetPriceProductTradePrice/IncludedTradeTax
    CalculatedAmount 1 176, CategoryCode 1 178, RateApplicablePercent 1 329, TypeCode 1 020
  PayeeSpecifiedCreditorFinancialInstitution
    BICID 1 292
  PayeeTradeParty
    ID ? 163, Name 1 030, RoleCode ? 321
  PayeeTradeParty | ShipToTradeParty {mwbe}
    GlobalID ? 164
  PayeeTradeParty | ShipToTradeParty {mx}
    SpecifiedTaxRegistration ? 166, URIUniversalCommunication ? 165
  PayeeTradeParty/PostalTradeAddress {mx}
    CountryID 1 035, CountrySubDivisionName ? 167
  PayeeTradeParty/SpecifiedTaxRegistration | ShipToTradeParty/SpecifiedTaxRegistration {mx}
    ID 1 019
  PayerPartyDebtorFinancialAccount
    IBANID 1 195
  SellerTaxRepresentativeTradeParty
    Name 1 030, PostalTradeAddress 1 032, RoleCode ? 321, SpecifiedTaxRegistration 1 169
  SellerTaxRepresentativeTradeParty {mx}
    ID ? 163, URIUniversalCommunication ? 165
  SellerTradeParty
    Description ? 187, Name 1 030, PostalTradeAddress 1 032, RoleCode ? 321,
    SpecifiedTaxRegistration[ID/@schemeID=FC] ? 034, SpecifiedTaxRegistration[ID/@schemeID=VA] ? 033,
    URIUniversalCommunication ? 165
  SellerTradeParty {mwbe}
    DefinedTradeContact ? 288
  ShipFromTradeParty | UltimateShipToTradeParty
    ID ? 163, RoleCode ? 321, SpecifiedTaxRegistration ? 166, URIUniversalCommunication ? 165
  ShipToTradeParty
    ID ? 163, RoleCode ? 321
  SpecifiedAdvancePayment
    IncludedTradeTax + 325, InvoiceSpecifiedReferencedDocument ? 326
  SpecifiedAdvancePayment/IncludedTradeTax
    CalculatedAmount 1 176, CategoryCode 1 178, TypeCode 1 020
  SpecifiedLineTradeAgreement {mwbe}
    NetPriceProductTradePrice 1 272
  SpecifiedLineTradeDelivery {mwbe}
    BilledQuantity 1 276
  SpecifiedLineTradeSettlement {mwbe}
    AdditionalReferencedDocument ? 293, ApplicableTradeTax 1 278, ReceivableSpecifiedTradeAccountingAccount ? 175
  SpecifiedLineTradeSettlement
    InvoiceReferencedDocument ? 337, SpecifiedTradeSettlementLineMonetarySummation 1 279
  SpecifiedLineTradeSettlement/ApplicableTradeTax {mwx}
    CalculatedAmount ? 338
  SpecifiedLogisticsServiceCharge
    AppliedAmount 1 327, AppliedTradeTax + 328, Description 1 294
  SpecifiedLogisticsTransportMovement
    ModeCode 1 322
  SpecifiedTradeAllowanceCharge[allowance] | SpecifiedTradeAllowanceCharge[charge] {mw}
    CategoryTradeTax 1 185
  SpecifiedTradeAllowanceCharge[allowance]/CategoryTradeTax |
  SpecifiedTradeAllowanceCharge[charge]/CategoryTradeTax {mw}
    CategoryCode 1 178, TypeCode 1 020
  SpecifiedTradePaymentTerms
    Description ? 187, DirectDebitMandateID ? 188, PartialPaymentAmount ? 330, PayeeTradeParty ? 331
  SpecifiedTradeProduct
    Description ? 187, Name 1 030
  SpecifiedTradeSettlementHeaderMonetarySummation
    AllowanceTotalAmount ? 191, ChargeTotalAmount ? 190, DuePayableAmount 1 044, GrandTotalAmount 1 043,
    LineTotalAmount 1 189, RoundingAmount ? 290, TaxBasisTotalAmount 1 041,
    TaxTotalAmount[@currencyID=$currency] ? 042, TaxTotalAmount[@currencyID=$vatCurrency] ? 192,
    TotalPrepaidAmount ? 193
  SpecifiedTradeSettlementLineMonetarySummation
    AllowanceTotalAmount ? 191, ChargeTotalAmount ? 190, GrandTotalAmount ? 340, LineTotalAmount 1 189,
    TaxTotalAmount[@currencyID=$currency] ? 372, TaxTotalAmount[@currencyID=$vatCurrency] ? 373,
    TotalAllowanceChargeAmount ? 341
  SpecifiedTradeSettlementPaymentMeans
    Information ? 291, PayeePartyCreditorFinancialAccount ? 194, TypeCode 1 020
  URIUniversalCommunication {mx}
    URIID 1 168
  rsm:ExchangedDocument
    ID 1 019, LanguageID ? 315, Name ? 283, TypeCode 1 020
  rsm:ExchangedDocument/IncludedNote
    SubjectCode ? 161
  rsm:ExchangedDocumentContext
    BusinessProcessSpecifiedDocumentContextParameter ? 024, GuidelineSpecifiedDocumentContextParameter 1 025
  rsm:SupplyChainTradeTransaction
    IncludedSupplyChainTradeLineItem + 265
`;
