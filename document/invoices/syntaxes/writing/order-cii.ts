/**
 * The children of each element that the bindings write, in the order of the schema of CII D16B. Elements with one child are left out.
 */
export const ciiOrder: Readonly<Record<string, string>> = {
  'rsm:CrossIndustryInvoice': 'rsm:ExchangedDocumentContext rsm:ExchangedDocument rsm:SupplyChainTradeTransaction',
  'rsm:ExchangedDocument': 'ram:ID ram:TypeCode ram:IssueDateTime ram:IncludedNote',
  'rsm:SupplyChainTradeTransaction':
    'ram:IncludedSupplyChainTradeLineItem ram:ApplicableHeaderTradeAgreement ' +
    'ram:ApplicableHeaderTradeDelivery ram:ApplicableHeaderTradeSettlement',
  'ram:ApplicableHeaderTradeSettlement':
    'ram:CreditorReferenceID ram:PaymentReference ram:TaxCurrencyCode ram:InvoiceCurrencyCode ' +
    'ram:PayeeTradeParty ram:SpecifiedTradeSettlementPaymentMeans ram:ApplicableTradeTax ' +
    'ram:BillingSpecifiedPeriod ram:SpecifiedTradeAllowanceCharge ram:SpecifiedTradePaymentTerms ' +
    'ram:SpecifiedTradeSettlementHeaderMonetarySummation ram:InvoiceReferencedDocument ' +
    'ram:ReceivableSpecifiedTradeAccountingAccount',
  'ram:ApplicableTradeTax':
    'ram:CalculatedAmount ram:TypeCode ram:ExemptionReason ram:BasisAmount ram:CategoryCode ' +
    'ram:ExemptionReasonCode ram:TaxPointDate ram:DueDateTypeCode ram:RateApplicablePercent',
  'ram:SpecifiedTradePaymentTerms': 'ram:Description ram:DueDateDateTime ram:DirectDebitMandateID',
  'ram:ApplicableHeaderTradeAgreement':
    'ram:BuyerReference ram:SellerTradeParty ram:BuyerTradeParty ram:SellerTaxRepresentativeTradeParty ' +
    'ram:SellerOrderReferencedDocument ram:BuyerOrderReferencedDocument ram:ContractReferencedDocument ' +
    'ram:AdditionalReferencedDocument ram:SpecifiedProcuringProject',
  'ram:SpecifiedProcuringProject': 'ram:ID ram:Name',
  'ram:BuyerOrderReferencedDocument': 'ram:IssuerAssignedID ram:LineID',
  'ram:ApplicableHeaderTradeDelivery':
    'ram:ShipToTradeParty ram:ActualDeliverySupplyChainEvent ram:DespatchAdviceReferencedDocument ' +
    'ram:ReceivingAdviceReferencedDocument',
  'ram:AdditionalReferencedDocument':
    'ram:IssuerAssignedID ram:URIID ram:TypeCode ram:Name ram:AttachmentBinaryObject ' + 'ram:ReferenceTypeCode',
  'ram:IncludedNote': 'ram:Content ram:SubjectCode',
  'rsm:ExchangedDocumentContext':
    'ram:BusinessProcessSpecifiedDocumentContextParameter ram:GuidelineSpecifiedDocumentContextParameter',
  'ram:InvoiceReferencedDocument': 'ram:IssuerAssignedID ram:FormattedIssueDateTime',
  'ram:SellerTradeParty':
    'ram:ID ram:GlobalID ram:Name ram:Description ram:SpecifiedLegalOrganization ram:DefinedTradeContact ' +
    'ram:PostalTradeAddress ram:URIUniversalCommunication ram:SpecifiedTaxRegistration',
  'ram:SpecifiedLegalOrganization': 'ram:ID ram:TradingBusinessName',
  'ram:PostalTradeAddress':
    'ram:PostcodeCode ram:LineOne ram:LineTwo ram:LineThree ram:CityName ram:CountryID ' + 'ram:CountrySubDivisionName',
  'ram:DefinedTradeContact':
    'ram:PersonName ram:DepartmentName ram:TelephoneUniversalCommunication ' + 'ram:EmailURIUniversalCommunication',
  'ram:BuyerTradeParty':
    'ram:ID ram:GlobalID ram:Name ram:SpecifiedLegalOrganization ram:DefinedTradeContact ' +
    'ram:PostalTradeAddress ram:URIUniversalCommunication ram:SpecifiedTaxRegistration',
  'ram:PayeeTradeParty': 'ram:ID ram:GlobalID ram:Name ram:SpecifiedLegalOrganization',
  'ram:SellerTaxRepresentativeTradeParty': 'ram:Name ram:PostalTradeAddress ram:SpecifiedTaxRegistration',
  'ram:ShipToTradeParty': 'ram:ID ram:GlobalID ram:Name ram:PostalTradeAddress',
  'ram:BillingSpecifiedPeriod': 'ram:StartDateTime ram:EndDateTime',
  'ram:SpecifiedTradeSettlementPaymentMeans':
    'ram:TypeCode ram:Information ram:ApplicableTradeSettlementFinancialCard ' +
    'ram:PayerPartyDebtorFinancialAccount ram:PayeePartyCreditorFinancialAccount ' +
    'ram:PayeeSpecifiedCreditorFinancialInstitution',
  'ram:PayeePartyCreditorFinancialAccount': 'ram:IBANID ram:AccountName ram:ProprietaryID',
  'ram:ApplicableTradeSettlementFinancialCard': 'ram:ID ram:CardholderName',
  'ram:SpecifiedTradeAllowanceCharge':
    'ram:ChargeIndicator ram:CalculationPercent ram:BasisAmount ram:ActualAmount ram:ReasonCode ' +
    'ram:Reason ram:CategoryTradeTax',
  'ram:CategoryTradeTax': 'ram:TypeCode ram:CategoryCode ram:RateApplicablePercent',
  'ram:SpecifiedTradeSettlementHeaderMonetarySummation':
    'ram:LineTotalAmount ram:ChargeTotalAmount ram:AllowanceTotalAmount ram:TaxBasisTotalAmount ' +
    'ram:TaxTotalAmount ram:RoundingAmount ram:GrandTotalAmount ram:TotalPrepaidAmount ' +
    'ram:DuePayableAmount',
  'ram:IncludedSupplyChainTradeLineItem':
    'ram:AssociatedDocumentLineDocument ram:SpecifiedTradeProduct ram:SpecifiedLineTradeAgreement ' +
    'ram:SpecifiedLineTradeDelivery ram:SpecifiedLineTradeSettlement',
  'ram:AssociatedDocumentLineDocument': 'ram:LineID ram:IncludedNote',
  'ram:SpecifiedLineTradeSettlement':
    'ram:ApplicableTradeTax ram:BillingSpecifiedPeriod ram:SpecifiedTradeAllowanceCharge ' +
    'ram:SpecifiedTradeSettlementLineMonetarySummation ram:AdditionalReferencedDocument ' +
    'ram:ReceivableSpecifiedTradeAccountingAccount',
  'ram:SpecifiedLineTradeAgreement':
    'ram:BuyerOrderReferencedDocument ram:GrossPriceProductTradePrice ram:NetPriceProductTradePrice',
  'ram:NetPriceProductTradePrice': 'ram:ChargeAmount ram:BasisQuantity',
  'ram:GrossPriceProductTradePrice': 'ram:ChargeAmount ram:BasisQuantity ram:AppliedTradeAllowanceCharge',
  'ram:AppliedTradeAllowanceCharge': 'ram:ChargeIndicator ram:ActualAmount',
  'ram:SpecifiedTradeProduct':
    'ram:GlobalID ram:SellerAssignedID ram:BuyerAssignedID ram:Name ram:Description ' +
    'ram:ApplicableProductCharacteristic ram:DesignatedProductClassification ram:OriginTradeCountry',
  'ram:ApplicableProductCharacteristic': 'ram:Description ram:Value',
};
