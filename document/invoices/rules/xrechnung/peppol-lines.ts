import {
  type Decimal,
  decimal,
  formatDecimal,
  parseDecimal,
  percentOf,
  roundXPath,
  zero,
} from '../../amounts/index.js';
import type { InvoiceLine } from '../../model/index.js';
import type { XmlElement } from '../../syntaxes/index.js';
import { type Facts, sumTexts } from '../facts.js';
import { type Report, type Rule, sentence } from '../rule.js';
import type { Severity } from '../violation.js';
import { xrRule } from './xr-rule.js';

const set = 'xrechnung-peppol';

const rule = (number: string, terms: string, en: string, de: string, check: Rule['check'], severity?: Severity): Rule =>
  xrRule(
    `PEPPOL-EN16931-R${number}`,
    terms,
    sentence(en, de),
    check,
    severity === undefined ? { set } : { set, severity },
  );

interface Names {
  readonly part: string;
  readonly percentage: string;
  readonly base: string;
  readonly amount: string;
}

/** Allowances and charges of the document and of lines. */
const NAMES: Readonly<Record<Facts['family'], Names>> = {
  ubl: {
    part: 'cac:AllowanceCharge',
    percentage: 'cbc:MultiplierFactorNumeric',
    base: 'cbc:BaseAmount',
    amount: 'cbc:Amount',
  },
  cii: {
    part: 'ram:SpecifiedTradeAllowanceCharge',
    percentage: 'ram:CalculationPercent',
    base: 'ram:BasisAmount',
    amount: 'ram:ActualAmount',
  },
};

const UBL_PARENTS = new Set(['ubl:Invoice', 'cn:CreditNote', 'cac:InvoiceLine', 'cac:CreditNoteLine']);

function parts(facts: Facts): readonly XmlElement[] {
  const all = facts.elements(NAMES[facts.family].part);
  return facts.family === 'cii' ? all : all.filter(({ parent }) => UBL_PARENTS.has(parent?.qname ?? ''));
}

/** What rounding may hide, in the currency of the invoice. */
const slackOf = ({ invoice: { currency } }: Facts): Decimal => decimal(currency === 'HUF' ? '0.5' : '0.02');
const isNear = (a: Decimal, b: Decimal, facts: Facts): boolean => a.minus(b).abs().lte(slackOf(facts));

const indicatorOf = (part: XmlElement): string | undefined =>
  (part.child('cbc:ChargeIndicator') ?? part.child('ram:ChargeIndicator')?.child('udt:Indicator'))?.text;

/** Rules of Peppol BIS Billing that XRechnung 3.0 has made its own: those about lines, allowances and prices. */
export const peppolLineRules: readonly Rule[] = [
  rule(
    '040',
    'BT-92 BT-99 BT-136 BT-141',
    'The amount of an allowance or charge is not its base amount times its percentage.',
    'Der Betrag eines Nachlasses oder Zuschlags ist nicht Grundbetrag mal Prozentsatz.',
    checkPercentages,
  ),
  rule(
    '041',
    'BT-93 BT-100 BT-137 BT-142',
    'An allowance or charge with a percentage lacks its base amount.',
    'Einem Nachlass oder Zuschlag mit Prozentsatz fehlt der Grundbetrag.',
    (facts, report) => checkPair(facts, report, 'percentage', 'base'),
  ),
  rule(
    '042',
    'BT-94 BT-101 BT-138 BT-143',
    'An allowance or charge with a base amount lacks its percentage.',
    'Einem Nachlass oder Zuschlag mit Grundbetrag fehlt der Prozentsatz.',
    (facts, report) => checkPair(facts, report, 'base', 'percentage'),
  ),
  ...indicatorRules(),
  rule(
    '044',
    'BT-147',
    'A price may have an allowance but no charge.',
    'Ein Preis darf einen Nachlass haben, aber keinen Zuschlag.',
    checkPriceCharges,
  ),
  rule(
    '046',
    'BT-146 BT-147 BT-148',
    'The net price is not the gross price minus the discount.',
    'Der Nettopreis ist nicht der Bruttopreis minus Nachlass.',
    checkPrices,
  ),
  rule(
    '101',
    'BT-128',
    'A document of a line may only be an invoiced object (type 130).',
    'Ein Dokument einer Position darf nur eine Objektkennung sein (Art 130).',
    checkLineDocuments,
  ),
  rule(
    '120',
    'BT-131 BT-129 BT-146 BT-149',
    'The net amount of the line is not its quantity times its price.',
    'Der Nettobetrag der Position ist nicht Menge mal Preis.',
    checkLineAmounts,
    'warning',
  ),
  rule(
    '121',
    'BT-149',
    'The quantity to which a price belongs must be above 0.',
    'Die Menge, zu der ein Preis gehört, muss größer als 0 sein.',
    (facts, report) => {
      for (const quantity of baseQuantities(facts))
        if (parseDecimal(quantity.text)?.gt(0) !== true) report({ at: quantity, value: quantity.text });
    },
  ),
  rule(
    '130',
    'BT-150 BT-130',
    'The unit of the price is not that of the invoiced quantity.',
    'Die Einheit des Preises ist nicht die der berechneten Menge.',
    checkUnits,
  ),
  xrRule(
    'BR-TMP-3',
    'BT-149 BT-150',
    sentence(
      'Net and gross price are for different quantities.',
      'Netto- und Bruttopreis gelten für verschiedene Mengen.',
    ),
    checkBothQuantities,
    { family: 'cii' },
  ),
];

