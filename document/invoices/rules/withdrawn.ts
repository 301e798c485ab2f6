import { parseDecimal } from '../amounts/index.js';
import { type Rule, sentence, termsOf } from './rule.js';

/** Rules that earlier tests had: they run only if the rules of an earlier day are asked for. */
export const withdrawnRules: readonly Rule[] = [
  {
    id: 'BR-CO-25',
    set: 'en16931',
    severity: 'fatal',
    // In 1.3.15, no longer in 1.3.16; the day is that on which the packages with 1.3.16 were made.
    until: '2026-06-09',
    terms: termsOf('BT-115 BT-9 BT-20'),
    message: sentence(
      'An amount is due, but neither a due date nor payment terms are given.',
      'Ein Betrag ist fällig, aber weder Fälligkeit noch Zahlungsbedingungen sind genannt.',
    ),
    check: ({ invoice: { totals, dueDate, paymentTerms }, read }, report) => {
      if (read.syntax === 'ubl-creditnote' || totals === undefined) return;
      const due = parseDecimal(totals.due);
      if (due?.gt(0) === true && dueDate === undefined && paymentTerms === undefined)
        report({ at: [totals, 'due'], value: totals.due });
    },
  },
];
