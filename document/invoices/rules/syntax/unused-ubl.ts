// A table of facts: rule numbers and paths from the published artefacts of EN 16931, version 1.3.16.
// A line with two spaces names an element, from the context of the rule ('.' for the context itself); the lines below
// it name what that element must not have, each with the number of the rule. See parsePathTable.
// A bare number is UBL-CR-…; DT-… is UBL-DT-….

/** From the root of the invoice. */
export const UNUSED_IN_UBL = `
  .
    ext:UBLExtensions 001, cbc:ProfileExecutionID 003, cbc:CopyIndicator 004, cbc:UUID 005, cbc:IssueTime 006,
    cbc:PricingCurrencyCode 007, cbc:PaymentCurrencyCode 008, cbc:PaymentAlternativeCurrencyCode 009,
    cbc:AccountingCostCode 010, cbc:LineCountNumeric 011, cac:StatementDocumentReference 077, cac:Signature 137,
    cac:BuyerCustomerParty 294, cac:SellerSupplierParty 295, cac:DeliveryTerms 410, cac:PrepaidPayment 470,
    cac:TaxExchangeRate 490, cac:PricingExchangeRate 491, cac:PaymentExchangeRate 492,
    cac:PaymentAlternativeExchangeRate 493, cac:WithholdingTaxTotal 513
  cac:InvoicePeriod
    cbc:StartTime 012, cbc:EndTime 013, cbc:DurationMeasure 014, cbc:Description 015
  cac:OrderReference
    cbc:CopyIndicator 016, cbc:UUID 017, cbc:IssueDate 018, cbc:IssueTime 019, cbc:CustomerReference 020,
    cbc:OrderTypeCode 021, cac:DocumentReference 022
  cac:BillingReference/cac:InvoiceDocumentReference
    cbc:CopyIndicator 023, cbc:UUID 024, cbc:IssueTime 025, cbc:DocumentTypeCode 026, cbc:DocumentType 027,
    cbc:XPath 028, cbc:LanguageID 029, cbc:LocaleCode 030, cbc:VersionID 031, cbc:DocumentStatusCode 032,
    cbc:DocumentDescription 033, cac:Attachment 034, cac:ValidityPeriod 035, cac:IssuerParty 036,
    cac:ResultOfVerification 037
  cac:BillingReference
    cac:SelfBilledInvoiceDocumentReference 038, cac:CreditNoteDocumentReference 039,
    cac:SelfBilledCreditNoteDocumentReference 040, cac:DebitNoteDocumentReference 041,
    cac:ReminderDocumentReference 042, cac:AdditionalDocumentReference 043, cac:BillingReferenceLine 044
  cac:DespatchDocumentReference
    cbc:CopyIndicator 045, cbc:UUID 046, cbc:IssueDate 047, cbc:IssueTime 048, cbc:DocumentTypeCode 049,
    cbc:DocumentType 050, cbc:XPath 051, cbc:LanguageID 052, cbc:LocaleCode 053, cbc:VersionID 054,
    cbc:DocumentStatusCode 055, cbc:DocumentDescription 056, cac:Attachment 057, cac:ValidityPeriod 058,
    cac:IssuerParty 059, cac:ResultOfVerification 060
  cac:ReceiptDocumentReference
    cbc:CopyIndicator 061, cbc:UUID 062, cbc:IssueDate 063, cbc:IssueTime 064, cbc:DocumentTypeCode 065,
    cbc:DocumentType 066, cbc:XPath 067, cbc:LanguageID 068, cbc:LocaleCode 069, cbc:VersionID 070,
    cbc:DocumentStatusCode 071, cbc:DocumentDescription 072, cac:Attachment 073, cac:ValidityPeriod 074,
    cac:IssuerParty 075, cac:ResultOfVerification 076
  cac:OriginatorDocumentReference
    cbc:CopyIndicator 078, cbc:UUID 079, cbc:IssueDate 080, cbc:IssueTime 081, cbc:DocumentTypeCode 082,
    cbc:DocumentType 083, cbc:XPath 084, cbc:LanguageID 085, cbc:LocaleCode 086, cbc:VersionID 087,
    cbc:DocumentStatusCode 088, cbc:DocumentDescription 089, cac:Attachment 090, cac:ValidityPeriod 091,
    cac:IssuerParty 092, cac:ResultOfVerification 093
  cac:ContractDocumentReference
    cbc:CopyIndicator 094, cbc:UUID 095, cbc:IssueDate 096, cbc:IssueTime 097, cbc:DocumentTypeCode 098,
    cbc:DocumentType 099, cbc:XPath 100, cbc:LanguageID 101, cbc:LocaleCode 102, cbc:VersionID 103,
    cbc:DocumentStatusCode 104, cbc:DocumentDescription 105, cac:Attachment 106, cac:ValidityPeriod 107,
    cac:IssuerParty 108, cac:ResultOfVerification 109
  cac:AdditionalDocumentReference
    cbc:CopyIndicator 110, cbc:UUID 111, cbc:IssueDate 112, cbc:IssueTime 113, cbc:DocumentType 114, cbc:XPath 115,
    cbc:LanguageID 116, cbc:LocaleCode 117, cbc:VersionID 118, cbc:DocumentStatusCode 119, cac:ValidityPeriod 131,
    cac:IssuerParty 132, cac:ResultOfVerification 133
  cac:AdditionalDocumentReference/cac:Attachment/cac:ExternalReference
    cbc:DocumentHash 121, cbc:HashAlgorithmMethod 122, cbc:ExpiryDate 123, cbc:ExpiryTime 124, cbc:MimeCode 125,
    cbc:FormatCode 126, cbc:EncodingCode 127, cbc:CharacterSetCode 128, cbc:FileName 129, cbc:Description 130
  cac:ProjectReference
    cbc:UUID 134, cbc:IssueDate 135, cac:WorkPhaseReference 136
  cac:AccountingSupplierParty
    cbc:CustomerAssignedAccountID 138, cbc:AdditionalAccountID 139, cbc:DataSendingCapability 140,
    cac:DespatchContact 198, cac:AccountingContact 199, cac:SellerContact 200
  cac:AccountingSupplierParty/cac:Party
    cbc:MarkCareIndicator 141, cbc:MarkAttentionIndicator 142, cbc:WebsiteURI 143, cbc:LogoReferenceID 144,
    cbc:IndustryClassificationCode 145, cac:Language 146, cac:PhysicalLocation 168, cac:Person 193,
    cac:AgentParty 194, cac:ServiceProviderParty 195, cac:PowerOfAttorney 196, cac:FinancialAccount 197
  cac:AccountingSupplierParty/cac:Party/cac:PostalAddress
    cbc:ID 147, cbc:AddressTypeCode 148, cbc:AddressFormatCode 149, cbc:Postbox 150, cbc:Floor 151, cbc:Room 152,
    cbc:BlockName 153, cbc:BuildingName 154, cbc:BuildingNumber 155, cbc:InhouseMail 156, cbc:Department 157,
    cbc:MarkAttention 158, cbc:MarkCare 159, cbc:PlotIdentification 160, cbc:CitySubdivisionName 161,
    cbc:CountrySubentityCode 162, cbc:Region 163, cbc:District 164, cbc:TimezoneOffset 165, cac:LocationCoordinate 167
  cac:AccountingSupplierParty/cac:Party/cac:PostalAddress/cac:Country
    cbc:Name 166
  cac:AccountingSupplierParty/cac:Party/cac:PartyTaxScheme
    cbc:RegistrationName 169, cbc:TaxLevelCode 170, cbc:ExemptionReasonCode 171, cbc:ExemptionReason 172,
    cac:RegistrationAddress 173
  cac:AccountingSupplierParty/cac:Party/cac:PartyTaxScheme/cac:TaxScheme
    cbc:Name 174, cbc:TaxTypeCode 175, cbc:CurrencyCode 176, cac:JurisdictionRegionAddress 177
  cac:AccountingSupplierParty/cac:Party/cac:PartyLegalEntity
    cbc:RegistrationDate 178, cbc:RegistrationExpirationDate 179, cbc:CompanyLegalFormCode 180,
    cbc:SoleProprietorshipIndicator 181, cbc:CompanyLiquidationStatusCode 182, cbc:CorporateStockAmount 183,
    cbc:FullyPaidSharesIndicator 184, cac:RegistrationAddress 185, cac:CorporateRegistrationScheme 186,
    cac:HeadOfficeParty 187, cac:ShareholderParty 188
  cac:AccountingSupplierParty/cac:Party/cac:Contact
    cbc:ID 189, cbc:Telefax 190, cbc:Note 191, cac:OtherCommunication 192
  cac:AccountingCustomerParty
    cbc:CustomerAssignedAccountID 201, cbc:SupplierAssignedAccountID 202, cbc:AdditionalAccountID 203,
    cac:DeliveryContact 262, cac:AccountingContact 263, cac:BuyerContact 264
  cac:AccountingCustomerParty/cac:Party
    cbc:MarkCareIndicator 204, cbc:MarkAttentionIndicator 205, cbc:WebsiteURI 206, cbc:LogoReferenceID 207,
    cbc:IndustryClassificationCode 208, cac:Language 209, cac:PhysicalLocation 231, cac:Person 257,
    cac:AgentParty 258, cac:ServiceProviderParty 259, cac:PowerOfAttorney 260, cac:FinancialAccount 261
  cac:AccountingCustomerParty/cac:Party/cac:PostalAddress
    cbc:ID 210, cbc:AddressTypeCode 211, cbc:AddressFormatCode 212, cbc:Postbox 213, cbc:Floor 214, cbc:Room 215,
    cbc:BlockName 216, cbc:BuildingName 217, cbc:BuildingNumber 218, cbc:InhouseMail 219, cbc:Department 220,
    cbc:MarkAttention 221, cbc:MarkCare 222, cbc:PlotIdentification 223, cbc:CitySubdivisionName 224,
    cbc:CountrySubentityCode 225, cbc:Region 226, cbc:District 227, cbc:TimezoneOffset 228, cac:LocationCoordinate 230
  cac:AccountingCustomerParty/cac:Party/cac:PostalAddress/cac:Country
    cbc:Name 229
  cac:AccountingCustomerParty/cac:Party/cac:PartyTaxScheme
    cbc:RegistrationName 232, cbc:TaxLevelCode 233, cbc:ExemptionReasonCode 234, cbc:ExemptionReason 235,
    cac:RegistrationAddress 236
  cac:AccountingCustomerParty/cac:Party/cac:PartyTaxScheme/cac:TaxScheme
    cbc:Name 237, cbc:TaxTypeCode 238, cbc:CurrencyCode 239, cac:JurisdictionRegionAddress 240
  cac:AccountingCustomerParty/cac:Party/cac:PartyLegalEntity
    cbc:RegistrationDate 241, cbc:RegistrationExpirationDate 242, cbc:CompanyLegalFormCode 243,
    cbc:CompanyLegalForm 244, cbc:SoleProprietorshipIndicator 245, cbc:CompanyLiquidationStatusCode 246,
    cbc:CorporateStockAmount 247, cbc:FullyPaidSharesIndicator 248, cac:RegistrationAddress 249,
    cac:CorporateRegistrationScheme 250, cac:HeadOfficeParty 251, cac:ShareholderParty 252
  cac:AccountingCustomerParty/cac:Party/cac:Contact
    cbc:ID 253, cbc:Telefax 254, cbc:Note 255, cac:OtherCommunication 256
  cac:PayeeParty
    cbc:MarkCareIndicator 265, cbc:MarkAttentionIndicator 266, cbc:WebsiteURI 267, cbc:LogoReferenceID 268,
    cbc:EndpointID 269, cbc:IndustryClassificationCode 270, cac:Language 271, cac:PostalAddress 272,
    cac:PhysicalLocation 273, cac:PartyTaxScheme 274, cac:Contact 288, cac:Person 289, cac:AgentParty 290,
    cac:ServiceProviderParty 291, cac:PowerOfAttorney 292, cac:FinancialAccount 293
  cac:PayeeParty/cac:PartyLegalEntity
    cbc:RegistrationName 275, cbc:RegistrationDate 276, cbc:RegistrationExpirationDate 277,
    cbc:CompanyLegalFormCode 278, cbc:CompanyLegalForm 279, cbc:SoleProprietorshipIndicator 280,
    cbc:CompanyLiquidationStatusCode 281, cbc:CorporateStockAmount 282, cbc:FullyPaidSharesIndicator 283,
    cac:RegistrationAddress 284, cac:CorporateRegistrationScheme 285, cac:HeadOfficeParty 286,
    cac:ShareholderParty 287
  cac:TaxRepresentativeParty
    cbc:MarkCareIndicator 296, cbc:MarkAttentionIndicator 297, cbc:WebsiteURI 298, cbc:LogoReferenceID 299,
    cbc:EndpointID 300, cbc:IndustryClassificationCode 301, cac:PartyIdentification 302, cac:Language 303,
    cac:PhysicalLocation 325, cac:PartyLegalEntity 335, cac:Contact 336, cac:Person 337, cac:AgentParty 338,
    cac:ServiceProviderParty 339, cac:PowerOfAttorney 340, cac:FinancialAccount 341
  cac:TaxRepresentativeParty/cac:PostalAddress
    cbc:ID 304, cbc:AddressTypeCode 305, cbc:AddressFormatCode 306, cbc:Postbox 307, cbc:Floor 308, cbc:Room 309,
    cbc:BlockName 310, cbc:BuildingName 311, cbc:BuildingNumber 312, cbc:InhouseMail 313, cbc:Department 314,
    cbc:MarkAttention 315, cbc:MarkCare 316, cbc:PlotIdentification 317, cbc:CitySubdivisionName 318,
    cbc:CountrySubentityCode 319, cbc:Region 320, cbc:District 321, cbc:TimezoneOffset 322, cac:LocationCoordinate 324
  cac:TaxRepresentativeParty/cac:PostalAddress/cac:Country
    cbc:Name 323
  cac:TaxRepresentativeParty/cac:PartyTaxScheme
    cbc:RegistrationName 326, cbc:TaxLevelCode 327, cbc:ExemptionReasonCode 328, cbc:ExemptionReason 329,
    cac:RegistrationAddress 330
  cac:TaxRepresentativeParty/cac:PartyTaxScheme/cac:TaxScheme
    cbc:Name 331, cbc:TaxTypeCode 332, cbc:CurrencyCode 333, cac:JurisdictionRegionAddress 334
  cac:Delivery
    cbc:ID 342, cbc:Quantity 343, cbc:MinimumQuantity 344, cbc:MaximumQuantity 345, cbc:ActualDeliveryTime 346,
    cbc:LatestDeliveryDate 347, cbc:LatestDeliveryTime 348, cbc:ReleaseID 349, cbc:TrackingID 350,
    cac:AlternativeDeliveryLocation 382, cac:RequestedDeliveryPeriod 383, cac:EstimatedDeliveryPeriod 384,
    cac:CarrierParty 385, cac:NotifyParty 404, cac:Despatch 405, cac:DeliveryTerms 406, cac:MinimumDeliveryUnit 407,
    cac:MaximumDeliveryUnit 408, cac:Shipment 409, cac:DeliveryAddress 682
  cac:Delivery/cac:DeliveryLocation
    cbc:Description 351, cbc:Conditions 352, cbc:CountrySubentity 353, cbc:CountrySubentityCode 354,
    cbc:LocationTypeCode 355, cbc:InformationURI 356, cbc:Name 357, cac:ValidityPeriod 358,
    cac:SubsidiaryLocation 380, cac:LocationCoordinate 381
  cac:Delivery/cac:DeliveryLocation/cac:Address
    cbc:ID 359, cbc:AddressTypeCode 360, cbc:AddressFormatCode 361, cbc:Postbox 362, cbc:Floor 363, cbc:Room 364,
    cbc:BlockName 365, cbc:BuildingName 366, cbc:BuildingNumber 367, cbc:InhouseMail 368, cbc:Department 369,
    cbc:MarkAttention 370, cbc:MarkCare 371, cbc:PlotIdentification 372, cbc:CitySubdivisionName 373,
    cbc:CountrySubentityCode 374, cbc:Region 375, cbc:District 376, cbc:TimezoneOffset 377, cac:LocationCoordinate 379
  cac:Delivery/cac:DeliveryLocation/cac:Address/cac:Country
    cbc:Name 378
  cac:Delivery/cac:DeliveryParty
    cbc:MarkCareIndicator 386, cbc:MarkAttentionIndicator 387, cbc:WebsiteURI 388, cbc:LogoReferenceID 389,
    cbc:EndpointID 390, cbc:IndustryClassificationCode 391, cac:PartyIdentification 392, cac:Language 393,
    cac:PostalAddress 394, cac:PhysicalLocation 395, cac:PartyTaxScheme 396, cac:PartyLegalEntity 397,
    cac:Contact 398, cac:Person 399, cac:AgentParty 400, cac:ServiceProviderParty 401, cac:PowerOfAttorney 402,
    cac:FinancialAccount 403
  cac:PaymentMeans
    cbc:ID 411, cbc:PaymentChannelCode 413, cbc:InstructionID 414, cac:CreditAccount 434, cac:TradeFinancing 451,
    cbc:InstructionNote 681
  cac:PaymentMeans/cac:CardAccount
    cbc:CardTypeCode 415, cbc:ValidityStartDate 416, cbc:ExpiryDate 417, cbc:IssuerID 418, cbc:IssueNumberID 419,
    cbc:CV2ID 420, cbc:CardChipCode 421, cbc:ChipApplicationID 422
  cac:PaymentMeans/cac:PayeeFinancialAccount
    cbc:AliasName 424, cbc:AccountTypeCode 425, cbc:AccountFormatCode 426, cbc:CurrencyCode 427, cbc:PaymentNote 428,
    cac:Country 433
  cac:PaymentMeans/cac:PayeeFinancialAccount/cac:FinancialInstitutionBranch
    cbc:Name 429, cac:Address 432
  cac:PaymentMeans/cac:PayeeFinancialAccount/cac:FinancialInstitutionBranch/cac:FinancialInstitution
    cbc:Name 430, cac:Address 431
  cac:PaymentMeans/cac:PaymentMandate
    cbc:MandateTypeCode 435, cbc:MaximumPaymentInstructionsNumeric 436, cbc:MaximumPaidAmount 437,
    cbc:SignatureID 438, cac:PayerParty 439, cac:ValidityPeriod 448, cac:PaymentReversalPeriod 449, cac:Clause 450
  cac:PaymentMeans/cac:PaymentMandate/cac:PayerFinancialAccount
    cbc:Name 440, cbc:AliasName 441, cbc:AccountTypeCode 442, cbc:AccountFormatCode 443, cbc:CurrencyCode 444,
    cbc:PaymentNote 445, cac:FinancialInstitutionBranch 446, cac:Country 447
  cac:PaymentTerms
    cbc:ID 452, cbc:PaymentMeansID 453, cbc:PrepaidPaymentReferenceID 454, cbc:ReferenceEventCode 455,
    cbc:SettlementDiscountPercent 456, cbc:PenaltySurchargePercent 457, cbc:PaymentPercent 458, cbc:Amount 459,
    cbc:SettlementDiscountAmount 460, cbc:PenaltyAmount 461, cbc:PaymentTermsDetailsURI 462, cbc:PaymentDueDate 463,
    cbc:InstallmentDueDate 464, cbc:InvoicingPartyReference 465, cac:SettlementPeriod 466, cac:PenaltyPeriod 467,
    cac:ExchangeRate 468, cac:ValidityPeriod 469
  cac:AllowanceCharge
    cbc:ID 471, cbc:PrepaidIndicator 472, cbc:SequenceNumeric 473, cbc:AccountingCostCode 474, cbc:AccountingCost 475,
    cbc:PerUnitAmount 476, cac:TaxTotal 488, cac:PaymentMeans 489
  cac:AllowanceCharge/cac:TaxCategory
    cbc:Name 477, cbc:BaseUnitMeasure 478, cbc:PerUnitAmount 479, cbc:TaxExemptionReasonCode 480,
    cbc:TaxExemptionReason 481, cbc:TierRange 482, cbc:TierRatePercent 483
  cac:AllowanceCharge/cac:TaxCategory/cac:TaxScheme
    cbc:Name 484, cbc:TaxTypeCode 485, cbc:CurrencyCode 486, cac:JurisdictionRegionAddress 487
  cac:TaxTotal
    cbc:RoundingAmount 494, cbc:TaxEvidenceIndicator 495, cbc:TaxIncludedIndicator 496
  cac:TaxTotal/cac:TaxSubtotal
    cbc:CalculationSequenceNumeric 497, cbc:TransactionCurrencyTaxAmount 498, cbc:Percent 499,
    cbc:BaseUnitMeasure 500, cbc:PerUnitAmount 501, cbc:TierRange 502, cbc:TierRatePercent 503
  cac:TaxTotal/cac:TaxSubtotal/cac:TaxCategory
    cbc:Name 504, cbc:BaseUnitMeasure 505, cbc:PerUnitAmount 506, cbc:TierRange 507, cbc:TierRatePercent 508
  cac:TaxTotal/cac:TaxSubtotal/cac:TaxCategory/cac:TaxScheme
    cbc:Name 509, cbc:TaxTypeCode 510, cbc:CurrencyCode 511, cac:JurisdictionRegionAddress 512
  cac:LegalMonetaryTotal
    cbc:PayableAlternativeAmount 514
  cac:InvoiceLine|cac:CreditNoteLine
    cbc:UUID 515, cbc:TaxPointDate 516, cbc:AccountingCostCode 517, cbc:PaymentPurposeCode 518,
    cbc:FreeOfChargeIndicator 519, cac:DespatchLineReference 529, cac:ReceiptLineReference 530,
    cac:BillingReference 531, cac:PricingReference 548, cac:OriginatorParty 549, cac:Delivery 550,
    cac:PaymentTerms 551, cac:TaxTotal 561, cac:WithholdingTaxTotal 562, cac:DeliveryTerms 645,
    cac:SubInvoiceLine 646, cac:ItemPriceExtension 647
  cac:InvoiceLine|cac:CreditNoteLine/cac:InvoicePeriod
    cbc:StartTime 520, cbc:EndTime 521, cbc:DurationMeasure 522, cbc:DescriptionCode 523, cbc:Description 524
  cac:InvoiceLine|cac:CreditNoteLine/cac:OrderLineReference
    cbc:SalesOrderLineID 525, cbc:UUID 526, cbc:LineStatusCode 527, cac:OrderReference 528
  cac:InvoiceLine|cac:CreditNoteLine/cac:DocumentReference
    cbc:CopyIndicator 532, cbc:UUID 533, cbc:IssueDate 534, cbc:IssueTime 535, cbc:DocumentType 537, cbc:XPath 538,
    cbc:LanguageID 539, cbc:LocaleCode 540, cbc:VersionID 541, cbc:DocumentStatusCode 542,
    cbc:DocumentDescription 543, cac:Attachment 544, cac:ValidityPeriod 545, cac:IssuerParty 546,
    cac:ResultOfVerification 547
  cac:InvoiceLine|cac:CreditNoteLine/cac:AllowanceCharge
    cbc:ID 552, cbc:PrepaidIndicator 553, cbc:SequenceNumeric 554, cbc:AccountingCostCode 555, cbc:AccountingCost 556,
    cbc:PerUnitAmount 557, cac:TaxCategory 558, cac:TaxTotal 559, cac:PaymentMeans 560
  cac:InvoiceLine|cac:CreditNoteLine/cac:Item
    cbc:PackQuantity 563, cbc:PackSizeNumeric 564, cbc:CatalogueIndicator 565, cbc:HazardousRiskIndicator 566,
    cbc:AdditionalInformation 567, cbc:Keyword 568, cbc:BrandName 569, cbc:ModelName 570,
    cac:ManufacturersItemIdentification 581, cac:CatalogueItemIdentification 587,
    cac:AdditionalItemIdentification 588, cac:CatalogueDocumentReference 589,
    cac:ItemSpecificationDocumentReference 590, cac:TransactionConditions 595, cac:HazardousItem 596,
    cac:ManufacturerParty 619, cac:InformationContentProviderParty 620, cac:OriginAddress 621, cac:ItemInstance 622,
    cac:Certificate 623, cac:Dimension 624
  cac:InvoiceLine|cac:CreditNoteLine/cac:Item/cac:BuyersItemIdentification
    cbc:ExtendedID 571, cbc:BarcodeSymbologyID 572, cac:PhysicalAttribute 573, cac:MeasurementDimension 574,
    cac:IssuerParty 575
  cac:InvoiceLine|cac:CreditNoteLine/cac:Item/cac:SellersItemIdentification
    cbc:ExtendedID 576, cbc:BarcodeSymbologyID 577, cac:PhysicalAttribute 578, cac:MeasurementDimension 579,
    cac:IssuerParty 580
  cac:InvoiceLine|cac:CreditNoteLine/cac:Item/cac:StandardItemIdentification
    cbc:ExtendedID 582, cbc:BarcodeSymbologyID 583, cac:PhysicalAttribute 584, cac:MeasurementDimension 585,
    cac:IssuerParty 586
  cac:InvoiceLine|cac:CreditNoteLine/cac:Item/cac:OriginCountry
    cbc:Name 591
  cac:InvoiceLine|cac:CreditNoteLine/cac:Item/cac:CommodityClassification
    cbc:NatureCode 592, cbc:CargoTypeCode 593, cbc:CommodityCode 594
  cac:InvoiceLine|cac:CreditNoteLine/cac:Item/cac:ClassifiedTaxCategory
    cbc:Name 597, cbc:BaseUnitMeasure 598, cbc:PerUnitAmount 599, cbc:TaxExemptionReasonCode 600,
    cbc:TaxExemptionReason 601, cbc:TierRange 602, cbc:TierRatePercent 603
  cac:InvoiceLine|cac:CreditNoteLine/cac:Item/cac:ClassifiedTaxCategory/cac:TaxScheme
    cbc:Name 604, cbc:TaxTypeCode 605, cbc:CurrencyCode 606, cac:JurisdictionRegionAddress 607
  cac:InvoiceLine|cac:CreditNoteLine/cac:Item/cac:AdditionalItemProperty
    cbc:ID 608, cbc:NameCode 609, cbc:TestMethod 610, cbc:ValueQuantity 611, cbc:ValueQualifier 612,
    cbc:ImportanceCode 613, cbc:ListValue 614, cac:UsabilityPeriod 615, cac:ItemPropertyGroup 616,
    cac:RangeDimension 617, cac:ItemPropertyRange 618
  cac:InvoiceLine|cac:CreditNoteLine/cac:Price
    cbc:PriceChangeReason 625, cbc:PriceTypeCode 626, cbc:PriceType 627, cbc:OrderableUnitFactorRate 628,
    cbc:ValidityPeriod 629, cbc:PriceList 630, cac:PricingExchangeRate 644
  cac:InvoiceLine|cac:CreditNoteLine/cac:Price/cac:AllowanceCharge
    cbc:ID 632, cbc:AllowanceChargeReasonCode 633, cbc:AllowanceChargeReason 634, cbc:MultiplierFactorNumeric 635,
    cbc:PrepaidIndicator 636, cbc:SequenceNumeric 637, cbc:AccountingCostCode 638, cbc:AccountingCost 639,
    cbc:PerUnitAmount 640, cac:TaxCategory 641, cac:TaxTotal 642, cac:PaymentMeans 643
  cbc:CustomizationID
    @schemeID 648
  cbc:ProfileID
    @schemeID 649
  cbc:ID
    @schemeID 650
  cbc:SalesOrderID
    @schemeID 651
  cac:PaymentMeans/cbc:PaymentID
    @schemeID 653
  cac:PaymentMeans/cac:PayeeFinancialAccount/cbc:ID
    @schemeID 654
  cac:PaymentMeans/cac:PayeeFinancialAccount/cac:FinancialInstitutionBranch/cbc:ID
    @schemeID 655
  cbc:InvoiceTypeCode
    @listID 656
  cbc:DocumentCurrencyCode
    @listID 657
  cbc:TaxCurrencyCode
    @listID 658
  cac:AdditionalDocumentReference/cbc:DocumentTypeCode
    @listID 659
  cac:PaymentMeans/cbc:PaymentMeansCode
    @listID 661
  /
    cac:FinancialInstitution 664
  cbc:CreditNoteTypeCode
    @listID 672
`;

