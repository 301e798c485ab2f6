import type { XmlElement } from '../../syntaxes/index.js';
import type { Facts, Uses } from '../facts.js';
import { type At, filled, type Report, type Rule, sentence, termsOf } from '../rule.js';

const SCOPE = sentence('O (outside the scope of VAT)', 'O (nicht steuerbar)');

/** What may not occur beside a category, and what an intra-community supply needs (EN 16931-1, 6.4.4). */
export const vatExclusionRules: readonly Rule[] = [
  alone('BR-O-11', 'BG-23 BT-118', 'VAT breakdown', 'Umsatzsteueraufschlüsselung', ({ breakdown, lines }, { family }) =>
    family === 'cii' ? [...breakdown, ...lines] : breakdown,
  ),
  alone('BR-O-12', 'BG-23 BT-118 BG-25 BT-151', 'line', 'Position', ({ breakdown, lines }, { family }) =>
    family === 'cii' ? [...lines, ...breakdown] : lines,
  ),
  alone('BR-O-13', 'BG-23 BT-118 BG-20 BT-95', 'allowance', 'Nachlass', ({ allowances, charges }, { family }) =>
    family === 'cii' ? [...allowances, ...charges] : allowances,
  ),
  alone('BR-O-14', 'BG-23 BT-118 BG-21 BT-102', 'charge', 'Zuschlag', ({ allowances, charges }, { family }) =>
    family === 'cii' ? [...charges, ...allowances] : charges,
  ),
  {
    id: 'BR-IC-11',
    set: 'en16931',
    severity: 'fatal',
    terms: termsOf('BG-23 BT-118 BT-72 BG-14'),
    message: sentence(
      'An intra-community supply (category K) needs the date of delivery or the invoicing period.',
      'Eine innergemeinschaftliche Lieferung (Kategorie K) braucht das Lieferdatum oder den Abrechnungszeitraum.',
    ),
    check: (facts, report) => {
      const { delivery } = facts.invoice;
      const date = facts.family === 'ubl' ? (delivery?.date?.length ?? 0) > 1 : delivery?.date !== undefined;
      if (!date && !hasPeriod(facts)) reportSupply(facts, report);
    },
  },
  {
    id: 'BR-IC-12',
    set: 'en16931',
    severity: 'fatal',
    terms: termsOf('BG-23 BT-118 BT-80'),
    message: sentence(
      'An intra-community supply (category K) needs the country of delivery.',
      'Eine innergemeinschaftliche Lieferung (Kategorie K) braucht das Land der Lieferung.',
    ),
    check: (facts, report) => {
      const country = facts.invoice.delivery?.address?.country;
      const given = facts.family === 'ubl' ? (country?.length ?? 0) > 1 : country !== undefined;
      if (!given) reportSupply(facts, report);
    },
  },
  {
    id: 'BR-B-01',
    set: 'en16931',
    severity: 'fatal',
    terms: termsOf('BT-151 BT-95 BT-102'),
    message: sentence(
      'Category B (split payment) may only be used in invoices inside Italy.',
      'Die Kategorie B (geteilte Zahlung) ist nur in Rechnungen innerhalb Italiens erlaubt.',
    ),
    check: (facts, report) => {
      if (!facts.uses.has('B')) return;
      const countries = facts.elements(facts.family === 'ubl' ? 'cbc:IdentificationCode' : 'ram:CountryID');
      const foreign = countries.find(({ text }) => text !== 'IT');
      if (foreign !== undefined) report({ at: foreign, value: foreign.text });
    },
  },
  {
    id: 'BR-B-02',
    set: 'en16931',
    severity: 'fatal',
    terms: termsOf('BG-25 BG-20 BG-21 BT-151 BT-95 BT-118 BT-102'),
    message: sentence(
      'The categories B (split payment) and S (standard rate) may not be used in one invoice.',
      'Die Kategorien B (geteilte Zahlung) und S (Regelsteuersatz) dürfen nicht in einer Rechnung stehen.',
    ),
    check: (facts, report) => {
      if (facts.uses.has('B') && facts.uses.has('S')) report({ at: [facts.invoice] });
    },
  },
];

type Part = Uses[keyof Uses][number];

/** A breakdown of category O stands alone. The tests for CII look at more than their rules name. */
function alone(
  id: string,
  terms: string,
  en: string,
  de: string,
  parts: (uses: Uses, facts: Facts) => readonly Part[],
): Rule {
  const message = sentence(
    `Beside a VAT breakdown of category ${SCOPE.en} there may be no other category (${en}).`,
    `Neben einer Umsatzsteueraufschlüsselung der Kategorie ${SCOPE.de} darf es keine andere Kategorie geben (${de}).`,
  );
  return {
    id,
    set: 'en16931',
    severity: 'fatal',
    terms: termsOf(terms),
    message,
    check: (facts, report) => {
      if (facts.usesOf('O').breakdown.length === 0) return;
      for (const [code, uses] of facts.family === 'cii' ? facts.usesOfAnyTax : facts.uses) {
        if (code === 'O') continue;
        const [other] = parts(uses, facts);
        if (other !== undefined) report({ at: categoryOf(other), value: code });
      }
      const nameless = id === 'BR-O-12' ? lineWithoutCategory(facts) : undefined;
      if (nameless !== undefined) report({ at: nameless });
    },
  };
}

/** The test for UBL counts a line whose VAT category has no code among the other categories. */
function lineWithoutCategory(facts: Facts): XmlElement | undefined {
  return facts.elements('cac:ClassifiedTaxCategory').find((category) => {
    const tax = category.child('cac:TaxScheme')?.child('cbc:ID')?.text.toUpperCase();
    return tax === 'VAT' && (category.child('cbc:ID')?.text ?? '') === '';
  });
}

function categoryOf(part: Part): At {
  if ('vatCategory' in part) return [part, 'vatCategory'];
  if ('vat' in part && part.vat !== undefined) return [part.vat, 'category'];
  return [part, 'category'];
}

function hasPeriod(facts: Facts): boolean {
  const period = facts.invoice.delivery?.invoicingPeriod;
  if (facts.family === 'cii') return period?.start !== undefined || period?.end !== undefined;
  return facts
    .elements('cac:InvoicePeriod')
    .some(({ parent, children }) => parent === facts.root && children.length > 0);
}

function reportSupply(facts: Facts, report: Report): void {
  const [entry] = facts.usesOf('K').breakdown;
  if (entry !== undefined && filled(entry.category)) report({ at: [entry, 'category'], value: 'K' });
}
