import type { XmlElement } from '../syntaxes/index.js';
import * as lists from './code-lists/index.js';
import type { CodeList } from './code-lists/index.js';
import { type CodePlace, type CodeRule, codeRule, parentIs, SCHEME_PLACES } from './code-rule.js';
import type { Family } from './facts.js';
import type { Rule } from './rule.js';

const indicator = (value: boolean) => (element: XmlElement) => {
  const parent = element.parent;
  const text =
    parent?.child('cbc:ChargeIndicator')?.text ?? parent?.child('ram:ChargeIndicator')?.child('udt:Indicator')?.text;
  return text === String(value) || text === (value ? '1' : '0');
};

const UBL_AMOUNTS = [
  'Amount',
  'BaseAmount',
  'PriceAmount',
  'TaxAmount',
  'TaxableAmount',
  'LineExtensionAmount',
  'TaxExclusiveAmount',
  'TaxInclusiveAmount',
  'AllowanceTotalAmount',
  'ChargeTotalAmount',
  'PrepaidAmount',
  'PayableRoundingAmount',
  'PayableAmount',
].map((name) => `cbc:${name}`);

/** `#AAI#text` in UBL: three characters between the first two signs are taken for a code. */
function subjectOf({ text }: XmlElement): string | undefined {
  const [, code] = text.split('#');
  return code?.length === 3 && text.split('#').length > 2 ? code : undefined;
}

const upper = (list: CodeList): CodeList => ({ ...list, has: (code) => list.has(code.toUpperCase()) });

const both = (place: Omit<CodePlace, 'elements'>, ubl: readonly string[], cii: readonly string[]) => ({
  ubl: { ...place, elements: ubl },
  cii: { ...place, elements: cii },
});

const schemes = (id: string, list: CodeList): Readonly<Record<Family, CodePlace>> => {
  const places = SCHEME_PLACES[id];
  if (places === undefined) throw new RangeError(id);
  return { ubl: { ...places.ubl, list }, cii: { ...places.cii, list } };
};

