import { parseDecimal, percentOf, roundXPath } from '../../amounts/index.js';
import { type Facts, NO_USES, type Uses } from '../facts.js';
import { type At, type Report, type Rule, sentence, termsOf } from '../rule.js';
import { withinOne } from '../totals.js';
import { sellerAndBuyer } from './vat-parties.js';
import { type VatCategory, vatCategories } from './vat-categories.js';
import { breakdownSumRule } from './vat-taxable-amounts.js';
import type { Sentence } from '../violation.js';

/** Where categories are used, with the terms that the rules name. */
const PLACES = [
  { of: (uses: Uses) => uses.lines, group: 'BG-25', category: 'BT-151', rate: 'BT-152', en: 'line', de: 'Position' },
  {
    of: (uses: Uses) => uses.allowances,
    group: 'BG-20',
    category: 'BT-95',
    rate: 'BT-96',
    en: 'allowance on document level',
    de: 'Nachlass auf Dokumentenebene',
  },
  {
    of: (uses: Uses) => uses.charges,
    group: 'BG-21',
    category: 'BT-102',
    rate: 'BT-103',
    en: 'charge on document level',
    de: 'Zuschlag auf Dokumentenebene',
  },
] as const;

const RATES: Readonly<Record<VatCategory['rate'], Sentence>> = {
  '0': { en: '0', de: '0 sein' },
  '> 0': { en: 'above 0', de: 'größer als 0 sein' },
  '>= 0': { en: '0 or more', de: '0 oder mehr sein' },
  '> 0 in CII': { en: '0 or more (in CII above 0)', de: '0 oder mehr sein (in CII größer als 0)' },
  absent: { en: 'absent', de: 'fehlen' },
};

/** `BR-S-01` to `BR-S-10` and the like for all categories (EN 16931-1, 6.4.4). */
export const vatFamilyRules: readonly Rule[] = vatCategories.flatMap((category) => [
  entriesRule(category),
  ...PLACES.map((place, index) => partiesRule(category, place, `0${index + 2}`)),
  ...PLACES.map((place, index) => rateRule(category, place, `0${index + 5}`)),
  breakdownSumRule(category),
  taxRule(category),
  exemptionRule(category),
]);

function rule({ family }: VatCategory, number: string, terms: string, message: Sentence, check: Rule['check']): Rule {
  return { id: `BR-${family}-${number}`, set: 'en16931', severity: 'fatal', terms: termsOf(terms), message, check };
}

/** 01: the breakdown has an entry for each category that is used. */
function entriesRule(category: VatCategory): Rule {
  const { name, code, entries } = category;
  const count =
    entries === 'exactly one' ? ['exactly one entry', 'genau einen Eintrag'] : ['an entry', 'einen Eintrag'];
  const message = sentence(
    `Category ${name.en} is used, so the VAT breakdown must have ${count[0]} for it; or it has an entry that nothing uses.`,
    `Die Kategorie ${name.de} kommt vor; die Umsatzsteueraufschlüsselung muss dafür ${count[1]} haben, oder ein Eintrag gehört zu nichts.`,
  );
  return rule(category, '01', 'BG-25 BG-20 BG-21 BT-151 BT-95 BT-102 BG-23 BT-118', message, (facts, report) => {
    const anyTax = facts.family === 'cii' || code === 'S';
    const uses = (anyTax ? facts.usesOfAnyTax.get(code) : facts.usesOf(code)) ?? NO_USES;
    const used = uses.lines.length + uses.allowances.length + uses.charges.length;
    const inBreakdown = uses.breakdown.length;
    if (used === 0 && inBreakdown === 0) return;
    const found = entries === 'exactly one' ? inBreakdown === 1 : inBreakdown > 0;
    const holds = used === 0 ? false : found;
    const accepted = facts.family === 'ubl' ? acceptedInUbl(category, uses, used) : acceptedInCii(category, uses, used);
    if (holds && accepted) return;
    // An entry that nothing uses: what the standard says begins with a use.
    if (accepted && used === 0) return;
    report({ at: firstUse(uses), value: code, strict: accepted });
  });
}

