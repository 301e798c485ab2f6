import { type Decimal, formatDecimal, parseDecimal, percentOf, roundXPath, zero } from '../amounts/index.js';
import type { Invoice } from '../model/index.js';
import { type Facts, sumTexts } from './facts.js';
import { vatTotals } from './presence-groups.js';
import { type Report, type Rule, sentence, termsOf } from './rule.js';
import type { Sentence } from './violation.js';

type Totals = NonNullable<Invoice['totals']>;

const cents = (value: Decimal): Decimal => roundXPath(value, 2);
const money = (value: Decimal): string => formatDecimal(value, 2);
const same = (given: Decimal | undefined, expected: Decimal | undefined): boolean =>
  given !== undefined && expected !== undefined && given.eq(expected);
/** As written in the invoice, so that it can be found there. */
const shown = (text: string | undefined, en: boolean): string => text ?? (en ? 'missing' : 'fehlt');

/** The total and what it is compared with, in words. */
function differs(names: Sentence, given: string | undefined, expected: Sentence, value: Decimal): Sentence {
  return sentence(
    `${names.en} (${shown(given, true)}) is not ${expected.en} (${money(value)}).`,
    `${names.de} (${shown(given, false)}) ist nicht ${expected.de} (${money(value)}).`,
  );
}

const coreRule = (id: string, terms: string, message: Sentence, check: Rule['check']): Rule => ({
  id,
  set: 'en16931',
  severity: 'fatal',
  terms: termsOf(terms),
  message,
  check,
});

/** Sums of the document (EN 16931-1, 6.4.3: BR-CO-10 to BR-CO-17). */
export const totalRules: readonly Rule[] = [
  coreRule(
    'BR-CO-10',
    'BT-106 BT-131',
    sentence('The total of the lines is not their sum.', 'Die Summe der Positionen stimmt nicht.'),
    (facts, report) => {
      const totals = facts.documentTotals;
      if (totals === undefined) return;
      const expected = cents(sumTexts(facts.lines.map(({ netAmount }) => netAmount)));
      if (same(parseDecimal(totals.lines), expected)) return;
      const message = differs(
        sentence('The total of the lines', 'Die Summe der Positionen'),
        totals.lines,
        sentence('the sum of their net amounts', 'die Summe ihrer Nettobeträge'),
        expected,
      );
      report({ at: [totals, 'lines'], value: totals.lines, message });
    },
  ),
  coreRule(
    'BR-CO-11',
    'BT-107 BT-92',
    sentence('The total of the allowances is not their sum.', 'Die Summe der Nachlässe stimmt nicht.'),
    (facts, report) => {
      const totals = facts.documentTotals;
      if (totals !== undefined)
        compareParts(totals, 'allowances', facts.allowances, report, [
          sentence('The total of the allowances', 'Die Summe der Nachlässe'),
          sentence('the sum of the allowances on document level', 'die Summe der Nachlässe auf Dokumentenebene'),
        ]);
    },
  ),
  coreRule(
    'BR-CO-12',
    'BT-108 BT-99',
    sentence('The total of the charges is not their sum.', 'Die Summe der Zuschläge stimmt nicht.'),
    (facts, report) => {
      const totals = facts.documentTotals;
      if (totals !== undefined)
        compareParts(totals, 'charges', [...facts.charges, ...facts.logistics], report, [
          sentence('The total of the charges', 'Die Summe der Zuschläge'),
          sentence('the sum of the charges on document level', 'die Summe der Zuschläge auf Dokumentenebene'),
        ]);
    },
  ),
  coreRule(
    'BR-CO-13',
    'BT-109 BT-131 BT-107 BT-108',
    sentence(
      'The total without VAT is not the total of the lines minus allowances plus charges.',
      'Der Gesamtbetrag ohne Umsatzsteuer ist nicht die Summe der Positionen minus Nachlässe plus Zuschläge.',
    ),
    checkWithoutVat,
  ),
  coreRule(
    'BR-CO-14',
    'BT-110 BT-117',
    sentence(
      'The total of VAT is not the sum of the VAT breakdown.',
      'Der Gesamtbetrag der Umsatzsteuer ist nicht die Summe der Aufschlüsselung.',
    ),
    (facts, report) => (facts.family === 'ubl' ? checkVatUbl(facts, report) : checkVatCii(facts, report)),
  ),
  coreRule(
    'BR-CO-15',
    'BT-112 BT-109 BT-110',
    sentence(
      'The total including VAT is not the total without VAT plus the VAT.',
      'Der Gesamtbetrag mit Umsatzsteuer ist nicht der Betrag ohne Umsatzsteuer plus die Umsatzsteuer.',
    ),
    checkWithVat,
  ),
  coreRule(
    'BR-CO-16',
    'BT-115 BT-112 BT-113 BT-114',
    sentence(
      'The amount due is not the total including VAT minus what is paid plus the rounding.',
      'Der fällige Betrag ist nicht der Gesamtbetrag minus das Gezahlte plus die Rundung.',
    ),
    (facts, report) => checkDue(facts, report),
  ),
  coreRule(
    'BR-CO-17',
    'BT-117 BT-116 BT-119',
    sentence(
      'The VAT of a breakdown is not its taxable amount times its rate.',
      'Die Umsatzsteuer einer Aufschlüsselung ist nicht Bemessungsgrundlage mal Steuersatz.',
    ),
    checkTaxAmounts,
  ),
];

