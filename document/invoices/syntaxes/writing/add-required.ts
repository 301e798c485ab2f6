import type { XmlElement } from '../xml/index.js';
import { createElement } from './write-group.js';

/** Elements that the schemas demand even when no term stands in them. */
const required: Readonly<Record<string, readonly string[]>> = {
  'rsm:CrossIndustryInvoice': [
    'rsm:ExchangedDocumentContext',
    'rsm:ExchangedDocument',
    'rsm:SupplyChainTradeTransaction',
  ],
  'rsm:SupplyChainTradeTransaction': [
    'ram:ApplicableHeaderTradeAgreement',
    'ram:ApplicableHeaderTradeDelivery',
    'ram:ApplicableHeaderTradeSettlement',
  ],
  'ram:IncludedSupplyChainTradeLineItem': ['ram:AssociatedDocumentLineDocument', 'ram:SpecifiedLineTradeSettlement'],
};

/** Adds the required elements that are missing, at any place: sorting comes afterwards. */
export function addRequired(element: XmlElement): void {
  for (const qname of required[element.qname] ?? [])
    if (element.child(qname) === undefined) createElement(qname, element);
  for (const child of element.children) addRequired(child);
}
