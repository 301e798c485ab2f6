import type { XmlElement } from '../../syntaxes/index.js';
import type { Sentence, Severity } from '../violation.js';
import { all, anywhere, distinct, has, texts } from './select.js';
import { atMost, condition, exactlyOne, type Statement } from './statement.js';

// The rules of CII-SR and CII-DT that are more than "this is not used".

/** The summation's amounts that occur once. */
const ONCE_IN_TOTALS: readonly (readonly [number: number, name: string, terms: string])[] = [
  [477, 'LineTotalAmount', 'BT-106'],
  [478, 'ChargeTotalAmount', 'BT-108'],
  [479, 'AllowanceTotalAmount', 'BT-107'],
  [480, 'TaxBasisTotalAmount', 'BT-109'],
  [481, 'RoundingAmount', 'BT-114'],
  [482, 'GrandTotalAmount', 'BT-112'],
  [483, 'InformationAmount', ''],
  [484, 'TotalPrepaidAmount', 'BT-113'],
  [485, 'TotalDiscountAmount', ''],
  [486, 'TotalAllowanceChargeAmount', ''],
  [487, 'DuePayableAmount', 'BT-115'],
  [488, 'RetailValueExcludingTaxInformationAmount', ''],
  [489, 'TotalDepositFeeInformationAmount', ''],
  [490, 'ProductValueExcludingTobaccoTaxInformationAmount', ''],
  [491, 'TotalRetailValueInformationAmount', ''],
  [492, 'GrossLineTotalAmount', ''],
  [493, 'NetLineTotalAmount', ''],
  [494, 'NetIncludingTaxesLineTotalAmount', ''],
];

const DATE = /^\d{4}(1[0-2]|0[1-9])(3[01]|[12]\d|0[1-9])$/;

const rootOf = (element: XmlElement): XmlElement => (element.parent === undefined ? element : rootOf(element.parent));
const isWithin = (element: XmlElement, qname: string): boolean =>
  element.parent !== undefined && (element.parent.qname === qname || isWithin(element.parent, qname));
const hasTypeCode = (reference: XmlElement, code: string): boolean => texts(reference, 'ram:TypeCode').includes(code);

/** References to documents of one type have at most one element at the path, all together. */
function atMostForType(rule: string, code: string, path: string, terms: string): Statement {
  return condition(
    rule,
    terms,
    (agreement) => {
      const references = all(agreement, 'ram:AdditionalReferencedDocument').filter((it) => hasTypeCode(it, code));
      return (path === '' ? references : references.flatMap((reference) => all(reference, path))).length <= 1;
    },
    {
      en: `At most one ${path === '' ? 'document reference' : `"${path}"`} with type code ${code} is used.`,
      de: `Höchstens ${path === '' ? 'ein Dokumentverweis' : `einmal „${path}“`} mit Code ${code} ist vorgesehen.`,
    },
    'warning',
  );
}

/** A party has an identifier or a global identifier, not both. */
export function oneIdentifier(rule: string, party: string, terms: string): Statement {
  return condition(
    rule,
    terms,
    (context) => !(has(context, `${party}/ram:ID`) && has(context, `${party}/ram:GlobalID`)),
    {
      en: 'The party has an identifier and a global identifier; only one of them is used.',
      de: 'Die Partei hat eine Kennung und eine globale Kennung; vorgesehen ist nur eine davon.',
    },
    'warning',
  );
}

function personOrDepartment(rule: string, party: string, terms: string): Statement {
  const contact = `${party}/ram:DefinedTradeContact`;
  return condition(
    rule,
    terms,
    (context) => !(has(context, `${contact}/ram:PersonName`) && has(context, `${contact}/ram:DepartmentName`)),
    {
      en: 'The contact has the name of a person and of a department; only one of them is used.',
      de: 'Der Kontakt nennt Person und Abteilung; vorgesehen ist nur eine von beiden Angaben.',
    },
    'warning',
  );
}

