import type { XmlElement } from '../xml/index.js';

/** Names of ZUGFeRD 1.0 (CII of 2013) and what the same element is called in CII D16B. */
const names: Readonly<Record<string, string>> = {
  'rsm:SpecifiedExchangedDocumentContext': 'rsm:ExchangedDocumentContext',
  'rsm:HeaderExchangedDocument': 'rsm:ExchangedDocument',
  'rsm:SpecifiedSupplyChainTradeTransaction': 'rsm:SupplyChainTradeTransaction',
  'ram:ApplicableSupplyChainTradeAgreement': 'ram:ApplicableHeaderTradeAgreement',
  'ram:ApplicableSupplyChainTradeDelivery': 'ram:ApplicableHeaderTradeDelivery',
  'ram:ApplicableSupplyChainTradeSettlement': 'ram:ApplicableHeaderTradeSettlement',
  'ram:SpecifiedSupplyChainTradeAgreement': 'ram:SpecifiedLineTradeAgreement',
  'ram:SpecifiedSupplyChainTradeDelivery': 'ram:SpecifiedLineTradeDelivery',
  'ram:SpecifiedSupplyChainTradeSettlement': 'ram:SpecifiedLineTradeSettlement',
  'ram:SpecifiedTradeAccountingAccount': 'ram:ReceivableSpecifiedTradeAccountingAccount',
  'ram:ApplicablePercent': 'ram:RateApplicablePercent',
};

/** Gives the elements of a ZUGFeRD 1.0 document the qualified names of CII, so that the binding of CII reads them. */
export function renameToCii(element: XmlElement): void {
  element.qname = nameInCii(element);
  for (const child of element.children) renameToCii(child);
}

function nameInCii({ qname, parent }: XmlElement): string {
  if (qname === 'ram:ID' && parent?.name.endsWith('ReferencedDocument') === true) return 'ram:IssuerAssignedID';
  if (qname === 'ram:SpecifiedTradeSettlementMonetarySummation')
    return parent?.name === 'SpecifiedSupplyChainTradeSettlement'
      ? 'ram:SpecifiedTradeSettlementLineMonetarySummation'
      : 'ram:SpecifiedTradeSettlementHeaderMonetarySummation';
  return Object.hasOwn(names, qname) ? (names[qname] ?? qname) : qname;
}
