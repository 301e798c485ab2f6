import { type Decimal, decimal, parseDecimal, percentOf, roundXPath } from '../../amounts/index.js';
import type { XmlElement } from '../../syntaxes/index.js';
import type { Facts } from '../facts.js';
import { type Report, type Rule, sentence, termsOf } from '../rule.js';
import { all, texts } from '../syntax/select.js';
import { linesOf, lineText, totalsOf } from './line-tree.js';

const CENT = decimal('0.01');
const TOTALS = 'ram:SpecifiedTradeSettlementHeaderMonetarySummation';

/** A sum may differ by a cent for each amount that was added, since each may have been rounded. */
const isWithin = (found: Decimal, expected: Decimal, count: number): boolean =>
  found.minus(expected).abs().lte(CENT.times(count));

interface Expected {
  readonly amount: Decimal;
  /** Amounts that may have been rounded. */
  readonly count: number;
}

interface TotalRule {
  readonly id: string;
  readonly terms: string;
  readonly element: string;
  readonly en: string;
  readonly de: string;
  /** Undefined: the amount need not be there. */
  readonly expected: (facts: Facts, totals: XmlElement) => Expected | undefined;
}

const TOTAL_RULES: readonly TotalRule[] = [
  {
    id: 'BR-FXEXT-CO-10',
    terms: 'BT-106 BT-131 BT-X-8',
    element: 'ram:LineTotalAmount',
    en: 'The sum of the lines (BT-106)',
    de: 'Die Summe der Positionen (BT-106)',
    expected: (facts) => ({
      amount: roundXPath(totalsOf(facts).of('lines').amount, 2),
      count: linesOf(facts).length,
    }),
  },
  {
    id: 'BR-FXEXT-CO-11',
    terms: 'BT-107 BT-92',
    element: 'ram:AllowanceTotalAmount',
    en: 'The sum of the allowances (BT-107)',
    de: 'Die Summe der Nachlässe (BT-107)',
    expected: (facts, { children }) => {
      const { amount, count } = totalsOf(facts).of('allowances');
      const isAbsent = !children.some(({ qname }) => qname === 'ram:AllowanceTotalAmount');
      return count === 0 && isAbsent ? undefined : { amount: roundXPath(amount, 2), count };
    },
  },
  {
    id: 'BR-FXEXT-CO-12',
    terms: 'BT-108 BT-99 BT-X-272',
    element: 'ram:ChargeTotalAmount',
    en: 'The sum of the charges (BT-108)',
    de: 'Die Summe der Zuschläge (BT-108)',
    expected: (facts, { children }) => {
      const charges = totalsOf(facts).of('charges');
      const logistics = totalsOf(facts).of('logistics');
      const isAbsent = !children.some(({ qname }) => qname === 'ram:ChargeTotalAmount');
      if (charges.count === 0 && isAbsent) return undefined;
      return {
        amount: roundXPath(charges.amount, 2).plus(roundXPath(logistics.amount, 2)),
        count: charges.count + logistics.count,
      };
    },
  },
  {
    id: 'BR-FXEXT-CO-13',
    terms: 'BT-109 BT-131 BT-92 BT-99 BT-X-272',
    element: 'ram:TaxBasisTotalAmount',
    en: 'The total without VAT (BT-109)',
    de: 'Die Summe ohne Umsatzsteuer (BT-109)',
    expected: (facts) => totalsOf(facts).taxable(),
  },
];

const totalRule = ({ id, terms, element, en, de, expected }: TotalRule): Rule =>
  rule(id, terms, `${en} does not match its parts.`, `${de} passt nicht zu ihren Teilen.`, (facts, report) => {
    for (const totals of facts.elements(TOTALS)) {
      const wanted = expected(facts, totals);
      if (wanted === undefined) continue;
      const found = parseDecimal(totals.child(element)?.text);
      if (found !== undefined && isWithin(found, wanted.amount, wanted.count)) continue;
      reportAmount(report, totals.child(element) ?? totals, { en, de }, wanted);
    }
  });

function reportAmount(report: Report, at: XmlElement, name: { en: string; de: string }, wanted: Expected): void {
  const most = CENT.times(wanted.count).toFixed(2);
  const amount = wanted.amount.toFixed(2);
  report({
    at,
    value: at.children.length === 0 ? at.text : undefined,
    message: sentence(
      `${name.en} must be ${amount}, give or take ${most}.`,
      `${name.de} muss ${amount} sein, bis auf ${most}.`,
    ),
  });
}