function checkPercentages(facts: Facts, report: Report): void {
  const names = NAMES[facts.family];
  for (const part of parts(facts)) {
    const [percentage, base, amount] = [names.percentage, names.base, names.amount].map((name) => part.child(name));
    if (percentage === undefined || base === undefined) continue;
    const [rate, from] = [parseDecimal(percentage.text), parseDecimal(base.text)];
    const given = amount === undefined ? zero : parseDecimal(amount.text);
    const expected = rate === undefined || from === undefined ? undefined : percentOf(from, rate);
    if (given !== undefined && expected !== undefined && isNear(given, expected, facts)) continue;
    const message = sentence(
      `The amount (${amount?.text ?? 'missing'}) is not ${percentage.text} % of the base amount (${base.text}).`,
      `Der Betrag (${amount?.text ?? 'fehlt'}) ist nicht ${percentage.text} % des Grundbetrags (${base.text}).`,
    );
    report({ at: amount ?? part, value: amount?.text, message });
  }
}

function checkPair(facts: Facts, report: Report, given: 'percentage' | 'base', wanted: 'percentage' | 'base'): void {
  const names = NAMES[facts.family];
  for (const part of parts(facts)) {
    const found = part.child(names[given]);
    if (found !== undefined && part.child(names[wanted]) === undefined) report({ at: found, value: found.text });
  }
}

/** The rule has two ids in CII: for allowances and for discounts of prices. */
function indicatorRules(): readonly Rule[] {
  const entries = [
    ['R043', 'ubl', 'cac:AllowanceCharge'],
    ['R043-1', 'cii', 'ram:SpecifiedTradeAllowanceCharge'],
    ['R043-2', 'cii', 'ram:AppliedTradeAllowanceCharge'],
  ] as const;
  const message = sentence(
    'It must be true or false whether this is a charge.',
    'Ob dies ein Zuschlag ist, muss true oder false sein.',
  );
  return entries.map(([number, family, name]) =>
    xrRule(
      `PEPPOL-EN16931-${number}`,
      'BG-20 BG-21 BG-27 BG-28',
      message,
      (facts, report) => {
        for (const part of facts.elements(name)) {
          if (family === 'ubl' && !UBL_PARENTS.has(part.parent?.qname ?? '')) continue;
          const indicator = indicatorOf(part);
          if (indicator !== 'true' && indicator !== 'false') report({ at: part, value: indicator });
        }
      },
      { set, family },
    ),
  );
}

function checkPriceCharges(facts: Facts, report: Report): void {
  if (facts.family === 'ubl') {
    for (const part of facts.elements('cac:AllowanceCharge'))
      if (part.parent?.qname === 'cac:Price' && indicatorOf(part) !== 'false')
        report({ at: part, value: indicatorOf(part) });
    return;
  }
  for (const part of facts.elements('ram:AppliedTradeAllowanceCharge'))
    if (
      part.parent?.qname === 'ram:GrossPriceProductTradePrice' &&
      part.child('ram:ActualAmount') !== undefined &&
      indicatorOf(part) !== 'false'
    )
      report({ at: part, value: indicatorOf(part) });
}

function checkPrices(facts: Facts, report: Report): void {
  for (const { net, gross, discount } of facts.family === 'ubl' ? ublPrices(facts) : ciiPrices(facts)) {
    const [expected, given] = [parseDecimal(gross.text), parseDecimal(net?.text)];
    const minus = discount === undefined && facts.family === 'cii' ? zero : parseDecimal(discount?.text);
    if (expected !== undefined && minus !== undefined && given?.eq(expected.minus(minus)) === true) continue;
    const message = sentence(
      `The net price (${net?.text ?? 'missing'}) is not the gross price (${gross.text}) minus the discount (${discount?.text ?? '0'}).`,
      `Der Nettopreis (${net?.text ?? 'fehlt'}) ist nicht der Bruttopreis (${gross.text}) minus Nachlass (${discount?.text ?? '0'}).`,
    );
    report({ at: net ?? gross, value: net?.text, message });
  }
}

interface Price {
  readonly net: XmlElement | undefined;
  readonly gross: XmlElement;
  readonly discount: XmlElement | undefined;
}

function ublPrices(facts: Facts): Price[] {
  return facts.elements('cac:Price').flatMap((price) =>
    price.children
      .filter(({ qname }) => qname === 'cac:AllowanceCharge')
      .flatMap((part) => {
        const gross = part.child('cbc:BaseAmount');
        if (gross === undefined) return [];
        return [{ gross, net: price.child('cbc:PriceAmount'), discount: part.child('cbc:Amount') }];
      }),
  );
}