/** An element is only allowed where `allowed` is true. */
function only(
  rule: string,
  name: string,
  allowed: (context: XmlElement) => boolean,
  where: Sentence,
  severity: Severity = 'fatal',
  terms = '',
): Statement {
  return condition(
    rule,
    terms,
    (context) => !has(context, name) || allowed(context),
    { en: `"${name}" is only used ${where.en}.`, de: `„${name}“ ist nur ${where.de} vorgesehen.` },
    severity,
  );
}

const isSupportingDocument = (reference: XmlElement): boolean =>
  reference.qname === 'ram:AdditionalReferencedDocument' && hasTypeCode(reference, '916');
const inSupportingDocument: Sentence = {
  en: 'with a supporting document (type code 916)',
  de: 'bei einer rechnungsbegründenden Unterlage (Code 916)',
};
const isApplicableTax = (tax: XmlElement): boolean => tax.qname === 'ram:ApplicableTradeTax';
const inApplicableTax: Sentence = {
  en: 'in "ram:ApplicableTradeTax"',
  de: 'in „ram:ApplicableTradeTax“',
};
const isInSettlement = (tax: XmlElement): boolean => isWithin(tax, 'ram:ApplicableHeaderTradeSettlement');
const inBreakdown: Sentence = {
  en: 'in the VAT breakdown of the invoice',
  de: 'in der Umsatzsteueraufschlüsselung der Rechnung',
};

function sameAsFirst(invoice: XmlElement, name: string): boolean {
  return distinct(paymentMeans(invoice).flatMap((means) => texts(means, name).map(normalised))) <= 1;
}
const normalised = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
const paymentMeans = (element: XmlElement): XmlElement[] =>
  anywhere(rootOf(element), 'ram:SpecifiedTradeSettlementPaymentMeans');

function lacksAccount(means: XmlElement): boolean {
  const transfer = hasTypeCode(means, '30') || hasTypeCode(means, '58');
  const account = 'ram:PayeePartyCreditorFinancialAccount';
  return transfer && !has(means, `${account}/ram:IBANID`) && !has(means, `${account}/ram:ProprietaryID`);
}

function priceAllowanceIsComplete(agreement: XmlElement): boolean {
  const allowances = all(agreement, 'ram:GrossPriceProductTradePrice/ram:AppliedTradeAllowanceCharge');
  const indicators = allowances.flatMap((allowance) => all(allowance, 'ram:ChargeIndicator'));
  const amounts = allowances.flatMap((allowance) => all(allowance, 'ram:ActualAmount'));
  const isAllowance = indicators.some((it) => texts(it, 'udt:Indicator').some((text) => /^(false|0)$/.test(text)));
  return (isAllowance && amounts.length > 0) || (indicators.length === 0 && amounts.length === 0);
}

export const agreement: readonly Statement[] = [
  oneIdentifier('CII-SR-450', 'ram:BuyerTradeParty', 'BT-46'),
  atMost('CII-SR-455', 'ram:SellerTradeParty/ram:DefinedTradeContact', 'BG-6'),
  atMost('CII-SR-456', 'ram:BuyerTradeParty/ram:DefinedTradeContact', 'BG-9'),
  atMostForType('CII-SR-457', '50', '', 'BT-17'),
  atMostForType('CII-SR-458', '130', '', 'BT-18'),
  atMost('CII-SR-459', 'ram:SellerTradeParty/ram:URIUniversalCommunication', 'BT-34'),
  atMost('CII-SR-460', 'ram:BuyerTradeParty/ram:URIUniversalCommunication', 'BT-49'),
  personOrDepartment('CII-SR-465', 'ram:SellerTradeParty', 'BT-41'),
  personOrDepartment('CII-SR-466', 'ram:BuyerTradeParty', 'BT-56'),
  atMostForType('CII-SR-475', '916', 'ram:Name', 'BT-123'),
  atMostForType('CII-SR-476', '916', 'ram:AttachmentBinaryObject', 'BT-125'),
];

export const lineSettlement: readonly Statement[] = [
  exactlyOne('CII-SR-454', 'ram:ApplicableTradeTax', 'BG-30', 'warning'),
  atMostForType('CII-SR-474', '130', '', 'BT-128'),
];

