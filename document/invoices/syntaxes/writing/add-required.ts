import type { XmlElement } from '../xml/index.js';
import { createElement } from './write-group.js';

/** Elements that the schemas require even if no term is in them, by their parent; with their text. */
const required: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'rsm:CrossIndustryInvoice': {
    'rsm:ExchangedDocumentContext': '',
    'rsm:ExchangedDocument': '',
    'rsm:SupplyChainTradeTransaction': '',
  },
  'rsm:SupplyChainTradeTransaction': {
    'ram:ApplicableHeaderTradeAgreement': '',
    'ram:ApplicableHeaderTradeDelivery': '',
    'ram:ApplicableHeaderTradeSettlement': '',
  },
  'ram:IncludedSupplyChainTradeLineItem': {
    'ram:AssociatedDocumentLineDocument': '',
    'ram:SpecifiedLineTradeSettlement': '',
  },
  // Remittance information (BT-83) without a means of payment: 1 is "instrument not defined" (UNTDID 4461).
  'cac:PaymentMeans': { 'cbc:PaymentMeansCode': '1' },
};

/** Adds the required elements that are missing, at the end: sorting comes afterwards. */
export function addRequired(element: XmlElement): void {
  for (const [qname, text] of Object.entries(required[element.qname] ?? {}))
    if (element.child(qname) === undefined) createElement(qname, element).text = text;
  for (const child of element.children) addRequired(child);
}
