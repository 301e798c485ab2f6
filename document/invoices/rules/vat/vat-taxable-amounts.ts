import { type Decimal, formatDecimal, parseDecimal, roundXPath } from '../../amounts/index.js';
import { type Facts, NO_USES, type Uses } from '../facts.js';
import { type Rule, sentence, termsOf } from '../rule.js';
import type { VatCategory } from './vat-categories.js';

type Entry = Uses['breakdown'][number];

/** 08: the taxable amount of a breakdown is what its lines, allowances and charges add up to. */
export function breakdownSumRule(category: VatCategory): Rule {
  const { family, code, name, taxed } = category;
  const terms = taxed
    ? 'BT-119 BT-118 BT-116 BG-23 BT-131 BT-99 BT-92 BT-151 BT-102 BT-95 BT-152 BT-103 BT-96'
    : 'BG-23 BT-118 BT-116 BT-131 BT-92 BT-99 BT-151 BT-95 BT-102';
  return {
    id: `BR-${family}-08`,
    set: 'en16931',
    severity: 'fatal',
    terms: termsOf(terms),
    message: sentence(
      `The taxable amount of category ${name.en} is not what its lines minus allowances plus charges add up to.`,
      `Die Bemessungsgrundlage der Kategorie ${name.de} ist nicht die Summe ihrer Positionen minus Nachlässe plus Zuschläge.`,
    ),
    check: (facts, report) => {
      for (const entry of facts.breakdownOf(code)) {
        const rate = parseDecimal(entry.rate);
        const expected = facts.sumOf(code, taxed ? rate : undefined);
        const given = parseDecimal(entry.taxableAmount);
        const accepted = acceptance(category, facts, { entry, rate, given, expected });
        const holds = given?.eq(expected) === true && (!taxed || rate !== undefined);
        if (accepted && holds) continue;
        // A breakdown without a rate is the matter of BR-48.
        if (accepted && taxed && rate === undefined) continue;
        report({
          at: [entry, 'taxableAmount'],
          value: entry.taxableAmount,
          message: mismatch(category, entry, expected),
          strict: accepted,
        });
      }
    },
  };
}

function mismatch({ name, taxed }: VatCategory, { taxableAmount, rate }: Entry, expected: Decimal) {
  const at = taxed && rate !== undefined ? ` ${rate} %` : '';
  const sum = formatDecimal(expected, 2);
  return sentence(
    `The taxable amount of category ${name.en}${at} (${taxableAmount ?? 'missing'}) is not the sum of its lines minus ` +
      `allowances plus charges (${sum}).`,
    `Die Bemessungsgrundlage der Kategorie ${name.de}${at} (${taxableAmount ?? 'fehlt'}) ist nicht die Summe ihrer ` +
      `Positionen minus Nachlässe plus Zuschläge (${sum}).`,
  );
}

interface Compared {
  readonly entry: Entry;
  readonly rate: Decimal | undefined;
  readonly given: Decimal | undefined;
  readonly expected: Decimal;
}

/** What the published tests accept: they differ by syntax and by category. */
function acceptance(category: VatCategory, facts: Facts, { entry, rate, given, expected }: Compared): boolean {
  const { family, taxed } = category;
  if (facts.family === 'cii') {
    if (taxed && (family !== 'S' || entry.rate === undefined)) return true;
    if (given === undefined) return false;
    return taxed || family === 'O' ? given.eq(roundXPath(expected, 2)) : near(given, roundXPath(expected, 2));
  }
  if (taxed && entry.rate === undefined) return true;
  if (given === undefined || facts.lines.length === 0) return false;
  if (!taxed) return given.eq(expected);
  return near(given, expected) && (family !== 'S' || (rate !== undefined && isUsed(category, facts, rate)));
}

const near = (given: Decimal, expected: Decimal): boolean => given.minus(expected).abs().lt(1);

/** Whether a line, allowance or charge has the category at this rate. */
function isUsed({ code }: VatCategory, facts: Facts, rate: Decimal): boolean {
  const { lines, allowances, charges } = facts.usesOfAnyTax.get(code) ?? NO_USES;
  const has = (text: string | undefined): boolean => parseDecimal(text)?.eq(rate) === true;
  return lines.some(({ vat }) => has(vat?.rate)) || [...allowances, ...charges].some(({ vatRate }) => has(vatRate));
}