function acceptedInUbl({ entries }: VatCategory, { breakdown }: Uses, used: number): boolean {
  return entries === 'exactly one' ? breakdown.length === 1 : used > 0 && breakdown.length > 0;
}

/** The tests for CII count lines and entries together, so that two lines stand for the entry that is missing. */
function acceptedInCii({ entries, family }: VatCategory, uses: Uses, used: number): boolean {
  const inBreakdown = uses.breakdown.length;
  if (entries === 'exactly one') return family === 'O' && inBreakdown === 0 ? true : inBreakdown === 1 && used > 0;
  const parts = uses.allowances.length + uses.charges.length;
  return (uses.lines.length === 0 || uses.lines.length + inBreakdown >= 2) && (parts === 0 || parts + inBreakdown >= 2);
}

function firstUse({ lines, allowances, charges, breakdown }: Uses): At {
  const [line] = lines;
  if (line !== undefined) return line.vat === undefined ? [line] : [line.vat, 'category'];
  const part = allowances[0] ?? charges[0];
  if (part !== undefined) return [part, 'vatCategory'];
  const [entry] = breakdown;
  return entry === undefined ? [{}] : [entry, 'category'];
}

/** 02 to 04: the parties are identified as the category demands. Reported once, at the first place. */
function partiesRule(category: VatCategory, place: (typeof PLACES)[number], number: string): Rule {
  const { name, code, identified } = category;
  const demand = sellerAndBuyer[identified];
  const message = sentence(
    `Category ${name.en} is used in a ${place.en}: ${demand.message.en}`,
    `Die Kategorie ${name.de} kommt vor (${place.de}): ${demand.message.de}`,
  );
  return rule(category, number, `${place.group} ${place.category} ${demand.terms}`, message, (facts, report) => {
    const marked = place.of(facts.usesOf(code));
    const [first] = anyTaxIn(category, place, facts) ? place.of(facts.usesOfAnyTax.get(code) ?? NO_USES) : marked;
    if (first === undefined || (marked.length > 0 && demand.holds(facts))) return;
    report({ at: categoryIn(first), value: code });
  });
}

/** The test of BR-S-02 for UBL demands that the lines of category S are marked as VAT. */
function anyTaxIn({ code }: VatCategory, place: (typeof PLACES)[number], { family }: Facts): boolean {
  return family === 'ubl' && code === 'S' && place.group === 'BG-25';
}

function categoryIn(group: Uses['lines'][number] | Uses['allowances'][number] | Uses['charges'][number]): At {
  if ('vatCategory' in group) return [group, 'vatCategory'];
  return 'vat' in group && group.vat !== undefined ? [group.vat, 'category'] : [group];
}

/** 05 to 07: the rate that the category demands. */
function rateRule(category: VatCategory, place: (typeof PLACES)[number], number: string): Rule {
  const { name, code } = category;
  const wanted = RATES[category.rate];
  const message = sentence(
    `The VAT rate of a ${place.en} of category ${name.en} must be ${wanted.en}.`,
    `Der Steuersatz (${place.de}, Kategorie ${name.de}) muss ${wanted.de}.`,
  );
  return rule(category, number, `${place.group} ${place.category} ${place.rate}`, message, (facts, report) => {
    for (const group of place.of(facts.usesOf(code))) {
      const [holder, key] = rateIn(group);
      const rate = (holder as Readonly<Record<string, string | undefined>>)[key];
      if (accepts(category, rate, facts)) continue;
      // The tests for UBL do not look at the sub lines of the extension of XRechnung.
      const strict = facts.family === 'ubl' && facts.isSubLine(group);
      report({ at: [holder, key], value: rate, message: facts.inLine(group, message), strict });
    }
  });
}

function rateIn(group: object): readonly [object, 'rate' | 'vatRate'] {
  const { vat } = group as { vat?: object };
  return vat === undefined ? [group, 'vatRate'] : [vat, 'rate'];
}