function ciiPrices(facts: Facts): Price[] {
  return facts.elements('ram:GrossPriceProductTradePrice').flatMap((price) => {
    const gross = price.child('ram:ChargeAmount');
    if (gross === undefined) return [];
    const net = price.parent?.child('ram:NetPriceProductTradePrice')?.child('ram:ChargeAmount');
    return [{ gross, net, discount: price.child('ram:AppliedTradeAllowanceCharge')?.child('ram:ActualAmount') }];
  });
}

function checkLineDocuments(facts: Facts, report: Report): void {
  const [lines, document, type] =
    facts.family === 'ubl'
      ? (['cac:InvoiceLine cac:CreditNoteLine', 'cac:DocumentReference', 'cbc:DocumentTypeCode'] as const)
      : (['ram:SpecifiedLineTradeSettlement', 'ram:AdditionalReferencedDocument', 'ram:TypeCode'] as const);
  for (const line of lines.split(' ').flatMap((qname) => facts.elements(qname))) {
    const documents = line.children.filter(({ qname }) => qname === document);
    const [first] = documents;
    if (first !== undefined && documents.every((each) => each.child(type)?.text !== '130')) report({ at: first });
  }
}

/** Net amount = quantity × price / base quantity + charges − allowances. */
function checkLineAmounts(facts: Facts, report: Report): void {
  for (const line of facts.lines) {
    const expected = lineAmount(line);
    const given = line.netAmount === undefined ? zero : parseDecimal(line.netAmount);
    if (expected === undefined || given === undefined || isNear(given, expected, facts)) continue;
    const calculated = formatDecimal(expected, 2);
    const message = sentence(
      `The net amount (${line.netAmount ?? 'missing'}) is not quantity times price plus charges minus allowances (${calculated}).`,
      `Der Nettobetrag (${line.netAmount ?? 'fehlt'}) ist nicht Menge mal Preis plus Zuschläge minus Nachlässe (${calculated}).`,
    );
    report({ at: [line, 'netAmount'], value: line.netAmount, message: facts.inLine(line, message) });
  }
}

function lineAmount({ quantity, price, charges, allowances }: InvoiceLine): Decimal | undefined {
  const amount = quantity === undefined ? decimal('1') : parseDecimal(quantity);
  const net = price?.net === undefined ? zero : parseDecimal(price.net);
  const base = price?.baseQuantity === undefined ? undefined : parseDecimal(price.baseQuantity);
  if (amount === undefined || net === undefined) return undefined;
  const unitPrice = base === undefined || base.eq(0) ? net : net.div(base);
  const total = (groups: readonly { readonly amount?: string }[] | undefined): Decimal =>
    roundXPath(sumTexts((groups ?? []).map((group) => group.amount)), 2);
  return amount.times(unitPrice).plus(total(charges)).minus(total(allowances));
}

const CII_PRICES = ['ram:NetPriceProductTradePrice', 'ram:GrossPriceProductTradePrice'];

function baseQuantities(facts: Facts): readonly XmlElement[] {
  return facts.family === 'ubl'
    ? facts.elements('cbc:BaseQuantity').filter(({ parent }) => parent?.qname === 'cac:Price')
    : facts.elements('ram:BasisQuantity').filter(({ parent }) => CII_PRICES.includes(parent?.qname ?? ''));
}

function checkUnits(facts: Facts, report: Report): void {
  for (const base of baseQuantities(facts)) {
    const unit = base.attributes.get('unitCode');
    const line = facts.family === 'ubl' ? base.parent?.parent : base.parent?.parent?.parent;
    const quantity =
      facts.family === 'ubl'
        ? (line?.child('cbc:InvoicedQuantity') ?? line?.child('cbc:CreditedQuantity'))
        : line?.child('ram:SpecifiedLineTradeDelivery')?.child('ram:BilledQuantity');
    if (unit === undefined || (quantity === undefined && facts.family === 'ubl')) continue;
    const invoiced = quantity?.attributes.get('unitCode');
    if (unit === invoiced) continue;
    const message = sentence(
      `The unit of the price (${unit}) is not that of the invoiced quantity (${invoiced ?? 'missing'}).`,
      `Die Einheit des Preises (${unit}) ist nicht die der berechneten Menge (${invoiced ?? 'fehlt'}).`,
    );
    report({ at: base, value: unit, message });
  }
}

function checkBothQuantities(facts: Facts, report: Report): void {
  for (const agreement of facts.elements('ram:SpecifiedLineTradeAgreement')) {
    const [net, gross] = CII_PRICES.map((name) => agreement.child(name)?.child('ram:BasisQuantity'));
    if (net === undefined || gross === undefined) continue;
    const [netUnit, grossUnit] = [net.attributes.get('unitCode'), gross.attributes.get('unitCode')];
    const units = netUnit === undefined || grossUnit === undefined || netUnit === grossUnit;
    if (net.text === gross.text && units) continue;
    report({ at: gross, value: `${gross.text} ${grossUnit ?? ''}`.trim() });
  }
}
