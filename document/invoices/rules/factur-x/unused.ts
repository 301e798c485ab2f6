// A table of facts: what the schematrons of Factur-X 1.0.8 mark as not used. The format is that of restrictions.ts.

export const FACTUR_X_UNUSED = `
  ActualDiscountAmount | ActualPenaltyAmount | AllowanceTotalAmount |
  ApplicableHeaderTradeSettlement/ApplicableTradeTax/AllowanceChargeBasisAmount |
  ApplicableHeaderTradeSettlement/ApplicableTradeTax/BasisAmount |
  ApplicableHeaderTradeSettlement/ApplicableTradeTax/CalculatedAmount |
  ApplicableHeaderTradeSettlement/ApplicableTradeTax/LineTotalBasisAmount |
  ApplicableHeaderTradeSettlement/SpecifiedTradeAllowanceCharge[allowance]/BasisAmount |
  ApplicableHeaderTradeSettlement/SpecifiedTradeAllowanceCharge[charge]/BasisAmount |
  ApplicableTradePaymentDiscountTerms/BasisAmount | ApplicableTradePaymentPenaltyTerms/BasisAmount | AppliedAmount |
  ChargeAmount | ChargeTotalAmount | DuePayableAmount | GrandTotalAmount |
  GrossPriceProductTradePrice/AppliedTradeAllowanceCharge[allowance]/ActualAmount | LineTotalAmount |
  NetPriceProductTradePrice/IncludedTradeTax/CalculatedAmount | PaidAmount | PartialPaymentAmount | RoundingAmount |
  SpecifiedAdvancePayment/IncludedTradeTax/CalculatedAmount | SpecifiedTradeAllowanceCharge[allowance]/ActualAmount |
  SpecifiedTradeAllowanceCharge[charge]/ActualAmount | TaxBasisTotalAmount | TotalAllowanceChargeAmount |
  TotalPrepaidAmount
    @currencyID
  ApplicableHeaderTradeAgreement
    AdditionalReferencedDocument[TypeCode!=916|50|130]
  ApplicableHeaderTradeAgreement/AdditionalReferencedDocument[TypeCode=130] |
  ApplicableHeaderTradeAgreement/AdditionalReferencedDocument[TypeCode=50] |
  ApplicableHeaderTradeAgreement/AdditionalReferencedDocument[TypeCode=916] | BuyerOrderReferencedDocument {mwbe}
    FormattedIssueDateTime
  ApplicableHeaderTradeAgreement/AdditionalReferencedDocument[TypeCode=130]
    AttachmentBinaryObject, LineID, Name, URIID
  ApplicableHeaderTradeAgreement/AdditionalReferencedDocument[TypeCode=130]/IssuerAssignedID |
  ApplicableHeaderTradeAgreement/AdditionalReferencedDocument[TypeCode=50]/IssuerAssignedID |
  ApplicableHeaderTradeAgreement/AdditionalReferencedDocument[TypeCode=916]/IssuerAssignedID |
  ApplicableHeaderTradeAgreement/AdditionalReferencedDocument[TypeCode=916]/URIID |
  ApplicableHeaderTradeAgreement/BuyerOrderReferencedDocument/IssuerAssignedID |
  ApplicableTradeSettlementFinancialCard/ID | AssociatedDocumentLineDocument/LineID | BICID | BatchID |
  BusinessProcessSpecifiedDocumentContextParameter/ID | BuyerAgentTradeParty/ID | BuyerAssignedID |
  BuyerTaxRepresentativeTradeParty/ID | BuyerTradeParty/DefinedTradeContact/EmailURIUniversalCommunication/URIID |
  BuyerTradeParty/ID | ContractReferencedDocument/IssuerAssignedID | CreditorReferenceID |
  DeliveryNoteReferencedDocument/IssuerAssignedID | DespatchAdviceReferencedDocument/IssuerAssignedID |
  DirectDebitMandateID | GuidelineSpecifiedDocumentContextParameter/ID | IBANID | IncludedReferencedProduct/ID |
  IndustryAssignedID | InvoiceReferencedDocument/IssuerAssignedID |
  InvoiceSpecifiedReferencedDocument/IssuerAssignedID | InvoiceeTradeParty/ID | InvoicerTradeParty/ID |
  ItemSellerTradeParty/ID | LanguageID | ModelID | ParentLineID | PayeeTradeParty/ID | PayerTradeParty/ID |
  ProductEndUserTradeParty/ID | ProprietaryID | QuotationReferencedDocument/IssuerAssignedID |
  ReceivableSpecifiedTradeAccountingAccount/ID | ReceivingAdviceReferencedDocument/IssuerAssignedID |
  SalesAgentTradeParty/ID | SellerAssignedID | SellerOrderReferencedDocument/IssuerAssignedID |
  SellerTradeParty/DefinedTradeContact/EmailURIUniversalCommunication/URIID | SellerTradeParty/ID |
  ShipFromTradeParty/ID | ShipToTradeParty/ID |
  SpecifiedLineTradeAgreement/AdditionalReferencedDocument/IssuerAssignedID |
  SpecifiedLineTradeAgreement/AdditionalReferencedDocument/LineID |
  SpecifiedLineTradeAgreement/AdditionalReferencedDocument/URIID |
  SpecifiedLineTradeAgreement/BuyerOrderReferencedDocument/LineID |
  SpecifiedLineTradeAgreement/ContractReferencedDocument/LineID |
  SpecifiedLineTradeAgreement/QuotationReferencedDocument/LineID |
  SpecifiedLineTradeAgreement/SellerOrderReferencedDocument/LineID |
  SpecifiedLineTradeAgreement/UltimateCustomerOrderReferencedDocument/LineID |
  SpecifiedLineTradeDelivery/DeliveryNoteReferencedDocument/LineID |
  SpecifiedLineTradeDelivery/DespatchAdviceReferencedDocument/LineID |
  SpecifiedLineTradeDelivery/ReceivingAdviceReferencedDocument/LineID |
  SpecifiedLineTradeSettlement/AdditionalReferencedDocument/IssuerAssignedID |
  SpecifiedLineTradeSettlement/InvoiceReferencedDocument/LineID | SpecifiedProcuringProject/ID |
  SpecifiedTradeProduct/ID | SupplierAssignedSerialID | UltimateCustomerOrderReferencedDocument/IssuerAssignedID |
  UltimateShipToTradeParty/ID | rsm:ExchangedDocument/ID
    @schemeID
  ApplicableHeaderTradeAgreement/AdditionalReferencedDocument[TypeCode=50] | InvoiceSpecifiedReferencedDocument
    AttachmentBinaryObject, LineID, Name, ReferenceTypeCode, URIID
  ApplicableHeaderTradeAgreement/AdditionalReferencedDocument[TypeCode=916]
    LineID, ReferenceTypeCode
  ApplicableHeaderTradeAgreement/BuyerOrderReferencedDocument |
  ApplicableHeaderTradeAgreement/ContractReferencedDocument |
  ApplicableHeaderTradeAgreement/QuotationReferencedDocument |
  ApplicableHeaderTradeAgreement/SellerOrderReferencedDocument |
  ApplicableHeaderTradeAgreement/UltimateCustomerOrderReferencedDocument |
  ApplicableHeaderTradeDelivery/DeliveryNoteReferencedDocument |
  ApplicableHeaderTradeDelivery/DespatchAdviceReferencedDocument |
  ApplicableHeaderTradeDelivery/ReceivingAdviceReferencedDocument |
  ApplicableHeaderTradeSettlement/InvoiceReferencedDocument
    LineID
  ApplicableHeaderTradeDelivery/ShipToTradeParty/SpecifiedLegalOrganization/PostalTradeAddress/PostcodeCode |
  ApplicableHeaderTradeDelivery/UltimateShipToTradeParty/SpecifiedLegalOrganization/PostalTradeAddress/PostcodeCode |
  BuyerAgentTradeParty/PostalTradeAddress/PostcodeCode |
  BuyerAgentTradeParty/SpecifiedLegalOrganization/PostalTradeAddress/PostcodeCode |
  BuyerTaxRepresentativeTradeParty/PostalTradeAddress/PostcodeCode |
  BuyerTaxRepresentativeTradeParty/SpecifiedLegalOrganization/PostalTradeAddress/PostcodeCode |
  BuyerTradeParty/SpecifiedLegalOrganization/PostalTradeAddress/PostcodeCode | ContentCode |
  InvoiceeTradeParty/PostalTradeAddress/PostcodeCode |
  InvoiceeTradeParty/SpecifiedLegalOrganization/PostalTradeAddress/PostcodeCode |
  InvoicerTradeParty/PostalTradeAddress/PostcodeCode |
  InvoicerTradeParty/SpecifiedLegalOrganization/PostalTradeAddress/PostcodeCode |
  ItemSellerTradeParty/PostalTradeAddress/PostcodeCode | LineStatusReasonCode |
  NetPriceProductTradePrice/IncludedTradeTax/ExemptionReasonCode |
  PayeeTradeParty/SpecifiedLegalOrganization/PostalTradeAddress/PostcodeCode |
  PayerTradeParty/PostalTradeAddress/PostcodeCode |
  PayerTradeParty/SpecifiedLegalOrganization/PostalTradeAddress/PostcodeCode |
  ProductEndUserTradeParty/PostalTradeAddress/PostcodeCode |
  ProductEndUserTradeParty/SpecifiedLegalOrganization/PostalTradeAddress/PostcodeCode |
  SalesAgentTradeParty/PostalTradeAddress/PostcodeCode |
  SalesAgentTradeParty/SpecifiedLegalOrganization/PostalTradeAddress/PostcodeCode |
  SellerTaxRepresentativeTradeParty/SpecifiedLegalOrganization/PostalTradeAddress/PostcodeCode |
  SellerTradeParty/SpecifiedLegalOrganization/PostalTradeAddress/PostcodeCode |
  ShipFromTradeParty/PostalTradeAddress/PostcodeCode |
  ShipFromTradeParty/SpecifiedLegalOrganization/PostalTradeAddress/PostcodeCode |
  SpecifiedAdvancePayment/IncludedTradeTax/ExemptionReasonCode | TypeCode |
  UltimateShipToTradeParty/PostalTradeAddress/PostcodeCode
    @listID, @listVersionID
  ApplicableHeaderTradeSettlement | SpecifiedLineTradeSettlement
    SpecifiedTradeAllowanceCharge[neither]
  ApplicableHeaderTradeSettlement/ApplicableTradeTax/ExemptionReasonCode |
  BuyerTradeParty/PostalTradeAddress/PostcodeCode |
  SellerTaxRepresentativeTradeParty/PostalTradeAddress/PostcodeCode |
  SellerTradeParty/PostalTradeAddress/PostcodeCode | ShipToTradeParty/PostalTradeAddress/PostcodeCode |
  rsm:ExchangedDocument/IncludedNote/SubjectCode {mex}
    @listID, @listVersionID
  ApplicableHeaderTradeSettlement/SpecifiedTradeAllowanceCharge[allowance]/CategoryTradeTax |
  ApplicableHeaderTradeSettlement/SpecifiedTradeAllowanceCharge[charge]/CategoryTradeTax | AppliedTradeTax
    AllowanceChargeBasisAmount, BasisAmount, CalculatedAmount, DueDateTypeCode, ExemptionReason, ExemptionReasonCode,
    LineTotalBasisAmount, TaxPointDate
  ApplicableTradeTax/BasisAmount {mw}
    @currencyID
  ApplicableTradeTax/CalculatedAmount |
  GrossPriceProductTradePrice/AppliedTradeAllowanceCharge[allowance]/BasisAmount |
  GrossPriceProductTradePrice/AppliedTradeAllowanceCharge[charge]/ActualAmount |
  GrossPriceProductTradePrice/AppliedTradeAllowanceCharge[charge]/BasisAmount {mwx}
    @currencyID
  ApplicableTradeTax/ExemptionReasonCode | IncludedNote/SubjectCode |
  PayeeTradeParty/PostalTradeAddress/PostcodeCode | SubjectCode {mx}
    @listID, @listVersionID
  AssociatedDocumentLineDocument/IncludedNote {mwbe}
    SubjectCode
  BillingSpecifiedPeriod
    CompleteDateTime
  BuyerAgentTradeParty | BuyerTaxRepresentativeTradeParty | InvoiceeTradeParty | InvoicerTradeParty |
  PayeeTradeParty | PayerTradeParty | ProductEndUserTradeParty | SalesAgentTradeParty |
  SellerTaxRepresentativeTradeParty | ShipFromTradeParty | ShipToTradeParty |
  SpecifiedLineTradeSettlement/BillingSpecifiedPeriod | UltimateShipToTradeParty
    Description
  BuyerOrderReferencedDocument | DeliveryNoteReferencedDocument | DespatchAdviceReferencedDocument |
  QuotationReferencedDocument | ReceivingAdviceReferencedDocument | SellerOrderReferencedDocument |
  UltimateCustomerOrderReferencedDocument
    AttachmentBinaryObject, Name, ReferenceTypeCode, TypeCode, URIID
  BuyerOrderReferencedDocument/IssuerAssignedID | DefinedTradeContact/EmailURIUniversalCommunication/URIID |
  EmailURIUniversalCommunication/URIID {mwbx}
    @schemeID
  BuyerTradeParty {mwbe}
    Description
  BuyerTradeParty {m}
    PostalTradeAddress, SpecifiedTaxRegistration
  BuyerTradeParty/DefinedTradeContact/EmailURIUniversalCommunication | BuyerTradeParty/URIUniversalCommunication |
  SellerTradeParty/DefinedTradeContact/EmailURIUniversalCommunication | SellerTradeParty/URIUniversalCommunication
    CompleteNumber
  BuyerTradeParty/DefinedTradeContact/TelephoneUniversalCommunication | FaxUniversalCommunication |
  SellerTradeParty/DefinedTradeContact/TelephoneUniversalCommunication
    URIID
  BuyerTradeParty/SpecifiedLegalOrganization {mwb}
    TradingBusinessName
  ContractReferencedDocument
    AttachmentBinaryObject, Name, TypeCode, URIID
  ContractReferencedDocument {mwbe}
    FormattedIssueDateTime, LineID, ReferenceTypeCode
  DefinedTradeContact/EmailURIUniversalCommunication | EmailURIUniversalCommunication | URIUniversalCommunication {mwbx}
    CompleteNumber
  DefinedTradeContact/TelephoneUniversalCommunication | TelephoneUniversalCommunication {mwbx}
    URIID
  DespatchAdviceReferencedDocument | ReceivingAdviceReferencedDocument | SellerOrderReferencedDocument {mwbe}
    FormattedIssueDateTime, LineID
  EffectiveSpecifiedPeriod
    Description, EndDateTime, StartDateTime
  GrossPriceProductTradePrice
    AppliedTradeAllowanceCharge[neither], IncludedTradeTax
  GrossPriceProductTradePrice/AppliedTradeAllowanceCharge[allowance] {mwbe}
    BasisAmount, CalculationPercent, Reason, ReasonCode
  GrossPriceProductTradePrice/AppliedTradeAllowanceCharge[allowance] |
  SpecifiedLineTradeSettlement/SpecifiedTradeAllowanceCharge[allowance] |
  SpecifiedLineTradeSettlement/SpecifiedTradeAllowanceCharge[charge]
    BasisQuantity, CategoryTradeTax, SequenceNumeric
  GrossPriceProductTradePrice/AppliedTradeAllowanceCharge[charge]
    BasisQuantity, SequenceNumeric
  GrossPriceProductTradePrice/AppliedTradeAllowanceCharge[charge] {mwx}
    CategoryTradeTax
  InvoiceReferencedDocument
    AttachmentBinaryObject, Name, ReferenceTypeCode, URIID
  InvoiceReferencedDocument {mwbe}
    LineID, TypeCode
  IssuerAssignedID | LineID {mwb}
    @schemeID
  ItemSellerTradeParty | SellerTradeParty
    SpecifiedTaxRegistration[ID/@schemeID!=VA|FC]
  ItemSellerTradeParty/SpecifiedLegalOrganization |
  SpecifiedLineTradeDelivery/ShipToTradeParty/SpecifiedLegalOrganization |
  SpecifiedLineTradeDelivery/UltimateShipToTradeParty/SpecifiedLegalOrganization
    PostalTradeAddress
  NetPriceProductTradePrice
    AppliedTradeAllowanceCharge
  NetPriceProductTradePrice/IncludedTradeTax | SpecifiedAdvancePayment/IncludedTradeTax
    AllowanceChargeBasisAmount, BasisAmount, DueDateTypeCode, LineTotalBasisAmount, TaxPointDate
  PayeeTradeParty {mwbe}
    DefinedTradeContact, PostalTradeAddress, SpecifiedTaxRegistration, URIUniversalCommunication
  PayeeTradeParty/SpecifiedLegalOrganization {mwbe}
    TradingBusinessName
  SellerTaxRepresentativeTradeParty {mwbe}
    DefinedTradeContact, GlobalID, ID, SpecifiedLegalOrganization, URIUniversalCommunication
  SellerTaxRepresentativeTradeParty/ID {mx}
    @schemeID
  ShipToTradeParty {mwbe}
    DefinedTradeContact, SpecifiedLegalOrganization, SpecifiedTaxRegistration, URIUniversalCommunication
  SpecifiedLineTradeAgreement/BuyerOrderReferencedDocument {mwbe}
    IssuerAssignedID
  SpecifiedLineTradeAgreement/ContractReferencedDocument
    ReferenceTypeCode
  SpecifiedLineTradeSettlement/AdditionalReferencedDocument
    AttachmentBinaryObject, FormattedIssueDateTime, LineID, Name, URIID
  SpecifiedLineTradeSettlement/ApplicableTradeTax
    AllowanceChargeBasisAmount, BasisAmount, LineTotalBasisAmount, TaxPointDate
  SpecifiedLineTradeSettlement/ApplicableTradeTax {mwbe}
    CalculatedAmount, ExemptionReason, ExemptionReasonCode
  SpecifiedLineTradeSettlement/SpecifiedTradeAllowanceCharge[allowance] |
  SpecifiedLineTradeSettlement/SpecifiedTradeAllowanceCharge[charge] {mwb}
    BasisAmount, CalculationPercent
  SpecifiedTradeAllowanceCharge[allowance]/BasisAmount | SpecifiedTradeAllowanceCharge[charge]/BasisAmount {mwex}
    @currencyID
  SpecifiedTradeAllowanceCharge[allowance]/CategoryTradeTax |
  SpecifiedTradeAllowanceCharge[charge]/CategoryTradeTax {mw}
    BasisAmount, CalculatedAmount, DueDateTypeCode, ExemptionReason, ExemptionReasonCode
  SpecifiedTradeSettlementHeaderMonetarySummation | SpecifiedTradeSettlementLineMonetarySummation
    TaxTotalAmount[@currencyID!=$currency|$vatCurrency]
`;