export const settlement: readonly Statement[] = [
  oneIdentifier('CII-SR-451', 'ram:PayeeTradeParty', 'BT-60'),
  atMost('CII-SR-452', 'ram:SpecifiedTradePaymentTerms', 'BT-20', 'warning'),
  atMost('CII-SR-453', 'ram:SpecifiedTradePaymentTerms/ram:Description', 'BT-20', 'warning'),
  atMost('CII-SR-461', 'ram:ApplicableTradeTax/ram:TaxPointDate', 'BT-7'),
  condition('CII-SR-462', 'BT-8', hasOneDueDateCode, {
    en: 'The codes of the VAT point date differ; an invoice has one.',
    de: 'Die Codes für das Datum der Steuerfälligkeit weichen ab; eine Rechnung hat einen.',
  }),
  condition(
    'CII-SR-470',
    'BT-81 BT-84',
    (context) => !all(context, 'ram:SpecifiedTradeSettlementPaymentMeans').some(lacksAccount),
    {
      en: 'The means of payment is a credit transfer (30 or 58), but no account is given.',
      de: 'Die Zahlungsart ist eine Überweisung (30 oder 58), aber es ist kein Konto angegeben.',
    },
  ),
];

function hasOneDueDateCode(context: XmlElement): boolean {
  const taxes = anywhere(rootOf(context), 'ram:ApplicableTradeTax');
  return distinct(taxes.flatMap((tax) => texts(tax, 'ram:DueDateTypeCode'))) <= 1;
}

export const root: readonly Statement[] = [
  condition('CII-SR-467', 'BT-81', (invoice) => sameAsFirst(invoice, 'ram:TypeCode'), {
    en: 'The codes of the means of payment differ. An invoice has one, also with several bank accounts.',
    de: 'Die Codes der Zahlungsarten weichen ab. Eine Rechnung hat eine, auch bei mehreren Bankverbindungen.',
  }),
  condition('CII-SR-468', 'BT-82', (invoice) => sameAsFirst(invoice, 'ram:Information'), {
    en: 'The texts of the means of payment differ. An invoice has one, also with several bank accounts.',
    de: 'Die Texte der Zahlungsarten weichen ab. Eine Rechnung hat einen, auch bei mehreren Bankverbindungen.',
  }),
  condition(
    'CII-SR-469',
    'BT-83',
    (invoice) =>
      anywhere(invoice, 'ram:ApplicableHeaderTradeSettlement').flatMap((it) => all(it, 'ram:PaymentReference'))
        .length <= 1,
    { en: 'More than one remittance text is given.', de: 'Es ist mehr als ein Verwendungszweck angegeben.' },
  ),
];

export const referencedDocument: readonly Statement[] = [
  only('CII-DT-015', 'ram:URIID', isSupportingDocument, inSupportingDocument, 'fatal', 'BT-124'),
  only(
    'CII-DT-018',
    'ram:TypeCode',
    (it) =>
      it.qname === 'ram:AdditionalReferencedDocument' && ['50', '130', '916'].some((code) => hasTypeCode(it, code)),
    {
      en: 'in an additional document, with code 50, 130 or 916',
      de: 'bei weiteren Dokumenten mit Code 50, 130 oder 916',
    },
  ),
  only('CII-DT-021', 'ram:Name', isSupportingDocument, inSupportingDocument, 'fatal', 'BT-123'),
  only('CII-DT-022', 'ram:AttachmentBinaryObject', isSupportingDocument, inSupportingDocument, 'fatal', 'BT-125'),
  only(
    'CII-DT-024',
    'ram:ReferenceTypeCode',
    (it) => it.qname === 'ram:AdditionalReferencedDocument' && hasTypeCode(it, '130'),
    { en: 'with an invoiced object (type code 130)', de: 'beim Objekt der Abrechnung (Code 130)' },
    'fatal',
    'BT-18 BT-128',
  ),
  only(
    'CII-DT-027',
    'ram:FormattedIssueDateTime',
    (it) => it.qname === 'ram:InvoiceReferencedDocument',
    { en: 'with a preceding invoice', de: 'bei einer vorausgegangenen Rechnung' },
    'fatal',
    'BT-26',
  ),
];