function accepts({ rate: wanted }: VatCategory, text: string | undefined, { family }: Facts): boolean {
  if (wanted === 'absent') return text === undefined;
  const rate = parseDecimal(text);
  if (rate === undefined) return false;
  if (wanted === '0') return rate.eq(0);
  const positive = wanted === '> 0' || (wanted === '> 0 in CII' && family === 'cii');
  return positive ? rate.gt(0) : rate.gte(0);
}

/** 09: the tax of the breakdown. */
function taxRule(category: VatCategory): Rule {
  const { name, code, taxed } = category;
  const message = taxed
    ? sentence(
        `The VAT of the breakdown of category ${name.en} is not its taxable amount times its rate.`,
        `Die Umsatzsteuer der Aufschlüsselung der Kategorie ${name.de} ist nicht Bemessungsgrundlage mal Steuersatz.`,
      )
    : sentence(
        `The VAT of the breakdown of category ${name.en} must be 0.`,
        `Die Umsatzsteuer der Aufschlüsselung der Kategorie ${name.de} muss 0 sein.`,
      );
  const terms = taxed ? 'BT-117 BG-23 BT-118 BT-116 BT-119' : 'BT-117 BG-23 BT-118';
  return rule(category, '09', terms, message, (facts, report) => {
    for (const entry of facts.breakdownOf(code)) {
      if (taxed) checkTax(category, entry, facts, report);
      else if (parseDecimal(entry.taxAmount)?.eq(0) !== true)
        report({ at: [entry, 'taxAmount'], value: entry.taxAmount });
    }
  });
}

function checkTax({ family, name }: VatCategory, entry: Uses['breakdown'][number], facts: Facts, report: Report): void {
  const [tax, taxable, rate] = [entry.taxAmount, entry.taxableAmount, entry.rate].map(parseDecimal);
  const known = tax !== undefined && taxable !== undefined && rate !== undefined;
  if (known && tax.eq(roundXPath(percentOf(taxable, rate), 2))) return;
  const near = known && withinOne(tax, roundXPath(percentOf(taxable.abs(), rate), 2));
  const alwaysTrue = facts.family === 'cii' && family !== 'S';
  const message = sentence(
    `The VAT of category ${name.en} (${entry.taxAmount ?? 'missing'}) is not ${entry.rate ?? 'the rate in'} % ` +
      `of the taxable amount (${entry.taxableAmount ?? 'missing'}).`,
    `Die Umsatzsteuer der Kategorie ${name.de} (${entry.taxAmount ?? 'fehlt'}) ist nicht ${entry.rate ?? 'der Satz in'} % ` +
      `der Bemessungsgrundlage (${entry.taxableAmount ?? 'fehlt'}).`,
  );
  report({ at: [entry, 'taxAmount'], value: entry.taxAmount, message, strict: near || alwaysTrue });
}

/** 10: whether the breakdown says why there is no VAT. */
function exemptionRule(category: VatCategory): Rule {
  const { name, code, exemptionReason } = category;
  const message = exemptionReason
    ? sentence(
        `The breakdown of category ${name.en} must say why there is no VAT: as text or as code.`,
        `Die Aufschlüsselung der Kategorie ${name.de} muss sagen, warum keine Umsatzsteuer anfällt: als Text oder Code.`,
      )
    : sentence(
        `The breakdown of category ${name.en} may not give a reason for an exemption.`,
        `Die Aufschlüsselung der Kategorie ${name.de} darf keinen Befreiungsgrund nennen.`,
      );
  return rule(category, '10', 'BG-23 BT-118 BT-121 BT-120', message, (facts, report) => {
    for (const entry of facts.breakdownOf(code)) {
      const reason = entry.exemptionReason ?? entry.exemptionReasonCode;
      if ((reason !== undefined) === exemptionReason) continue;
      const key = entry.exemptionReason === undefined ? 'exemptionReasonCode' : 'exemptionReason';
      report({ at: [entry, key], value: reason });
    }
  });
}