/** At any place. */
export const UNUSED_ANYWHERE_IN_UBL = `
  cac:PartyTaxScheme/cbc:CompanyID
    @schemeID 652
  cac:Country/cbc:IdentificationCode
    @listID 660
  cbc:AllowanceChargeReasonCode
    @listID 662
  .
    @unitCodeListID 663, @schemeName DT-08, @schemeAgencyName DT-09, @schemeDataURI DT-10, @schemeURI DT-11,
    @format DT-12, @unitCodeListIdentifier DT-13, @unitCodeListAgencyIdentifier DT-14, @unitCodeListAgencyName DT-15,
    @listAgencyName DT-16, @listName DT-17, @languageID DT-19, @listURI DT-20, @listSchemeURI DT-21,
    @languageLocaleID DT-22, @uri DT-23, @currencyCodeListVersionID DT-24, @characterSetCode DT-25,
    @encodingCode DT-26, @schemeAgencyID DT-27, @listAgencyID DT-28
  cac:BuyersItemIdentification/cbc:ID
    @schemeID 667
  cac:SellersItemIdentification/cbc:ID
    @schemeID 668
  cac:Price/cac:AllowanceCharge
    cbc:AllowanceChargeReasonCode 669, cbc:AllowanceChargeReason 670, cbc:MultiplierFactorNumeric 671
  cbc:PrimaryAccountNumberID
    @schemeID 674
  cac:CardAccount/cbc:NetworkID
    @schemeID 675
  cac:PaymentMandate/cbc:ID
    @schemeID 676
  cac:PaymentMandate/cac:PayerFinancialAccount/cbc:ID
    @schemeID 677
  cac:TaxCategory/cbc:ID
    @schemeID 678
  cac:ClassifiedTaxCategory/cbc:ID
    @schemeID 679
  cac:PaymentMeans
    cac:PayerFinancialAccount 680
`;