function compareParts(
  totals: Totals,
  key: 'allowances' | 'charges',
  parts: readonly { readonly amount?: string }[],
  report: Report,
  [names, expectedNames]: readonly [Sentence, Sentence],
): void {
  const given = totals[key];
  if (given === undefined && parts.length === 0) return;
  const expected = cents(sumTexts(parts.map(({ amount }) => amount)));
  if (same(parseDecimal(given), expected)) return;
  report({ at: [totals, key], value: given, message: differs(names, given, expectedNames, expected) });
}

/** The number of an optional total: zero if it is absent, undefined if it is no number. */
const optional = (text: string | undefined): Decimal | undefined => (text === undefined ? zero : parseDecimal(text));

function checkWithoutVat({ documentTotals: totals, family }: Facts, report: Report): void {
  if (totals === undefined) return;
  const [lines, allowances, charges] = [
    parseDecimal(totals.lines),
    optional(totals.allowances),
    optional(totals.charges),
  ];
  const known = lines !== undefined && allowances !== undefined && charges !== undefined;
  const exact = known ? lines.minus(allowances).plus(charges) : undefined;
  const nothingAdded = totals.allowances === undefined && totals.charges === undefined;
  const expected = exact === undefined || (family === 'ubl' && nothingAdded) ? exact : cents(exact);
  if (same(parseDecimal(totals.withoutVat), expected)) return;
  const parts = [
    [totals.lines, 'the total of the lines', 'die Summe der Positionen'],
    [totals.allowances, 'minus the allowances', 'minus die Nachlässe'],
    [totals.charges, 'plus the charges', 'plus die Zuschläge'],
  ] as const;
  report({
    at: [totals, 'withoutVat'],
    value: totals.withoutVat,
    message: equation(['The total without VAT', 'Der Gesamtbetrag ohne Umsatzsteuer'], totals.withoutVat, parts),
  });
}

type Part = readonly [value: string | undefined, en: string, de: string];

/** "The total … (119.00) is not the total without VAT (100.00) plus the VAT (19.10)."; absent parts are left out. */
function equation([en, de]: readonly [string, string], given: string | undefined, parts: readonly Part[]): Sentence {
  const there = parts.filter(([value], index) => value !== undefined || index === 0);
  const list = (german: boolean): string =>
    there.map(([value, english, deutsch]) => `${german ? deutsch : english} (${shown(value, !german)})`).join(' ');
  return sentence(
    `${en} (${shown(given, true)}) is not ${list(false)}.`,
    `${de} (${shown(given, false)}) ist nicht ${list(true)}.`,
  );
}

const VAT_TOTAL = sentence('The total of VAT', 'Der Gesamtbetrag der Umsatzsteuer');
const BREAKDOWN_SUM = sentence('the sum of the VAT breakdown', 'die Summe der Umsatzsteueraufschlüsselung');

/** Each VAT total of UBL that has a breakdown. */
function checkVatUbl(facts: Facts, report: Report): void {
  for (const total of facts.elements('cac:TaxTotal')) {
    const subtotals = total.children.filter(({ qname }) => qname === 'cac:TaxSubtotal');
    if (total.parent !== facts.root || subtotals.length === 0) continue;
    const amount = total.child('cbc:TaxAmount');
    const expected = cents(sumTexts(subtotals.map((subtotal) => subtotal.child('cbc:TaxAmount')?.text)));
    if (same(parseDecimal(amount?.text), expected)) continue;
    report({
      at: amount ?? total,
      value: amount?.text,
      message: differs(VAT_TOTAL, amount?.text, BREAKDOWN_SUM, expected),
    });
  }
}

function checkVatCii(facts: Facts, report: Report): void {
  const { currency } = facts.invoice;
  const expected = cents(sumTexts(facts.breakdown.map(({ taxAmount }) => taxAmount)));
  for (const total of vatTotals(facts)) {
    if (total.attributes.get('currencyID') !== currency || same(parseDecimal(total.text), expected)) continue;
    report({ at: total, value: total.text, message: differs(VAT_TOTAL, total.text, BREAKDOWN_SUM, expected) });
  }
}

