import { isDate } from '../dates.js';
import type { Facts } from '../facts.js';
import type { Rule } from '../rule.js';

/** The day from which Factur-X 1.0.8 (ZUGFeRD 2.4) counts. */
export const FACTUR_X_SINCE = '2026-01-15';

/**
 * Whether the present version of Factur-X counts for the invoice: on the day that was asked for, or when it was issued.
 * All versions have the same specification identifier.
 */
export function isPresentFacturX({ day, invoice: { issueDate } }: Facts): boolean {
  const counts = day ?? issueDate;
  return counts === undefined || !isDate(counts) || counts >= FACTUR_X_SINCE;
}

/** A rule of the present version: an invoice of another day is only warned. */
export function sincePresentFacturX(rule: Rule): Rule {
  return {
    ...rule,
    check: (facts, report) =>
      rule.check(
        facts,
        isPresentFacturX(facts) || rule.severity !== 'fatal'
          ? report
          : (finding) => report({ severity: 'warning', ...finding }),
      ),
  };
}
