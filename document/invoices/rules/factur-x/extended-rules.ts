import type { XmlElement } from '../../syntaxes/index.js';
import type { Facts } from '../facts.js';
import { type Report, type Rule, sentence, termsOf } from '../rule.js';
import type { Severity } from '../violation.js';
import { all, has, texts } from '../syntax/select.js';
import { sincePresentFacturX } from './in-force.js';
import { isDetail, lineId, linesOf, netAmount, parentId, subtype } from './line-tree.js';
import { productAttributes } from './product-attributes.js';

type At = (facts: Facts, report: Report) => void;

function rule(id: string, terms: string, en: string, de: string, check: At, severity: Severity = 'fatal'): Rule {
  return {
    id,
    set: 'factur-x-extended',
    severity,
    family: 'cii',
    terms: termsOf(terms),
    message: sentence(en, de),
    check,
  };
}

/** Reports each of the elements for which something does not hold. */
const each =
  (elements: (facts: Facts) => readonly XmlElement[], holds: (element: XmlElement) => boolean): At =>
  (facts, report) => {
    for (const at of elements(facts)) if (!holds(at)) report({ at, value: at.text === '' ? undefined : at.text });
  };

const details = (facts: Facts): readonly XmlElement[] => linesOf(facts).filter(isDetail);
const QUANTITY = 'ram:SpecifiedLineTradeDelivery/ram:BilledQuantity';
const PRICE = 'ram:SpecifiedLineTradeAgreement/ram:NetPriceProductTradePrice/ram:ChargeAmount';

/** Rules of EN 16931 for each line, which EXTENDED demands of lines that are neither subtotals nor information. */
const lineRules: readonly Rule[] = [
  rule(
    'BR-FXEXT-BR-22',
    'BT-129 BT-X-8',
    'A line has no invoiced quantity.',
    'Eine Position hat keine Menge.',
    each(details, (line) => has(line, QUANTITY)),
  ),
  rule(
    'BR-FXEXT-BR-23',
    'BT-130 BT-X-8',
    'The quantity of a line has no unit.',
    'Die Menge einer Position hat keine Einheit.',
    each(details, (line) => all(line, QUANTITY).some(({ attributes }) => attributes.has('unitCode'))),
  ),
  rule(
    'BR-FXEXT-BR-26',
    'BT-146 BT-X-8',
    'A line has no net price.',
    'Eine Position hat keinen Nettopreis.',
    each(details, (line) => has(line, PRICE)),
  ),
  rule(
    'BR-FXEXT-BR-27',
    'BT-146 BT-X-8',
    'The net price of a line is missing or negative.',
    'Der Nettopreis einer Position fehlt oder ist negativ.',
    each(details, (line) => texts(line, PRICE).some((price) => price !== '' && Number(price) >= 0)),
  ),
  rule(
    'BR-FXEXT-CO-04',
    'BT-151 BT-X-8',
    'A line has no VAT category.',
    'Eine Position hat keine Umsatzsteuerkategorie.',
    each(details, (line) =>
      all(line, 'ram:SpecifiedLineTradeSettlement/ram:ApplicableTradeTax').some(
        (tax) =>
          texts(tax, 'ram:TypeCode').some((type) => type.toUpperCase() === 'VAT') && has(tax, 'ram:CategoryCode'),
      ),
    ),
  ),
];

/** A line that is a parent or has one says what it is (BT-X-8). */
function checkSubtypes(facts: Facts, report: Report): void {
  const lines = linesOf(facts);
  const children = new Map<string, number>();
  for (const line of lines) children.set(parentId(line), (children.get(parentId(line)) ?? 0) + 1);
  for (const at of lines) {
    const own = lineId(at);
    const others = (children.get(own) ?? 0) - (parentId(at) === own ? 1 : 0);
    if (subtype(at) === '' && (parentId(at) !== '' || others > 0)) report({ at });
  }
}

/** As numbers of XPath are: the published test compares floats too. An empty text is no number. */
const float = (text: string): number => (text === '' ? Number.NaN : Number(text));

/** The amount of a subtotal is the sum of the lines below it. */
function checkSubtotals(facts: Facts, report: Report): void {
  const below = Map.groupBy(
    linesOf(facts).filter((line) => /^(?:DETAIL|GROUP)$/.test(subtype(line))),
    parentId,
  );
  for (const at of linesOf(facts).filter((line) => subtype(line) === 'GROUP' && netAmount(line) !== '')) {
    const sum = (below.get(lineId(at)) ?? []).reduce((total, line) => total + float(netAmount(line)), 0);
    if (float(netAmount(at)) !== sum) report({ at, value: netAmount(at) });
  }
}

