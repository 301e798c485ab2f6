// A table of facts: rule numbers and paths from the published artefacts of EN 16931, version 1.3.16.
// A line with two spaces names an element, from the context of the rule ('.' for the context itself); the lines below
// it name what that element must not have, each with the number of the rule. See parsePathTable.
// A bare number is CII-SR-…; DT-… is CII-DT-…; a fatal rule has "!".

export const UNUSED_IN_CII = {
  paymentMeans: `
  .
    ram:PayerSpecifiedDebtorFinancialInstitution 464
`,
  context: `
  .
    ram:SpecifiedTransactionID 001, ram:TestIndicator 002, ram:BIMSpecifiedDocumentContextParameter 006,
    ram:ScenarioSpecifiedDocumentContextParameter 007, ram:ApplicationSpecifiedDocumentContextParameter 008,
    ram:SubsetSpecifiedDocumentContextParameter 011, ram:MessageStandardSpecifiedDocumentContextParameter 012
`,
  document: `
  .
    ram:Name 013, ram:CopyIndicator 016, ram:Purpose 017, ram:ControlRequirementIndicator 018, ram:LanguageID 019,
    ram:PurposeCode 020, ram:RevisionDateTime 021, ram:VersionID 022, ram:GlobalID 023, ram:RevisionID 024,
    ram:PreviousRevisionID 025, ram:CategoryCode 026, ram:EffectiveSpecifiedPeriod 033, ram:IssuerTradeParty 034
  ram:IssueDateTime
    udt:DateTime 015
  ram:IncludedNote
    ram:Subject 027, ram:ContentCode 028, ram:ID 032
`,
  line: `
  .
    ram:DescriptionCode 035, ram:ParentLineID 036, ram:LineStatusCode 037, ram:LineStatusReasonCode 038,
    ram:IncludedSubordinateTradeLineItem 221
`,
  lineDocument: `
  ram:IncludedNote
    ram:SubjectCode 041, ram:ID 042, ram:Subject 043, ram:ContentCode 044
`,
  product: `
  .
    ram:ID 045, ram:ManufacturerAssignedID 048, ram:TradeName 049, ram:TypeCode 050, ram:NetWeightMeasure 051,
    ram:GrossWeightMeasure 052, ram:ProductGroupID 053, ram:EndItemTypeCode 054, ram:EndItemName 055,
    ram:AreaDensityMeasure 056, ram:UseDescription 057, ram:BrandName 058, ram:SubBrandName 059,
    ram:DrainedNetWeightMeasure 060, ram:VariableMeasureIndicator 061, ram:ColourCode 062, ram:ColourDescription 063,
    ram:Designation 064, ram:FormattedCancellationAnnouncedLaunchDateTime 065,
    ram:FormattedLatestProductDataChangeDateTime 066, ram:ApplicableMaterialGoodsCharacteristic 080,
    ram:IndividualTradeProductInstance 087, ram:CertificationEvidenceReferenceReferencedDocument 088,
    ram:InspectionReferenceReferencedDocument 089, ram:LinearSpatialDimension 093,
    ram:MinimumLinearSpatialDimension 094, ram:MaximumLinearSpatialDimension 095, ram:ManufacturerTradeParty 096,
    ram:PresentationSpecifiedBinaryFile 097, ram:MSDSReferenceReferencedDocument 098,
    ram:AdditionalReferenceReferencedDocument 099, ram:LegalRightsOwnerTradeParty 100, ram:BrandOwnerTradeParty 101,
    ram:IncludedReferencedProduct 102, ram:InformationNote 103
  ram:ApplicableProductCharacteristic
    ram:ID 067, ram:TypeCode 068, ram:ValueMeasure 070, ram:MeasurementMethodCode 071, ram:ValueCode 073,
    ram:ValueDateTime 074, ram:ValueIndicator 075, ram:ContentTypeCode 076, ram:ValueSpecifiedBinaryFile 077,
    ram:ApplicableProductCharacteristicCondition 078, ram:ApplicableReferencedStandard 079
  ram:DesignatedProductClassification
    ram:SystemID 081, ram:SystemName 082, ram:ClassName 083, ram:SubClassCode 084, ram:ClassProductCharacteristic 085,
    ram:ApplicableReferencedStandard 086
  ram:OriginTradeCountry
    ram:Name 091, ram:SubordinateTradeCountrySubDivision 092
`,
  lineAgreement: `
  .
    ram:BuyerReference 104, ram:BuyerRequisitionerTradeParty 105, ram:ApplicableTradeDeliveryTerms 106,
    ram:SellerOrderReferencedDocument 107, ram:QuotationReferencedDocument 109, ram:ContractReferencedDocument 110,
    ram:DemandForecastReferencedDocument 111, ram:PromotionalDealReferencedDocument 112,
    ram:AdditionalReferencedDocument 113, ram:RequisitionerReferencedDocument 147, ram:ItemSellerTradeParty 148,
    ram:ItemBuyerTradeParty 149, ram:IncludedSpecifiedMarketplace 150, ram:UltimateCustomerOrderReferencedDocument 447
  ram:BuyerOrderReferencedDocument
    ram:IssuerAssignedID 108
  ram:GrossPriceProductTradePrice
    ram:TypeCode 114, ram:MinimumQuantity 115, ram:MaximumQuantity 116, ram:ChangeReason 117,
    ram:OrderUnitConversionFactorNumeric 118, ram:IncludedTradeTax 445, ram:ValiditySpecifiedPeriod 132,
    ram:DeliveryTradeLocation 133, ram:TradeComparisonReferencePrice 134, ram:AssociatedReferencedDocument 135
  ram:GrossPriceProductTradePrice/ram:AppliedTradeAllowanceCharge
    ram:ID 120, ram:SequenceNumeric 121, ram:CalculationPercent 122, ram:BasisAmount 123, ram:BasisQuantity 124,
    ram:PrepaidIndicator 125, ram:UnitBasisAmount 126, ram:ReasonCode 127, ram:Reason 128, ram:TypeCode 129,
    ram:CategoryTradeTax 130, ram:ActualTradeCurrencyExchange 131
  ram:NetPriceProductTradePrice
    ram:TypeCode 136, ram:MinimumQuantity 138, ram:MaximumQuantity 139, ram:ChangeReason 140,
    ram:OrderUnitConversionFactorNumeric 141, ram:AppliedTradeAllowanceCharge 142, ram:IncludedTradeTax 446,
    ram:ValiditySpecifiedPeriod 143, ram:DeliveryTradeLocation 144, ram:TradeComparisonReferencePrice 145,
    ram:AssociatedReferencedDocument 146
`,
  lineDelivery: `
  .
    ram:RequestedQuantity 151, ram:ReceivedQuantity 152, ram:ChargeFreeQuantity 153, ram:PackageQuantity 154,
    ram:ProductUnitQuantity 155, ram:PerPackageUnitQuantity 156, ram:NetWeightMeasure 157, ram:GrossWeightMeasure 158,
    ram:TheoreticalWeightMeasure 159, ram:DespatchedQuantity 160, ram:SpecifiedDeliveryAdjustment 161,
    ram:IncludedSupplyChainPackaging 162, ram:RelatedSupplyChainConsignment 163, ram:ShipToTradeParty 164,
    ram:UltimateShipToTradeParty 165, ram:ShipFromTradeParty 166, ram:ActualDespatchSupplyChainEvent 167,
    ram:ActualPickUpSupplyChainEvent 168, ram:RequestedDeliverySupplyChainEvent 169,
    ram:ActualDeliverySupplyChainEvent 170, ram:ActualReceiptSupplyChainEvent 171,
    ram:AdditionalReferencedDocument 172, ram:DespatchAdviceReferencedDocument 173,
    ram:ReceivingAdviceReferencedDocument 174, ram:DeliveryNoteReferencedDocument 175,
    ram:ConsumptionReportReferencedDocument 176, ram:PackingListReferencedDocument 177
`,
  lineSettlement: `
  .
    ram:PaymentReference 178, ram:InvoiceIssuerReference 179, ram:TotalAdjustmentAmount 180,
    ram:DiscountIndicator 181, ram:SubtotalCalculatedTradeTax 194, ram:SpecifiedLogisticsServiceCharge 195,
    ram:SpecifiedTradePaymentTerms 196, ram:SpecifiedFinancialAdjustment 209, ram:InvoiceReferencedDocument 210,
    ram:PayableSpecifiedTradeAccountingAccount 212, ram:PurchaseSpecifiedTradeAccountingAccount 218,
    ram:SalesSpecifiedTradeAccountingAccount 219, ram:SpecifiedTradeSettlementFinancialCard 220
  ram:ApplicableTradeTax
    ram:CalculatedAmount 182
  ram:SpecifiedTradeAllowanceCharge/ram:ChargeIndicator
    udt:IndicatorString 183
  ram:SpecifiedTradeAllowanceCharge
    ram:ID 184, ram:SequenceNumeric 185, ram:BasisQuantity 187, ram:PrepaidIndicator 188, ram:UnitBasisAmount 189,
    ram:TypeCode 190, ram:CategoryTradeTax 191, ram:ActualTradeCurrencyExchange 192, ram:ID 193
  ram:SpecifiedTradeAllowanceCharge/ram:CalculationPercent
    @format 186
  ram:SpecifiedTradeSettlementLineMonetarySummation
    ram:ChargeTotalAmount 197, ram:AllowanceTotalAmount 198, ram:TaxBasisTotalAmount 199, ram:TaxTotalAmount 200,
    ram:GrandTotalAmount 201, ram:InformationAmount 202, ram:TotalAllowanceChargeAmount 203,
    ram:TotalRetailValueInformationAmount 204, ram:GrossLineTotalAmount 205, ram:NetLineTotalAmount 206,
    ram:NetIncludingTaxesLineTotalAmount 207, ram:ProductWeightLossInformationAmount 208
  ram:ReceivableSpecifiedTradeAccountingAccount
    ram:SetTriggerCode 213, ram:TypeCode 214, ram:AmountTypeCode 215, ram:Name 216,
    ram:CostReferenceDimensionPattern 217
`,
  agreement: `
  .
    ram:Reference 442, ram:SalesAgentTradeParty 278, ram:BuyerRequisitionerTradeParty 279,
    ram:BuyerAssignedAccountantTradeParty 280, ram:SellerAssignedAccountantTradeParty 281,
    ram:ProductEndUserTradeParty 292, ram:ApplicableTradeDeliveryTerms 293, ram:QuotationReferencedDocument 296,
    ram:OrderResponseReferencedDocument 297, ram:DemandForecastReferencedDocument 299,
    ram:SupplyInstructionReferencedDocument 300, ram:PromotionalDealReferencedDocument 301,
    ram:PriceListReferencedDocument 302, ram:RequisitionerReferencedDocument 304, ram:BuyerAgentTradeParty 305,
    ram:PurchaseConditionsReferencedDocument 306, ram:UltimateCustomerOrderReferencedDocument 448
  ram:SellerTradeParty
    ram:RoleCode 222, ram:EndPointURIUniversalCommunication 247, ram:LogoAssociatedSpecifiedBinaryFile 248
  ram:SellerTradeParty/ram:SpecifiedLegalOrganization
    ram:LegalClassificationCode 223, ram:Name 224, ram:PostalTradeAddress 225, ram:AuthorizedLegalRegistration 226
  ram:SellerTradeParty/ram:DefinedTradeContact
    ram:ID 227, ram:TypeCode 228, ram:JobTitle 229, ram:Responsibility 230, ram:PersonID 231,
    ram:DirectTelephoneUniversalCommunication 234, ram:MobileTelephoneUniversalCommunication 235,
    ram:FaxUniversalCommunication 236, ram:TelexUniversalCommunication 239, ram:VOIPUniversalCommunication 240,
    ram:InstantMessagingUniversalCommunication 241, ram:SpecifiedNote 242, ram:SpecifiedContactPerson 243
  ram:SellerTradeParty/ram:DefinedTradeContact/ram:TelephoneUniversalCommunication
    ram:URIID 232, ram:ChannelCode 233
  ram:SellerTradeParty/ram:DefinedTradeContact/ram:EmailURIUniversalCommunication
    ram:ChannelCode 237, ram:CompleteNumber 238
  ram:SellerTradeParty/ram:URIUniversalCommunication
    ram:ChannelCode 244, ram:CompleteNumber 245
  ram:SellerTradeParty/ram:SpecifiedTaxRegistration
    ram:AssociatedRegisteredTax 246
  ram:BuyerTradeParty
    ram:RoleCode 249, ram:Description 250, ram:EndPointURIUniversalCommunication 276,
    ram:LogoAssociatedSpecifiedBinaryFile 277
  ram:BuyerTradeParty/ram:SpecifiedLegalOrganization
    ram:LegalClassificationCode 251, ram:Name 252, ram:PostalTradeAddress 254, ram:AuthorizedLegalRegistration 255
  ram:BuyerTradeParty/ram:DefinedTradeContact
    ram:ID 256, ram:TypeCode 257, ram:JobTitle 258, ram:Responsibility 259, ram:PersonID 260,
    ram:DirectTelephoneUniversalCommunication 263, ram:MobileTelephoneUniversalCommunication 264,
    ram:FaxUniversalCommunication 265, ram:TelexUniversalCommunication 268, ram:VOIPUniversalCommunication 269,
    ram:InstantMessagingUniversalCommunication 270, ram:SpecifiedNote 271, ram:SpecifiedContactPerson 272
  ram:BuyerTradeParty/ram:DefinedTradeContact/ram:TelephoneUniversalCommunication
    ram:URIID 261, ram:ChannelCode 262
  ram:BuyerTradeParty/ram:DefinedTradeContact/ram:EmailURIUniversalCommunication
    ram:ChannelCode 266, ram:CompleteNumber 267
  ram:BuyerTradeParty/ram:URIUniversalCommunication
    ram:ChannelCode 273, ram:CompleteNumber 274
  ram:BuyerTradeParty/ram:SpecifiedTaxRegistration
    ram:AssociatedRegisteredTax 275
  ram:SellerTaxRepresentativeTradeParty
    ram:ID 282, ram:GlobalID 283, ram:RoleCode 284, ram:Description 285, ram:SpecifiedLegalOrganization 286,
    ram:DefinedTradeContact 287, ram:URIUniversalCommunication 288, ram:EndPointURIUniversalCommunication 290,
    ram:LogoAssociatedSpecifiedBinaryFile 291
  ram:SellerTaxRepresentativeTradeParty/ram:SpecifiedTaxRegistration
    ram:AssociatedRegisteredTax 289
  ram:SellerOrderReferencedDocument
    ram:LineID 294
  ram:BuyerOrderReferencedDocument
    ram:LineID 295
  ram:ContractReferencedDocument
    ram:LineID 298
  ram:AdditionalReferencedDocument
    ram:LineID 303
  ram:SpecifiedProcuringProject
    ram:Description 307
`,
  delivery: `
  .
    ram:RelatedSupplyChainConsignment 308, ram:UltimateShipToTradeParty 317, ram:ShipFromTradeParty 318,
    ram:ActualDespatchSupplyChainEvent 319, ram:ActualPickUpSupplyChainEvent 320,
    ram:ActualReceiptSupplyChainEvent 331, ram:AdditionalReferencedDocument 332,
    ram:DeliveryNoteReferencedDocument 335, ram:ConsumptionReportReferencedDocument 336,
    ram:PreviousDeliverySupplyChainEvent 337, ram:PackingListReferencedDocument 338
  ram:ShipToTradeParty
    ram:RoleCode 309, ram:Description 310, ram:SpecifiedLegalOrganization 311, ram:DefinedTradeContact 312,
    ram:URIUniversalCommunication 313, ram:SpecifiedTaxRegistration 314, ram:EndPointURIUniversalCommunication 315,
    ram:LogoAssociatedSpecifiedBinaryFile 316
  ram:ActualDeliverySupplyChainEvent
    ram:ID 321, ram:TypeCode 323, ram:Description 324, ram:DescriptionBinaryObject 325, ram:UnitQuantity 326,
    ram:LatestOccurrenceDateTime 327, ram:EarliestOccurrenceDateTime 328, ram:OccurrenceSpecifiedPeriod 329,
    ram:OccurrenceLogisticsLocation 330
  ram:ActualDeliverySupplyChainEvent/ram:OccurrenceDateTime
    udt:DateTime 322
  ram:DespatchAdviceReferencedDocument
    ram:LineID 333, ram:LineID 334
`,
  settlement: `
  .
    ram:DuePayableAmount 339, ram:CreditorReferenceTypeCode 340, ram:CreditorReferenceType 341,
    ram:CreditorReferenceIssuerID 342, ram:PaymentCurrencyCode 344, ram:InvoiceIssuerReference 345,
    ram:InvoiceDateTime 346, ram:NextInvoiceDateTime 347, ram:CreditReasonCode 348, ram:CreditReason 349,
    ram:InvoicerTradeParty 350, ram:InvoiceeTradeParty 351, ram:PayerTradeParty 365,
    ram:TaxApplicableTradeCurrencyExchange 366, ram:InvoiceApplicableTradeCurrencyExchange 367,
    ram:PaymentApplicableTradeCurrencyExchange 368, ram:SubtotalCalculatedTradeTax 395,
    ram:SpecifiedLogisticsServiceCharge 396, ram:SpecifiedFinancialAdjustment 421,
    ram:ProFormaInvoiceReferencedDocument 423, ram:LetterOfCreditReferencedDocument 424,
    ram:FactoringAgreementReferencedDocument 425, ram:FactoringListReferencedDocument 426,
    ram:PayableSpecifiedTradeAccountingAccount 427, ram:PurchaseSpecifiedTradeAccountingAccount 433,
    ram:SalesSpecifiedTradeAccountingAccount 434, ram:SpecifiedTradeSettlementFinancialCard 435,
    ram:SpecifiedAdvancePayment 436, ram:UltimatePayeeTradeParty 437
  ram:PayeeTradeParty
    ram:RoleCode 352, ram:Description 353, ram:DefinedTradeContact 359, ram:PostalTradeAddress 360,
    ram:URIUniversalCommunication 361, ram:SpecifiedTaxRegistration 362, ram:EndPointURIUniversalCommunication 363,
    ram:LogoAssociatedSpecifiedBinaryFile 364
  ram:PayeeTradeParty/ram:SpecifiedLegalOrganization
    ram:LegalClassificationCode 354, ram:Name 355, ram:TradingBusinessName 356, ram:PostalTradeAddress 357,
    ram:AuthorizedLegalRegistration 358
  ram:SpecifiedTradeSettlementPaymentMeans
    ram:PaymentChannelCode 369, ram:GuaranteeMethodCode 370, ram:PaymentMethodCode 371, ram:ID 443
  ram:SpecifiedTradeSettlementPaymentMeans/ram:ApplicableTradeSettlementFinancialCard
    ram:MicrochipIndicator 372, ram:TypeCode 373, ram:ExpiryDate 375, ram:VerificationNumeric 376,
    ram:ValidFromDateTime 377, ram:CreditLimitAmount 378, ram:CreditAvailableAmount 379, ram:InterestRatePercent 380,
    ram:Description 381
  ram:SpecifiedTradeSettlementPaymentMeans/ram:PayerPartyDebtorFinancialAccount
    ram:AccountName 382, ram:ProprietaryID 444
  ram:SpecifiedTradeSettlementPaymentMeans/ram:PayerSpecifiedDebtorFinancialInstitution
    ram:ClearingSystemName 384, ram:Name 385, ram:LocationFinancialInstitutionAddress 386
  ram:SpecifiedTradeAllowanceCharge
    ram:ID 388, ram:SequenceNumeric 389, ram:BasisQuantity 390, ram:PrepaidIndicator 391, ram:UnitBasisAmount 392,
    ram:TypeCode 393, ram:ActualTradeCurrencyExchange 394
  ram:SpecifiedTradePaymentTerms
    ram:ID 397, ram:FromEventCode 398, ram:SettlementPeriodMeasure 399, ram:TypeCode 401, ram:InstructionTypeCode 402,
    ram:PartialPaymentPercent 404, ram:PaymentMeansID 405, ram:PartialPaymentAmount 406,
    ram:ApplicableTradePaymentPenaltyTerms 407, ram:ApplicableTradePaymentDiscountTerms 408, ram:PayeeTradeParty 409
  ram:SpecifiedTradePaymentTerms/ram:DueDateDateTime
    udt:DateTime 400
  ram:InvoiceReferencedDocument
    ram:LineID 422
  ram:ReceivableSpecifiedTradeAccountingAccount
    ram:SetTriggerCode 428, ram:TypeCode 429, ram:AmountTypeCode 430, ram:Name 431,
    ram:CostReferenceDimensionPattern 432
`,
  totals: `
  .
    ram:InformationAmount 411, ram:TotalDiscountAmount 412, ram:TotalAllowanceChargeAmount 413,
    ram:RetailValueExcludingTaxInformationAmount 414, ram:TotalDepositFeeInformationAmount 415,
    ram:ProductValueExcludingTobaccoTaxInformationAmount 416, ram:TotalRetailValueInformationAmount 417,
    ram:GrossLineTotalAmount 418, ram:NetLineTotalAmount 419, ram:NetIncludingTaxesLineTotalAmount 420
`,
  root: `
  .
    @languageID DT-013!, @languageLocaleID DT-014!, ram:ValuationBreakdownStatement 438
`,
  contextParameter: `
  .
    ram:Value 04, ram:SpecifiedDocumentVersion 05
`,
  plainIdentifier: `
  .
    @schemeName DT-001!, @schemeAgencyName DT-002!, @schemeDataURI DT-003!, @schemeURI DT-004!, @schemeID DT-005!,
    @schemeAgencyID DT-006!, @schemeVersionID DT-007!
`,
  identifier: `
  .
    @schemeName DT-101!, @schemeAgencyName DT-102!, @schemeDataURI DT-103!, @schemeURI DT-104!
`,
  typeCode: `
  .
    @name DT-008!, @listURI DT-009!
`,
  invoiceTypeCode: `
  .
    @listID DT-010!, @listAgencyID DT-011!, @listVersionID DT-012!
`,
  lineCategory: `
  .
    @listID DT-045, @listAgencyID DT-046, @listVersionID DT-047, @listURI DT-048
`,
  referencedDocument: `
  .
    ram:StatusCode DT-016!, ram:CopyIndicator DT-017!, ram:GlobalID DT-019!, ram:RevisionID DT-020!,
    ram:Information DT-023!, ram:SectionName DT-025!, ram:PreviousRevisionID DT-026!,
    ram:EffectiveSpecifiedPeriod DT-028!, ram:IssuerTradeParty DT-029!, ram:AttachedSpecifiedBinaryFile DT-030!
`,
  amount: `
  .
    @currencyID DT-031!, @currencyCodeListVersionID DT-032!
`,
  quantity: `
  .
    @unitCodeListID DT-034!, @unitCodeListAgencyID DT-035!, @unitCodeListAgencyName DT-036!
`,
  tradeTax: `
  .
    ram:CalculatedRate DT-038, ram:CalculationSequenceNumeric DT-039, ram:BasisQuantity DT-040,
    ram:UnitBasisAmount DT-042, ram:LineTotalBasisAmount DT-043, ram:AllowanceChargeBasisAmount DT-044,
    ram:CurrencyCode DT-049, ram:Jurisdiction DT-050, ram:CustomsDutyIndicator DT-051,
    ram:TaxBasisAllowanceRate DT-053, ram:Type DT-055, ram:InformationAmount DT-056, ram:CategoryName DT-057,
    ram:SpecifiedTradeAccountingAccount DT-060, ram:ServiceSupplyTradeCountry DT-061,
    ram:BuyerRepayableTaxSpecifiedTradeAccountingAccount DT-062,
    ram:SellerPayableTaxSpecifiedTradeAccountingAccount DT-063,
    ram:SellerRefundableTaxSpecifiedTradeAccountingAccount DT-064,
    ram:BuyerDeductibleTaxSpecifiedTradeAccountingAccount DT-065,
    ram:BuyerNonDeductibleTaxSpecifiedTradeAccountingAccount DT-066, ram:PlaceApplicableTradeLocation DT-067
  ram:RateApplicablePercent
    @format DT-059
`,
  period: `
  ram:StartDateTime
    udt:DateTime DT-068!
  .
    ram:DurationMeasure DT-069!, ram:InclusiveIndicator DT-070!, ram:Description DT-071!,
    ram:CompleteDateTime DT-073!, ram:OpenIndicator DT-074!, ram:SeasonCode DT-075!, ram:ID DT-076!, ram:Name DT-077!,
    ram:SequenceNumeric DT-078!, ram:StartDateFlexibilityCode DT-079!, ram:ContinuousIndicator DT-080!,
    ram:PurposeCode DT-081!
  ram:EndDateTime
    udt:DateTime DT-072!
`,
  address: `
  .
    ram:ID DT-082!, ram:PostOfficeBox DT-083!, ram:BuildingName DT-084!, ram:LineFour DT-086!, ram:LineFive DT-087!,
    ram:StreetName DT-088!, ram:CitySubDivisionName DT-089!, ram:CountryName DT-090!,
    ram:CountrySubDivisionID DT-091!, ram:AttentionOf DT-092!, ram:CareOf DT-093!, ram:BuildingNumber DT-094!,
    ram:DepartmentName DT-095!, ram:AdditionalStreetName DT-096!
`,
} as const;
