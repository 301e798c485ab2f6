// A table of facts: what the schemas of Factur-X 1.0.8 (ZUGFeRD 2.4) have in each profile. Two spaces: a type. Below it
// its elements (prefix ram: unless another is named), the type of each, how often it occurs (1, ? for 0..1, * for 0..n,
// 2 for 0..2, + for 1..n), and the profiles: m MINIMUM, w BASIC WL, b BASIC, e EN 16931, x EXTENDED; none named: all
// that have the type. Read by factur-x-types.ts.

export const FACTUR_X_ELEMENTS = `
  DocumentContextParameter
    ID ID 1
  ExchangedDocumentContext
    TestIndicator Indicator ? x, BusinessProcessSpecifiedDocumentContextParameter DocumentContextParameter ?,
    GuidelineSpecifiedDocumentContextParameter DocumentContextParameter 1
  ExchangedDocument
    ID ID 1, Name Text ? x, TypeCode Text 1, IssueDateTime DateTime 1, CopyIndicator Indicator ? x,
    LanguageID ID ? x, IncludedNote Note * wbex, EffectiveSpecifiedPeriod SpecifiedPeriod ? x
  HeaderTradeAgreement
    BuyerReference Text ?, SellerTradeParty TradeParty 1, BuyerTradeParty TradeParty 1,
    SalesAgentTradeParty TradeParty ? x, BuyerTaxRepresentativeTradeParty TradeParty ? x,
    SellerTaxRepresentativeTradeParty TradeParty ? wbex, ProductEndUserTradeParty TradeParty ? x,
    ApplicableTradeDeliveryTerms TradeDeliveryTerms ? x, SellerOrderReferencedDocument ReferencedDocument ? ex,
    BuyerOrderReferencedDocument ReferencedDocument ?, QuotationReferencedDocument ReferencedDocument ? x,
    ContractReferencedDocument ReferencedDocument ? wbex, AdditionalReferencedDocument ReferencedDocument * ex,
    BuyerAgentTradeParty TradeParty ? x, SpecifiedProcuringProject ProcuringProject ? ex,
    UltimateCustomerOrderReferencedDocument ReferencedDocument * x
  HeaderTradeDelivery
    RelatedSupplyChainConsignment SupplyChainConsignment ? x, ShipToTradeParty TradeParty ? wbex,
    UltimateShipToTradeParty TradeParty ? x, ShipFromTradeParty TradeParty ? x,
    ActualDeliverySupplyChainEvent SupplyChainEvent ? wbex,
    DespatchAdviceReferencedDocument ReferencedDocument ? wbex,
    ReceivingAdviceReferencedDocument ReferencedDocument ? ex, DeliveryNoteReferencedDocument ReferencedDocument ? x
  HeaderTradeSettlement
    CreditorReferenceID ID ? wbex, PaymentReference Text ? wbex, TaxCurrencyCode Text ? wbex,
    InvoiceCurrencyCode Text 1, InvoiceIssuerReference Text ? x, InvoicerTradeParty TradeParty ? x,
    InvoiceeTradeParty TradeParty ? x, PayeeTradeParty TradeParty ? wbex, PayerTradeParty TradeParty ? x,
    TaxApplicableTradeCurrencyExchange TradeCurrencyExchange ? x,
    SpecifiedTradeSettlementPaymentMeans TradeSettlementPaymentMeans * wbex, ApplicableTradeTax TradeTax + wbex,
    BillingSpecifiedPeriod SpecifiedPeriod ? wbex, SpecifiedTradeAllowanceCharge TradeAllowanceCharge * wbex,
    SpecifiedLogisticsServiceCharge LogisticsServiceCharge * x, SpecifiedTradePaymentTerms TradePaymentTerms ? wbe,
    SpecifiedTradePaymentTerms TradePaymentTerms * x,
    SpecifiedTradeSettlementHeaderMonetarySummation TradeSettlementHeaderMonetarySummation 1,
    InvoiceReferencedDocument ReferencedDocument * wbex,
    ReceivableSpecifiedTradeAccountingAccount TradeAccountingAccount ? wbe,
    ReceivableSpecifiedTradeAccountingAccount TradeAccountingAccount * x, SpecifiedAdvancePayment AdvancePayment * x
  LegalOrganization
    ID ID ?, TradingBusinessName Text ? wbex, PostalTradeAddress TradeAddress ? x
  ReferencedDocument
    IssuerAssignedID ID 1 mwb, IssuerAssignedID ID ? ex, URIID ID ? ex, LineID ID ? ex, TypeCode Text ? ex,
    Name Text ? ex, AttachmentBinaryObject Binary ? ex, ReferenceTypeCode Text ? ex,
    FormattedIssueDateTime FormattedDateTime ? wbex
  SupplyChainTradeTransaction
    IncludedSupplyChainTradeLineItem SupplyChainTradeLineItem + bex,
    ApplicableHeaderTradeAgreement HeaderTradeAgreement 1, ApplicableHeaderTradeDelivery HeaderTradeDelivery 1,
    ApplicableHeaderTradeSettlement HeaderTradeSettlement 1
  TaxRegistration
    ID ID 1
  TradeAddress
    PostcodeCode Code ? wbex, LineOne Text ? wbex, LineTwo Text ? wbex, LineThree Text ? wbex, CityName Text ? wbex,
    CountryID Text 1, CountrySubDivisionName Text ? wbex
  TradeParty
    ID ID * wbex, GlobalID ID * wbex, Name Text 1 m, Name Text ? wbex, RoleCode Text ? x, Description Text ? ex,
    SpecifiedLegalOrganization LegalOrganization ?, DefinedTradeContact TradeContact ? e,
    DefinedTradeContact TradeContact * x, PostalTradeAddress TradeAddress ?,
    URIUniversalCommunication UniversalCommunication ? wbex, SpecifiedTaxRegistration TaxRegistration 2
  TradeSettlementHeaderMonetarySummation
    LineTotalAmount Amount 1 wbex, ChargeTotalAmount Amount ? wbex, AllowanceTotalAmount Amount ? wbex,
    TaxBasisTotalAmount Amount 1, TaxTotalAmount Amount 2, RoundingAmount Amount ? ex, GrandTotalAmount Amount 1,
    TotalPrepaidAmount Amount ? wbex, DuePayableAmount Amount 1
  CrossIndustryInvoice
    ExchangedDocumentContext ExchangedDocumentContext 1, ExchangedDocument ExchangedDocument 1,
    SupplyChainTradeTransaction SupplyChainTradeTransaction 1
  CreditorFinancialAccount
    IBANID ID ?, AccountName Text ? ex, ProprietaryID ID ?
  DebtorFinancialAccount
    IBANID ID 1
  Note
    ContentCode Code ? x, Content Text 1 wbe, Content Text ? x, SubjectCode Code ?
  SpecifiedPeriod
    Description Text ? x, StartDateTime DateTime ?, EndDateTime DateTime ?, CompleteDateTime DateTime ? x
  SupplyChainEvent
    OccurrenceDateTime DateTime 1
  TradeAccountingAccount
    ID ID 1, TypeCode Text ? x
  TradeAllowanceCharge
    ChargeIndicator Indicator 1, SequenceNumeric Text ? x, CalculationPercent Text ?, BasisAmount Amount ?,
    BasisQuantity Quantity ? x, ActualAmount Amount 1, ReasonCode Text ?, Reason Text ?,
    CategoryTradeTax TradeTax 1 w, CategoryTradeTax TradeTax ? bex
  TradePaymentTerms
    Description Text ?, DueDateDateTime DateTime ?, DirectDebitMandateID ID ?, PartialPaymentAmount Amount ? x,
    ApplicableTradePaymentPenaltyTerms TradePaymentPenaltyTerms ? x,
    ApplicableTradePaymentDiscountTerms TradePaymentDiscountTerms ? x, PayeeTradeParty TradeParty ? x
  TradeSettlementPaymentMeans
    TypeCode Text 1, Information Text ? ex, ApplicableTradeSettlementFinancialCard TradeSettlementFinancialCard ? ex,
    PayerPartyDebtorFinancialAccount DebtorFinancialAccount ?,
    PayeePartyCreditorFinancialAccount CreditorFinancialAccount ?,
    PayeeSpecifiedCreditorFinancialInstitution CreditorFinancialInstitution ? ex
  TradeTax
    CalculatedAmount Amount ?, TypeCode Text 1, ExemptionReason Text ?, BasisAmount Amount ?,
    LineTotalBasisAmount Amount ? x, AllowanceChargeBasisAmount Amount ? x, CategoryCode Text 1,
    ExemptionReasonCode Code ?, TaxPointDate Date ? ex, DueDateTypeCode Text ?, RateApplicablePercent Text ?
  UniversalCommunication
    URIID ID 1 wb, URIID ID ? ex, CompleteNumber Text ? ex
  DocumentLineDocument
    LineID ID 1, ParentLineID ID ? x, LineStatusCode Text ? x, LineStatusReasonCode Code ? x, IncludedNote Note ? be,
    IncludedNote Note * x
  LineTradeAgreement
    ApplicableTradeDeliveryTerms TradeDeliveryTerms ? x, SellerOrderReferencedDocument ReferencedDocument ? x,
    BuyerOrderReferencedDocument ReferencedDocument ? ex, QuotationReferencedDocument ReferencedDocument ? x,
    ContractReferencedDocument ReferencedDocument ? x, AdditionalReferencedDocument ReferencedDocument * x,
    GrossPriceProductTradePrice TradePrice ?, NetPriceProductTradePrice TradePrice 1 be,
    NetPriceProductTradePrice TradePrice ? x, ItemSellerTradeParty TradeParty ? x,
    UltimateCustomerOrderReferencedDocument ReferencedDocument * x
  LineTradeDelivery
    BilledQuantity Quantity 1 be, BilledQuantity Quantity ? x, ChargeFreeQuantity Quantity ? x,
    PackageQuantity Quantity ? x, PerPackageUnitQuantity Quantity ? x, ShipToTradeParty TradeParty ? x,
    UltimateShipToTradeParty TradeParty ? x, ActualDeliverySupplyChainEvent SupplyChainEvent ? x,
    DespatchAdviceReferencedDocument ReferencedDocument ? x,
    ReceivingAdviceReferencedDocument ReferencedDocument ? x, DeliveryNoteReferencedDocument ReferencedDocument ? x
  LineTradeSettlement
    ApplicableTradeTax TradeTax 1 be, ApplicableTradeTax TradeTax * x, BillingSpecifiedPeriod SpecifiedPeriod ?,
    SpecifiedTradeAllowanceCharge TradeAllowanceCharge *,
    SpecifiedTradeSettlementLineMonetarySummation TradeSettlementLineMonetarySummation 1,
    InvoiceReferencedDocument ReferencedDocument ? x, AdditionalReferencedDocument ReferencedDocument ? e,
    AdditionalReferencedDocument ReferencedDocument * x,
    ReceivableSpecifiedTradeAccountingAccount TradeAccountingAccount ? e,
    ReceivableSpecifiedTradeAccountingAccount TradeAccountingAccount * x
  SupplyChainTradeLineItem
    AssociatedDocumentLineDocument DocumentLineDocument 1, SpecifiedTradeProduct TradeProduct 1,
    SpecifiedLineTradeAgreement LineTradeAgreement 1 be, SpecifiedLineTradeAgreement LineTradeAgreement ? x,
    SpecifiedLineTradeDelivery LineTradeDelivery 1 be, SpecifiedLineTradeDelivery LineTradeDelivery ? x,
    SpecifiedLineTradeSettlement LineTradeSettlement 1
  TradePrice
    ChargeAmount Amount 1, BasisQuantity Quantity ?, AppliedTradeAllowanceCharge TradeAllowanceCharge ? be,
    AppliedTradeAllowanceCharge TradeAllowanceCharge * x, IncludedTradeTax TradeTax ? x
  TradeProduct
    ID ID ? x, GlobalID ID ?, SellerAssignedID ID ? ex, BuyerAssignedID ID ? ex, IndustryAssignedID ID ? x,
    ModelID ID ? x, Name Text 1, Description Text ? ex, BatchID ID * x, BrandName Text ? x, ModelName Text ? x,
    ApplicableProductCharacteristic ProductCharacteristic * ex,
    DesignatedProductClassification ProductClassification * ex,
    IndividualTradeProductInstance TradeProductInstance * x, OriginTradeCountry TradeCountry ? ex,
    IncludedReferencedProduct ReferencedProduct * x
  TradeSettlementLineMonetarySummation
    LineTotalAmount Amount 1, ChargeTotalAmount Amount ? x, AllowanceTotalAmount Amount ? x,
    TaxTotalAmount Amount 2 x, GrandTotalAmount Amount ? x, TotalAllowanceChargeAmount Amount ? x
  CreditorFinancialInstitution
    BICID ID 1
  ProcuringProject
    ID ID 1, Name Text 1
  ProductCharacteristic
    TypeCode Code ? x, Description Text 1, ValueMeasure Measure ? x, Value Text 1
  ProductClassification
    ClassCode Code ?, ClassName Text ? x
  TradeContact
    PersonName Text ?, DepartmentName Text ?, TypeCode Text ? x,
    TelephoneUniversalCommunication UniversalCommunication ?, FaxUniversalCommunication UniversalCommunication ? x,
    EmailURIUniversalCommunication UniversalCommunication ?
  TradeCountry
    ID Text 1
  TradeSettlementFinancialCard
    ID ID 1, CardholderName Text ?
  AdvancePayment
    PaidAmount Amount 1, FormattedReceivedDateTime FormattedDateTime ?, IncludedTradeTax TradeTax +,
    InvoiceSpecifiedReferencedDocument ReferencedDocument ?
  LogisticsServiceCharge
    Description Text 1, AppliedAmount Amount 1, AppliedTradeTax TradeTax +
  LogisticsTransportMovement
    ModeCode Text 1
  ReferencedProduct
    ID ID ?, GlobalID ID *, SellerAssignedID ID ?, BuyerAssignedID ID ?, IndustryAssignedID ID ?, Name Text 1,
    Description Text ?, UnitQuantity Quantity ?
  SupplyChainConsignment
    SpecifiedLogisticsTransportMovement LogisticsTransportMovement *
  TradeCurrencyExchange
    SourceCurrencyCode Text 1, TargetCurrencyCode Text 1, ConversionRate Text 1, ConversionRateDateTime DateTime ?
  TradeDeliveryTerms
    DeliveryTypeCode Text 1, RelevantTradeLocation TradeLocation ?
  TradeLocation
    CountryID Text ?, Name Text ?
  TradePaymentDiscountTerms
    BasisDateTime DateTime ?, BasisPeriodMeasure Measure ?, BasisAmount Amount ?, CalculationPercent Text ?,
    ActualDiscountAmount Amount ?
  TradePaymentPenaltyTerms
    BasisDateTime DateTime ?, BasisPeriodMeasure Measure ?, BasisAmount Amount ?, CalculationPercent Text ?,
    ActualPenaltyAmount Amount ?
  TradeProductInstance
    BatchID ID ?, SupplierAssignedSerialID ID ?
`;
