import { decimalPlaces } from '../amounts/index.js';
import type { Facts } from './facts.js';
import { type Rule, sentence } from './rule.js';

type Groups = (facts: Facts) => readonly object[];

const lineAllowances: Groups = ({ lines }) => lines.flatMap(({ allowances }) => allowances ?? []);
const lineCharges: Groups = ({ lines }) => lines.flatMap(({ charges }) => charges ?? []);
const totals: Groups = ({ documentTotals }) => (documentTotals === undefined ? [] : [documentTotals]);
const vatTotals: Groups = ({ invoice }) => (invoice.totals === undefined ? [] : [invoice.totals]);

/** Number of the rule, term, group and key of each amount that may have two decimal places (EN 16931-1, 6.5.2). */
const AMOUNTS: readonly (readonly [number: string, term: string, groups: Groups, key: string])[] = [
  ['01', 'BT-92', ({ allowances }) => allowances, 'amount'],
  ['02', 'BT-93', ({ allowances }) => allowances, 'baseAmount'],
  ['05', 'BT-99', ({ charges }) => charges, 'amount'],
  ['06', 'BT-100', ({ charges }) => charges, 'baseAmount'],
  ['09', 'BT-106', totals, 'lines'],
  ['10', 'BT-107', totals, 'allowances'],
  ['11', 'BT-108', totals, 'charges'],
  ['12', 'BT-109', totals, 'withoutVat'],
  ['13', 'BT-110', vatTotals, 'vat'],
  ['14', 'BT-112', totals, 'withVat'],
  ['15', 'BT-111', vatTotals, 'vatInAccountingCurrency'],
  ['16', 'BT-113', totals, 'paid'],
  ['17', 'BT-114', totals, 'rounding'],
  ['18', 'BT-115', totals, 'due'],
  ['19', 'BT-116', ({ breakdown }) => breakdown, 'taxableAmount'],
  ['20', 'BT-117', ({ breakdown }) => breakdown, 'taxAmount'],
  ['23', 'BT-131', ({ lines }) => lines, 'netAmount'],
  ['24', 'BT-136', lineAllowances, 'amount'],
  ['25', 'BT-137', lineAllowances, 'baseAmount'],
  ['27', 'BT-141', lineCharges, 'amount'],
  ['28', 'BT-142', lineCharges, 'baseAmount'],
];

/** BR-DEC-01 to BR-DEC-28. */
export const decimalRules: readonly Rule[] = AMOUNTS.map(([number, term, groups, key]) => ({
  id: `BR-DEC-${number}`,
  set: 'en16931',
  severity: 'fatal',
  terms: [term],
  message: sentence(
    `An amount (${term}) has more than two decimal places.`,
    `Ein Betrag (${term}) hat mehr als zwei Nachkommastellen.`,
  ),
  check: (facts, report) => {
    for (const group of groups(facts)) {
      const value = (group as Readonly<Record<string, unknown>>)[key];
      if (typeof value !== 'string' || decimalPlaces(value) <= 2) continue;
      const message = sentence(
        `The amount ${value} (${term}) has more than two decimal places.`,
        `Der Betrag ${value} (${term}) hat mehr als zwei Nachkommastellen.`,
      );
      report({ at: [group, key], value, message: facts.inLine(group, message) });
    }
  },
}));