/** BT-112 is BT-109 with BT-110, which must be there once in the currency of the invoice unless there is no VAT. */
function checkGrandTotal(facts: Facts, report: Report): void {
  const { count } = totalsOf(facts).taxable();
  for (const totals of facts.elements(TOTALS)) {
    const vat = totals.children.filter(
      ({ qname, attributes }) =>
        qname === 'ram:TaxTotalAmount' && attributes.get('currencyID') === facts.currencies.currency,
    );
    const [net, tax, gross] = [
      totals.child('ram:TaxBasisTotalAmount'),
      vat[0],
      totals.child('ram:GrandTotalAmount'),
    ].map((element) => parseDecimal(element?.text));
    if (net === undefined || tax === undefined || gross === undefined) report({ at: totals });
    else if (vat.length === 1 && !isWithin(gross, net.plus(tax), count))
      reportAmount(
        report,
        totals.child('ram:GrandTotalAmount') ?? totals,
        { en: 'The total with VAT (BT-112)', de: 'Die Summe mit Umsatzsteuer (BT-112)' },
        { amount: net.plus(tax), count },
      );
  }
}

/** The categories of VAT whose taxable amounts are compared, with the part of the rule's name. */
const CATEGORIES: readonly (readonly [category: string, name: string])[] = [
  ['Z', 'Z'],
  ['E', 'E'],
  ['AE', 'AE'],
  ['K', 'IC'],
  ['G', 'G'],
  ['O', 'O'],
  ['L', 'AF'],
  ['M', 'AG'],
];

const breakdown = (facts: Facts, category: string): readonly XmlElement[] =>
  all(facts.root, 'rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeSettlement/ram:ApplicableTradeTax').filter(
    (tax) => texts(tax, 'ram:CategoryCode').includes(category),
  );

const BASIS = { en: 'The taxable amount (BT-116)', de: 'Der Steuerbasisbetrag (BT-116)' };

function checkBasis(facts: Facts, report: Report, category: string, byRate: boolean): void {
  for (const tax of breakdown(facts, category)) {
    const rate = parseDecimal(tax.child('ram:RateApplicablePercent')?.text);
    if (byRate && rate === undefined) continue;
    const wanted = totalsOf(facts).taxable(category, byRate ? rate : undefined);
    const found = parseDecimal(tax.child('ram:BasisAmount')?.text);
    if (found === undefined || !isWithin(found, wanted.amount, wanted.count))
      reportAmount(report, tax.child('ram:BasisAmount') ?? tax, BASIS, wanted);
  }
}

function checkTax(facts: Facts, report: Report): void {
  const { count } = totalsOf(facts).taxable();
  for (const tax of breakdown(facts, 'S')) {
    const [basis, rate, found] = ['ram:BasisAmount', 'ram:RateApplicablePercent', 'ram:CalculatedAmount'].map((name) =>
      parseDecimal(lineText(tax, name)),
    );
    const amount = basis === undefined || rate === undefined ? undefined : roundXPath(percentOf(basis, rate), 2);
    if (amount === undefined) report({ at: tax });
    else if (found === undefined || !isWithin(found, amount, count))
      reportAmount(
        report,
        tax.child('ram:CalculatedAmount') ?? tax,
        { en: 'The tax amount (BT-117)', de: 'Der Steuerbetrag (BT-117)' },
        { amount, count },
      );
  }
}

const BASIS_TERMS = 'BT-116 BT-131 BT-92 BT-99 BT-X-272';

/** Sums of EXTENDED, in place of those of EN 16931: subtotals do not count, and each amount may have been rounded. */
export const extendedSumRules: readonly Rule[] = [
  ...TOTAL_RULES.map(totalRule),
  rule(
    'BR-FXEXT-CO-15',
    'BT-109 BT-110 BT-112',
    'The totals without VAT (BT-109), of VAT (BT-110) and with VAT (BT-112) are not all there.',
    'Nicht alle Summen sind da: ohne Umsatzsteuer (BT-109), die Umsatzsteuer (BT-110), mit Umsatzsteuer (BT-112).',
    checkGrandTotal,
  ),
  ...[['S', 'S'] as const, ...CATEGORIES].map(([category, name]) =>
    rule(
      `BR-FXEXT-${name}-08`,
      BASIS_TERMS,
      `The taxable amount of the category ${category} does not match its parts.`,
      `Der Steuerbasisbetrag der Kategorie ${category} passt nicht zu seinen Teilen.`,
      (facts, report) => checkBasis(facts, report, category, category === 'S'),
    ),
  ),
  rule(
    'BR-FXEXT-S-09',
    'BT-116 BT-117 BT-119',
    'The tax amount does not match taxable amount and rate.',
    'Der Steuerbetrag passt nicht zu Basisbetrag und Satz.',
    checkTax,
  ),
];

function rule(id: string, terms: string, en: string, de: string, check: Rule['check']): Rule {
  return {
    id,
    set: 'factur-x-extended',
    severity: 'fatal',
    family: 'cii',
    terms: termsOf(terms),
    message: sentence(en, de),
    check,
  };
}