function checkWithVat(facts: Facts, report: Report): void {
  const { currency, totals } = facts.invoice;
  if (currency === undefined) return;
  const inCurrency = vatTotals(facts).filter(({ attributes }) => attributes.get('currencyID') === currency);
  const [withoutVat, withVat] = [parseDecimal(totals?.withoutVat), parseDecimal(totals?.withVat)];
  // The test for CII accepts an invoice without VAT.
  if (facts.family === 'cii' && same(withVat, withoutVat)) return;
  const at = totals === undefined ? ([facts.invoice] as const) : ([totals, 'withVat'] as const);
  if (inCurrency.length !== 1) {
    const message = sentence(
      `The invoice has ${inCurrency.length} VAT totals in its currency (${currency}); it must have one.`,
      `Die Rechnung hat ${inCurrency.length} Steuerbeträge in ihrer Währung (${currency}); einer muss es sein.`,
    );
    report({ at: inCurrency[1] ?? at, value: inCurrency[1]?.text, message });
    return;
  }
  const vat = parseDecimal(inCurrency[0]?.text);
  const expected = withoutVat === undefined || vat === undefined ? undefined : cents(withoutVat.plus(vat));
  if (same(withVat, expected)) return;
  const parts = [
    [totals?.withoutVat, 'the total without VAT', 'der Gesamtbetrag ohne Umsatzsteuer'],
    [inCurrency[0]?.text, 'plus the VAT', 'plus die Umsatzsteuer'],
  ] as const;
  const names = ['The total including VAT', 'Der Gesamtbetrag mit Umsatzsteuer'] as const;
  report({ at, value: totals?.withVat, message: equation(names, totals?.withVat, parts) });
}

/** BT-115 = BT-112 − BT-113 + BT-114, in the extension of XRechnung also + payments of third parties. */
export function checkDue({ documentTotals: totals, family }: Facts, report: Report, thirdParty?: Decimal): void {
  if (totals === undefined) return;
  const extension = thirdParty !== undefined;
  const [withVat, paid, rounding] = [parseDecimal(totals.withVat), optional(totals.paid), optional(totals.rounding)];
  const due = parseDecimal(totals.due);
  const known = withVat !== undefined && paid !== undefined && rounding !== undefined && due !== undefined;
  if (known) {
    // The test for UBL rounds what it has calculated, and the one for the extension of XRechnung both sides.
    const rounded = (value: Decimal, calculated: boolean): Decimal =>
      family === 'ubl' && (calculated || extension) ? cents(value) : value;
    const left = rounded(due.minus(rounding), totals.rounding !== undefined);
    if (left.eq(rounded(withVat.minus(paid).plus(thirdParty ?? zero), totals.paid !== undefined))) return;
  }
  const third = thirdParty === undefined || thirdParty.eq(0) ? undefined : money(thirdParty);
  const parts = [
    [totals.withVat, 'the total including VAT', 'der Gesamtbetrag mit Umsatzsteuer'],
    [totals.paid, 'minus the amount paid', 'minus der gezahlte Betrag'],
    [totals.rounding, 'plus the rounding', 'plus die Rundung'],
    [third, 'plus the payments of third parties', 'plus die Zahlungen Dritter'],
  ] as const;
  const names = ['The amount due for payment', 'Der fällige Zahlbetrag'] as const;
  report({ at: [totals, 'due'], value: totals.due, message: equation(names, totals.due, parts) });
}

/**
 * The tests accept a difference below 1 (UBL) or of 1 (CII) in the currency of the invoice; to the cent is what the
 * standard says (`strict`).
 */
function checkTaxAmounts(facts: Facts, report: Report): void {
  for (const entry of facts.breakdown) {
    const rateText = facts.rateOfVat(entry);
    const [taxable, tax, rate] = [entry.taxableAmount, entry.taxAmount, rateText].map(parseDecimal);
    const expected = taxable === undefined || rate === undefined ? undefined : cents(percentOf(taxable, rate));
    const strictly = rateText === undefined ? zero : expected;
    if (same(tax, strictly)) continue;
    const message = sentence(
      `The VAT (${shown(entry.taxAmount, true)}) is not ${rateText ?? 0} % of ${shown(entry.taxableAmount, true)}.`,
      `Die Umsatzsteuer (${shown(entry.taxAmount, false)}) ist nicht ${rateText ?? 0} % von ${shown(entry.taxableAmount, false)}.`,
    );
    const strict = facts.isUnseen(entry) || isNear(rateText, { tax, taxable, rate }, facts);
    report({ at: [entry, 'taxAmount'], value: entry.taxAmount, message, strict });
  }
}

interface Taxed {
  readonly tax: Decimal | undefined;
  readonly taxable: Decimal | undefined;
  readonly rate: Decimal | undefined;
}

function isNear(rateText: string | undefined, { tax, taxable, rate }: Taxed, { family }: Facts): boolean {
  if (tax === undefined) return false;
  if (rateText === undefined || (rate !== undefined && roundXPath(rate, 0).eq(0))) return roundXPath(tax, 0).eq(0);
  if (rate === undefined || taxable === undefined) return false;
  return withinOne(tax, cents(percentOf(taxable.abs(), rate)), family === 'cii');
}

/** Whether the amounts differ by less than 1, whatever the sign of the first; `inclusive`: by 1 at most. */
export function withinOne(amount: Decimal, expected: Decimal, inclusive = false): boolean {
  const difference = amount.abs().minus(expected).abs();
  return inclusive ? difference.lte(1) : difference.lt(1);
}
