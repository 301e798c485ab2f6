/**
 * The children of each element that the bindings write, in the order of the schemas of UBL 2.1. Elements with one child are left out.
 */
export const ublOrder: Readonly<Record<string, string>> = {
  'ubl:Invoice':
    'cbc:CustomizationID cbc:ProfileID cbc:ID cbc:IssueDate cbc:DueDate cbc:InvoiceTypeCode cbc:Note ' +
    'cbc:TaxPointDate cbc:DocumentCurrencyCode cbc:TaxCurrencyCode cbc:AccountingCost cbc:BuyerReference ' +
    'cac:InvoicePeriod cac:OrderReference cac:BillingReference cac:DespatchDocumentReference ' +
    'cac:ReceiptDocumentReference cac:OriginatorDocumentReference cac:ContractDocumentReference ' +
    'cac:AdditionalDocumentReference cac:ProjectReference cac:AccountingSupplierParty ' +
    'cac:AccountingCustomerParty cac:PayeeParty cac:TaxRepresentativeParty cac:Delivery cac:PaymentMeans ' +
    'cac:PaymentTerms cac:PrepaidPayment cac:AllowanceCharge cac:TaxTotal cac:LegalMonetaryTotal ' +
    'cac:InvoiceLine',
  'cac:InvoicePeriod': 'cbc:StartDate cbc:EndDate cbc:DescriptionCode',
  'cac:OrderReference': 'cbc:ID cbc:SalesOrderID',
  'cac:AdditionalDocumentReference': 'cbc:ID cbc:DocumentTypeCode cbc:DocumentDescription cac:Attachment',
  'cac:InvoiceDocumentReference': 'cbc:ID cbc:IssueDate',
  'cac:Party':
    'cbc:EndpointID cac:PartyIdentification cac:PartyName cac:PostalAddress cac:PartyTaxScheme ' +
    'cac:PartyLegalEntity cac:Contact',
  'cac:PartyLegalEntity': 'cbc:RegistrationName cbc:CompanyID cbc:CompanyLegalForm',
  'cac:PartyTaxScheme': 'cbc:CompanyID cac:TaxScheme',
  'cac:PostalAddress':
    'cbc:StreetName cbc:AdditionalStreetName cbc:CityName cbc:PostalZone cbc:CountrySubentity ' +
    'cac:AddressLine cac:Country',
  'cac:Contact': 'cbc:Name cbc:Telephone cbc:ElectronicMail',
  'cac:PayeeParty': 'cac:PartyIdentification cac:PartyName cac:PartyLegalEntity',
  'cac:TaxRepresentativeParty': 'cac:PartyName cac:PostalAddress cac:PartyTaxScheme',
  'cac:Delivery': 'cbc:ActualDeliveryDate cac:DeliveryLocation cac:DeliveryParty',
  'cac:DeliveryLocation': 'cbc:ID cac:Address',
  'cac:Address':
    'cbc:StreetName cbc:AdditionalStreetName cbc:CityName cbc:PostalZone cbc:CountrySubentity ' +
    'cac:AddressLine cac:Country',
  'cac:PaymentMeans':
    'cbc:PaymentMeansCode cbc:PaymentDueDate cbc:PaymentID cac:CardAccount cac:PayeeFinancialAccount ' +
    'cac:PaymentMandate',
  'cac:PayeeFinancialAccount': 'cbc:ID cbc:Name cac:FinancialInstitutionBranch',
  'cac:CardAccount': 'cbc:PrimaryAccountNumberID cbc:NetworkID cbc:HolderName',
  'cac:PaymentMandate': 'cbc:ID cac:PayerFinancialAccount',
  'cac:AllowanceCharge':
    'cbc:ChargeIndicator cbc:AllowanceChargeReasonCode cbc:AllowanceChargeReason ' +
    'cbc:MultiplierFactorNumeric cbc:Amount cbc:BaseAmount cac:TaxCategory',
  'cac:TaxCategory': 'cbc:ID cbc:Percent cbc:TaxExemptionReasonCode cbc:TaxExemptionReason cac:TaxScheme',
  'cac:LegalMonetaryTotal':
    'cbc:LineExtensionAmount cbc:TaxExclusiveAmount cbc:TaxInclusiveAmount cbc:AllowanceTotalAmount ' +
    'cbc:ChargeTotalAmount cbc:PrepaidAmount cbc:PayableRoundingAmount cbc:PayableAmount',
  'cac:TaxTotal': 'cbc:TaxAmount cac:TaxSubtotal',
  'cac:TaxSubtotal': 'cbc:TaxableAmount cbc:TaxAmount cac:TaxCategory',
  'cac:Attachment': 'cbc:EmbeddedDocumentBinaryObject cac:ExternalReference',
  'cac:PrepaidPayment': 'cbc:ID cbc:PaidAmount cbc:InstructionID',
  'cac:InvoiceLine':
    'cbc:ID cbc:Note cbc:InvoicedQuantity cbc:LineExtensionAmount cbc:AccountingCost cac:InvoicePeriod ' +
    'cac:OrderLineReference cac:DocumentReference cac:AllowanceCharge cac:Item cac:Price ' +
    'cac:SubInvoiceLine',
  'cac:DocumentReference': 'cbc:ID cbc:DocumentTypeCode',
  'cac:Price': 'cbc:PriceAmount cbc:BaseQuantity cac:AllowanceCharge',
  'cac:Item':
    'cbc:Description cbc:Name cac:BuyersItemIdentification cac:SellersItemIdentification ' +
    'cac:StandardItemIdentification cac:OriginCountry cac:CommodityClassification ' +
    'cac:ClassifiedTaxCategory cac:AdditionalItemProperty',
  'cac:ClassifiedTaxCategory': 'cbc:ID cbc:Percent cac:TaxScheme',
  'cac:AdditionalItemProperty': 'cbc:Name cbc:Value',
  'cn:CreditNote':
    'cbc:CustomizationID cbc:ProfileID cbc:ID cbc:IssueDate cbc:TaxPointDate cbc:CreditNoteTypeCode ' +
    'cbc:Note cbc:DocumentCurrencyCode cbc:TaxCurrencyCode cbc:AccountingCost cbc:BuyerReference ' +
    'cac:InvoicePeriod cac:OrderReference cac:BillingReference cac:DespatchDocumentReference ' +
    'cac:ReceiptDocumentReference cac:ContractDocumentReference cac:AdditionalDocumentReference ' +
    'cac:OriginatorDocumentReference cac:AccountingSupplierParty cac:AccountingCustomerParty ' +
    'cac:PayeeParty cac:TaxRepresentativeParty cac:Delivery cac:PaymentMeans cac:PaymentTerms ' +
    'cac:AllowanceCharge cac:TaxTotal cac:LegalMonetaryTotal cac:CreditNoteLine',
  'cac:CreditNoteLine':
    'cbc:ID cbc:Note cbc:CreditedQuantity cbc:LineExtensionAmount cbc:AccountingCost cac:InvoicePeriod ' +
    'cac:OrderLineReference cac:DocumentReference cac:AllowanceCharge cac:Item cac:Price ' +
    'cac:SubCreditNoteLine',
};