const TABLE: readonly CodeRule[] = [
  {
    id: 'BR-CL-01',
    terms: 'BT-3',
    en: 'The type of the document',
    de: 'Die Art des Dokuments',
    places: {
      ubl: {
        elements: ['cbc:InvoiceTypeCode', 'cbc:CreditNoteTypeCode'],
        list: ({ root }) => lists.documentTypes[root.name === 'CreditNote' ? 'ubl-creditnote' : 'ubl-invoice'],
      },
      cii: { elements: ['ram:TypeCode'], where: parentIs('rsm:ExchangedDocument'), list: lists.documentTypes.cii },
    },
  },
  {
    id: 'BR-CL-03',
    terms: 'BT-5 BT-6',
    en: 'The currency of an amount',
    de: 'Die Währung eines Betrags',
    places: {
      ubl: { elements: UBL_AMOUNTS, attribute: 'currencyID', always: true, list: lists.currencies },
      cii: { elements: ['ram:TaxTotalAmount'], attribute: 'currencyID', list: lists.currencies },
    },
  },
  {
    id: 'BR-CL-04',
    terms: 'BT-5',
    en: 'The currency of the invoice',
    de: 'Die Währung der Rechnung',
    places: both({ list: lists.currencies }, ['cbc:DocumentCurrencyCode'], ['ram:InvoiceCurrencyCode']),
  },
  {
    id: 'BR-CL-05',
    terms: 'BT-6',
    en: 'The currency of VAT accounting',
    de: 'Die Währung der Umsatzsteuerabrechnung',
    places: both({ list: lists.currencies }, ['cbc:TaxCurrencyCode'], ['ram:TaxCurrencyCode']),
  },
  {
    id: 'BR-CL-06',
    terms: 'BT-8',
    en: 'The code for the date on which VAT becomes due',
    de: 'Der Code für den Zeitpunkt der Steuerfälligkeit',
    places: {
      ubl: { elements: ['cbc:DescriptionCode'], where: parentIs('cac:InvoicePeriod'), list: lists.taxPointCodes.ubl },
      cii: { elements: ['ram:DueDateTypeCode'], list: lists.taxPointCodes.cii },
    },
  },
  {
    id: 'BR-CL-07',
    terms: 'BT-18 BT-128',
    en: 'The scheme of an invoiced object',
    de: 'Das Schema einer Objektkennung',
    places: {
      ubl: {
        elements: ['cbc:ID'],
        attribute: 'schemeID',
        list: lists.referenceTypes,
        where: (element) =>
          parentIs('cac:AdditionalDocumentReference', 'cac:DocumentReference')(element) &&
          element.parent?.child('cbc:DocumentTypeCode')?.text === '130',
      },
      cii: { elements: ['ram:ReferenceTypeCode'], list: lists.referenceTypes },
    },
  },
  {
    id: 'BR-CL-08',
    terms: 'BT-21',
    en: 'The subject of a note',
    de: 'Das Thema einer Bemerkung',
    places: {
      ubl: {
        elements: ['cbc:Note'],
        where: ({ parent }) => parent?.parent === undefined,
        codeOf: subjectOf,
        list: lists.subjects.ubl,
      },
      cii: { elements: ['ram:SubjectCode'], list: lists.subjects.cii },
    },
  },
  {
    id: 'BR-CL-10',
    terms: 'BT-29 BT-46 BT-60 BT-90',
    en: 'The scheme of the identifier of a party',
    de: 'Das Schema der Kennung eines Beteiligten',
    places: schemes('BR-CL-10', lists.identifierSchemes),
  },
  {
    id: 'BR-CL-11',
    terms: 'BT-30 BT-47 BT-61',
    en: 'The scheme of a legal registration',
    de: 'Das Schema einer Registernummer',
    places: schemes('BR-CL-11', lists.identifierSchemes),
  },
  {
    id: 'BR-CL-13',
    terms: 'BT-158',
    en: 'The scheme of a classification of an item',
    de: 'Das Schema einer Klassifizierung eines Artikels',
    places: {
      ubl: {
        elements: ['cbc:ItemClassificationCode'],
        attribute: 'listID',
        where: parentIs('cac:CommodityClassification'),
        list: lists.itemClassificationSchemes,
      },
      cii: { elements: ['ram:ClassCode'], attribute: 'listID', list: lists.itemClassificationSchemes },
    },
  },
  {
    id: 'BR-CL-14',
    terms: 'BT-40 BT-55 BT-69 BT-80',
    en: 'The country of an address',
    de: 'Das Land einer Anschrift',
    places: {
      ubl: { elements: ['cbc:IdentificationCode'], where: parentIs('cac:Country'), list: lists.countries.ubl },
      cii: { elements: ['ram:CountryID'], list: lists.countries.cii },
    },
  },
  {
    id: 'BR-CL-15',
    terms: 'BT-159',
    en: 'The country of origin of an item',
    de: 'Das Ursprungsland eines Artikels',
    places: {
      ubl: { elements: ['cbc:IdentificationCode'], where: parentIs('cac:OriginCountry'), list: lists.countries.ubl },
      cii: { elements: ['ram:ID'], where: parentIs('ram:OriginTradeCountry'), list: lists.countries.cii },
    },
  },
  {
    id: 'BR-CL-16',
    terms: 'BT-81',
    en: 'The means of payment',
    de: 'Die Zahlungsart',
    places: both(
      { where: parentIs('cac:PaymentMeans', 'ram:SpecifiedTradeSettlementPaymentMeans'), list: lists.paymentMeans },
      ['cbc:PaymentMeansCode'],
      ['ram:TypeCode'],
    ),
  },
  {
    id: 'BR-CL-17',
    terms: 'BT-95 BT-102 BT-118',
    en: 'A VAT category',
    de: 'Eine Umsatzsteuerkategorie',
    places: both(
      { where: parentIs('cac:TaxCategory', 'ram:CategoryTradeTax'), list: lists.vatCategories },
      ['cbc:ID'],
      ['ram:CategoryCode'],
    ),
  },
  {
    id: 'BR-CL-18',
    terms: 'BT-151',
    en: 'The VAT category of a line',
    de: 'Die Umsatzsteuerkategorie einer Position',
    places: both(
      { where: parentIs('cac:ClassifiedTaxCategory', 'ram:ApplicableTradeTax'), list: lists.vatCategories },
      ['cbc:ID'],
      ['ram:CategoryCode'],
    ),
  },
  {
    id: 'BR-CL-19',
    terms: 'BT-98 BT-140',
    en: 'The reason code of an allowance',
    de: 'Der Code für den Grund eines Nachlasses',
    places: {
      ubl: { elements: ['cbc:AllowanceChargeReasonCode'], where: indicator(false), list: lists.allowanceReasons },
      cii: {
        elements: ['ram:ReasonCode'],
        where: (element) => parentIs('ram:SpecifiedTradeAllowanceCharge')(element) && indicator(false)(element),
        list: lists.allowanceReasons,
      },
    },
  },
  {
    id: 'BR-CL-20',
    terms: 'BT-105 BT-145',
    en: 'The reason code of a charge',
    de: 'Der Code für den Grund eines Zuschlags',
    places: {
      ubl: { elements: ['cbc:AllowanceChargeReasonCode'], where: indicator(true), list: lists.chargeReasons },
      cii: {
        elements: ['ram:ReasonCode'],
        where: (element) => parentIs('ram:SpecifiedTradeAllowanceCharge')(element) && indicator(true)(element),
        list: lists.chargeReasons,
      },
    },
  },
  {
    id: 'BR-CL-21',
    terms: 'BT-157',
    en: 'The scheme of the standard identifier of an item',
    de: 'Das Schema der Kennung eines Artikels nach Standard',
    places: schemes('BR-CL-21', lists.identifierSchemes),
  },
  {
    id: 'BR-CL-22',
    terms: 'BT-121',
    en: 'The code of an exemption from VAT',
    de: 'Der Code einer Befreiung von der Umsatzsteuer',
    places: both({ list: upper(lists.exemptionReasons) }, ['cbc:TaxExemptionReasonCode'], ['ram:ExemptionReasonCode']),
  },
  {
    id: 'BR-CL-23',
    terms: 'BT-130 BT-150',
    en: 'The unit of a quantity',
    de: 'Die Einheit einer Menge',
    places: both(
      { attribute: 'unitCode', list: lists.units },
      ['cbc:InvoicedQuantity', 'cbc:BaseQuantity', 'cbc:CreditedQuantity'],
      ['ram:BasisQuantity', 'ram:BilledQuantity'],
    ),
  },
  {
    id: 'BR-CL-24',
    terms: 'BT-125',
    en: 'The file type of an attachment',
    de: 'Der Dateityp einer Anlage',
    places: both(
      { attribute: 'mimeCode', list: lists.attachmentTypes },
      ['cbc:EmbeddedDocumentBinaryObject'],
      ['ram:AttachmentBinaryObject'],
    ),
  },
  {
    id: 'BR-CL-25',
    terms: 'BT-34 BT-49',
    en: 'The scheme of an electronic address',
    de: 'Das Schema einer elektronischen Adresse',
    places: schemes('BR-CL-25', lists.electronicAddressSchemes),
  },
  {
    id: 'BR-CL-26',
    terms: 'BT-71',
    en: 'The scheme of a delivery location',
    de: 'Das Schema eines Lieferorts',
    places: schemes('BR-CL-26', lists.identifierSchemes),
  },
];

/** BR-CL-01 to BR-CL-26 (EN 16931-1, 6.4.2 and the code lists of CEN). */
export const codeRules: readonly Rule[] = TABLE.map((entry) => codeRule(entry, 'en16931'));