const structureRules: readonly Rule[] = [
  rule(
    'BR-FXEXT-06',
    'BT-X-8 BT-X-304',
    'A line that is below another line, or has lines below it, does not say what it is (BT-X-8).',
    'Eine Position, die unter einer anderen steht oder Positionen unter sich hat, nennt ihre Art nicht (BT-X-8).',
    checkSubtypes,
  ),
  rule(
    'BR-FXEXT-08',
    'BT-131 BT-X-8 BT-X-304',
    'The amount of a subtotal is not the sum of the lines below it.',
    'Der Betrag einer Zwischensumme ist nicht die Summe der Positionen darunter.',
    checkSubtotals,
  ),
  rule(
    'BR-FXEXT-11',
    'BT-126 BT-X-304',
    'A line names a parent that is not in the invoice.',
    'Eine Position nennt eine übergeordnete Position, die es nicht gibt.',
    (facts, report) => {
      const ids = new Set(linesOf(facts).map(lineId));
      for (const at of linesOf(facts))
        if (parentId(at) !== '' && !ids.has(parentId(at))) report({ at, value: parentId(at) });
    },
  ),
];

const isOfSeller = ({ parent }: XmlElement): boolean =>
  parent !== undefined && (parent.qname === 'ram:SellerTradeParty' || isOfSeller(parent));

const textRules: readonly Rule[] = [
  rule(
    'BR-FXEXT-01',
    'BT-21 BT-22 BT-X-5',
    'A note with a subject has neither a text nor a coded text.',
    'Eine Bemerkung mit Thema hat weder Text noch codierten Text.',
    each(notesIn('rsm:ExchangedDocument'), hasContent),
  ),
  rule(
    'BR-FXEXT-02',
    'BT-127 BT-X-9 BT-X-10',
    'The note of a line with a subject has neither a text nor a coded text.',
    'Die Bemerkung einer Position mit Thema hat weder Text noch codierten Text.',
    each(notesIn('ram:AssociatedDocumentLineDocument'), hasContent),
  ),
  rule(
    'BR-FXEXT-03',
    'BT-X-161 BT-X-242 BT-X-257',
    'A partner other than the seller has a tax number that is not a VAT number.',
    'Ein anderer Beteiligter als der Verkäufer hat eine Steuernummer, die keine Umsatzsteuer-ID ist.',
    each(
      (facts) =>
        facts
          .elements('ram:SpecifiedTaxRegistration')
          .filter((registration) => !isOfSeller(registration))
          .flatMap((registration) => all(registration, 'ram:ID')),
      (id) => id.attributes.get('schemeID') === 'VA',
    ),
  ),
  rule(
    'BR-FXEXT-04',
    'BT-X-11',
    'The type of an item attribute is not in the list of UNTDED 6313 and Factur-X.',
    'Die Art eines Artikelattributs steht nicht in der Liste von UNTDED 6313 und Factur-X.',
    each(
      (facts) => facts.elements('ram:ApplicableProductCharacteristic').flatMap((it) => all(it, 'ram:TypeCode')),
      ({ text }) => productAttributes.has(text),
    ),
    'warning',
  ),
  rule(
    'BR-FXEXT-CII-DT-097a',
    'BT-X-8',
    'A date with time (format 205) is not in the form YYYYMMDDHHMMSS.',
    'Ein Datum mit Uhrzeit (Format 205) hat nicht die Form JJJJMMTTHHMMSS.',
    each(
      (facts) => facts.elements('udt:DateTimeString').filter(({ attributes }) => attributes.get('format') === '205'),
      ({ text }) => /^\d{4}(1[0-2]|0[1-9])(3[01]|[12]\d|0[1-9])([01]\d|2[0-3])[0-5]\d$/.test(text),
    ),
  ),
];

function notesIn(parent: string): (facts: Facts) => readonly XmlElement[] {
  return (facts) =>
    facts
      .elements(parent)
      .flatMap((document) => all(document, 'ram:IncludedNote'))
      .filter((note) => has(note, 'ram:SubjectCode'));
}

function hasContent(note: XmlElement): boolean {
  return has(note, 'ram:ContentCode') || has(note, 'ram:Content');
}

/** Rules of EXTENDED itself. Those for each line take the place of rules of EN 16931. */
export const extendedRules: readonly Rule[] = [
  ...lineRules,
  ...structureRules.map(sincePresentFacturX),
  ...textRules.map(sincePresentFacturX),
];

/** Rules of EN 16931 that EXTENDED replaces by its own, or does not have. */
export const NOT_IN_EXTENDED: ReadonlySet<string> = new Set(
  (
    'BR-22 BR-23 BR-26 BR-27 BR-CO-04 BR-CO-10 BR-CO-11 BR-CO-12 BR-CO-13 BR-CO-15 BR-CO-17 BR-S-08 BR-S-09 BR-Z-08 ' +
    'BR-E-08 BR-AE-08 BR-IC-08 BR-G-08 BR-O-08 BR-AF-08 BR-AG-08 BR-O-02 BR-O-03 BR-O-04 BR-O-11 BR-O-12 BR-O-13 ' +
    'BR-O-14'
  ).split(' '),
);