export const tradeTax: readonly Statement[] = [
  only('CII-DT-037', 'ram:TypeCode', (tax) => hasTypeCode(tax, 'VAT'), {
    en: 'with the code VAT',
    de: 'mit dem Code VAT',
  }),
  only('CII-DT-041', 'ram:BasisAmount', isInSettlement, inBreakdown, 'warning', 'BT-116'),
  only('CII-DT-052', 'ram:ExemptionReasonCode', isApplicableTax, inApplicableTax, 'warning', 'BT-121'),
  only('CII-DT-098', 'ram:ExemptionReason', isApplicableTax, inApplicableTax, 'warning', 'BT-120'),
  only('CII-DT-054', 'ram:TaxPointDate', isInSettlement, inBreakdown, 'warning', 'BT-7'),
  only('CII-DT-058', 'ram:DueDateTypeCode', isInSettlement, inBreakdown, 'warning', 'BT-8'),
];

export const quantityUnit: Statement = condition(
  'CII-DT-033',
  'BT-130',
  (quantity) =>
    !quantity.attributes.has('unitCode') ||
    anywhere(rootOf(quantity), 'ram:BilledQuantity').some((billed) => billed.attributes.has('unitCode')),
  {
    en: 'A quantity has a unit, but no invoiced quantity has one.',
    de: 'Eine Menge hat eine Einheit, aber keine in Rechnung gestellte Menge hat eine.',
  },
);

export const totals: readonly Statement[] = ONCE_IN_TOTALS.map(([number, name, terms]) =>
  atMost(`CII-SR-${number}`, `ram:${name}`, terms),
);

export const product: readonly Statement[] = [
  condition('CII-SR-046', 'BT-157', hasSchemeIfGlobal, {
    en: 'The standard identifier of the item has no scheme.',
    de: 'Bei der Artikelkennung fehlt die Kennung des Schemas.',
  }),
  condition(
    'CII-SR-090',
    'BT-159',
    (it) => !has(it, 'ram:OriginTradeCountry') || all(it, 'ram:OriginTradeCountry/ram:ID').length === 1,
    {
      en: 'The country of origin must have exactly one code.',
      de: 'Das Ursprungsland muss genau einen Code haben.',
    },
  ),
];

export const lineAgreement: readonly Statement[] = [
  exactlyOne('CII-SR-439', 'ram:NetPriceProductTradePrice/ram:ChargeAmount', 'BT-146'),
  atMost('CII-SR-441', 'ram:NetPriceProductTradePrice/ram:ChargeAmount', 'BT-146'),
  condition(
    'CII-SR-119',
    'BT-147',
    priceAllowanceIsComplete,
    {
      en: 'The price has an allowance without amount, an amount without allowance, or a charge.',
      de: 'Der Preis hat einen Rabatt ohne Betrag, einen Betrag ohne Rabatt oder einen Zuschlag.',
    },
    'warning',
  ),
];

export const allowanceCharge: readonly Statement[] = [
  condition('CII-SR-463', 'BG-20 BG-21 BG-27 BG-28', (it) => has(it, 'ram:ChargeIndicator'), {
    en: 'It is not stated whether this is an allowance or a charge ("ram:ChargeIndicator").',
    de: 'Es fehlt die Angabe, ob dies ein Abschlag oder ein Zuschlag ist („ram:ChargeIndicator“).',
  }),
  atMost('CII-SR-471', 'ram:RateApplicablePercent'),
  atMost('CII-SR-472', 'ram:CategoryTradeTax', 'BT-95 BT-102'),
  atMost('CII-SR-473', 'ram:ActualAmount', 'BT-92 BT-99 BT-136 BT-141'),
];

export const date: Statement = condition('CII-DT-097', '', (it) => DATE.test(it.text), {
  en: 'The date is not a date in the form YYYYMMDD.',
  de: 'Das Datum hat nicht die Form JJJJMMTT.',
});

function hasSchemeIfGlobal(product: XmlElement): boolean {
  const globals = all(product, 'ram:GlobalID');
  return globals.length === 0 || globals.some((id) => id.attributes.has('schemeID'));
}
