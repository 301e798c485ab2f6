import type { XmlElement } from '../syntaxes/index.js';
import type { CodeList } from './code-lists/index.js';
import { isDate } from './dates.js';
import type { Facts, Family } from './facts.js';
import { type Rule, sentence, termsOf } from './rule.js';

/** Which elements hold a code, and which list it is from. */
export interface CodePlace {
  readonly elements: readonly string[];
  /** The code is in this attribute; elements without it are left alone unless `always`. */
  readonly attribute?: string;
  readonly always?: boolean;
  readonly list: CodeList | ((facts: Facts) => CodeList);
  readonly where?: (element: XmlElement) => boolean;
  /** Codes beside the list, for some places. */
  readonly also?: (element: XmlElement, code: string) => boolean;
  readonly codeOf?: (element: XmlElement) => string | undefined;
}

export interface CodeRule {
  readonly id: string;
  readonly terms: string;
  readonly en: string;
  readonly de: string;
  readonly places: Readonly<Record<Family, CodePlace>>;
}

export const parentIs =
  (...qnames: string[]) =>
  ({ parent }: XmlElement): boolean =>
    parent !== undefined && qnames.includes(parent.qname);

function hasAncestor(element: XmlElement, ...qnames: string[]): boolean {
  for (let at = element.parent; at !== undefined; at = at.parent) if (qnames.includes(at.qname)) return true;
  return false;
}

/** The creditor identifier of SEPA stands among the identifiers of seller and payee in UBL. */
const isSepa = (element: XmlElement, code: string): boolean =>
  code === 'SEPA' && hasAncestor(element, 'cac:AccountingSupplierParty', 'cac:PayeeParty');

const isCiiPartyId = (element: XmlElement): boolean =>
  !hasAncestor(element, 'ram:SpecifiedTradeProduct', 'ram:ShipToTradeParty');
const isNotTaxId = (element: XmlElement): boolean => !hasAncestor(element, 'ram:SpecifiedTaxRegistration');

/** Attributes that name the schemes of identifiers, by rule: shared with the extension of XRechnung. */
export const SCHEME_PLACES: Readonly<Record<string, Readonly<Record<Family, Omit<CodePlace, 'list'>>>>> = {
  'BR-CL-10': {
    ubl: { elements: ['cbc:ID'], attribute: 'schemeID', where: parentIs('cac:PartyIdentification'), also: isSepa },
    cii: { elements: ['ram:GlobalID'], attribute: 'schemeID', where: isCiiPartyId },
  },
  'BR-CL-11': {
    ubl: { elements: ['cbc:CompanyID'], attribute: 'schemeID', where: parentIs('cac:PartyLegalEntity') },
    cii: { elements: ['ram:ID'], attribute: 'schemeID', where: isNotTaxId },
  },
  'BR-CL-21': {
    ubl: { elements: ['cbc:ID'], attribute: 'schemeID', where: parentIs('cac:StandardItemIdentification') },
    cii: { elements: ['ram:GlobalID'], attribute: 'schemeID', where: parentIs('ram:SpecifiedTradeProduct') },
  },
  'BR-CL-25': {
    ubl: { elements: ['cbc:EndpointID'], attribute: 'schemeID' },
    cii: { elements: ['ram:URIID'], attribute: 'schemeID', where: parentIs('ram:URIUniversalCommunication') },
  },
  'BR-CL-26': {
    ubl: { elements: ['cbc:ID'], attribute: 'schemeID', where: parentIs('cac:DeliveryLocation') },
    cii: {
      elements: ['ram:GlobalID'],
      attribute: 'schemeID',
      where: (element) =>
        element.parent?.qname === 'ram:ShipToTradeParty' &&
        element.parent.parent?.qname === 'ram:ApplicableHeaderTradeDelivery',
    },
  },
};

/** A rule that compares all codes of some places with a list. */
export function codeRule({ id, terms, en, de, places }: CodeRule, set: Rule['set']): Rule {
  return {
    id,
    set,
    severity: 'fatal',
    terms: termsOf(terms),
    message: sentence(`${en} is not in its code list.`, `${de} steht nicht in der Codeliste.`),
    check: (facts, report) => {
      const place = places[facts.family];
      const list = typeof place.list === 'function' ? place.list(facts) : place.list;
      for (const element of place.elements.flatMap((qname) => facts.elements(qname))) {
        const code = place.where?.(element) === false ? undefined : codeAt(element, place);
        if (code === undefined || list.has(code) || place.also?.(element, code) === true) continue;
        const until = list.retired.get(code.trim());
        if (until !== undefined && isBefore(facts, until)) {
          const message = sentence(
            `${en} ("${code}") was in the code list ${list.title} when the invoice was issued, and is not any more.`,
            `${de} („${code}“) stand bei Ausstellung der Rechnung in der Codeliste ${list.title}, heute nicht mehr.`,
          );
          report({ at: element, value: code, message, severity: 'warning' });
          continue;
        }
        const message = sentence(
          `${en} ("${shorten(code)}") is not in the code list ${list.title}.`,
          `${de} („${shorten(code)}“) steht nicht in der Codeliste ${list.title}.`,
        );
        report({ at: element, value: code, message });
      }
    },
  };
}

/** Whether the invoice was issued before a day. */
const isBefore = ({ invoice: { issueDate } }: Facts, day: string): boolean =>
  issueDate !== undefined && isDate(issueDate) && issueDate < day;

const shorten = (code: string): string => (code.length > 60 ? `${code.slice(0, 60)}…` : code);

function codeAt(element: XmlElement, { attribute, always, codeOf }: CodePlace): string | undefined {
  if (codeOf !== undefined) return codeOf(element);
  if (attribute === undefined) return element.text;
  return element.attributes.get(attribute) ?? (always === true ? '' : undefined);
}
