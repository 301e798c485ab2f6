import type { Facts, Family } from '../facts.js';
import { filled, type Rule, type RuleSet, termsOf } from '../rule.js';
import type { Sentence, Severity } from '../violation.js';

/** First day of XRechnung 3.0, whose rules these are. */
export const XRECHNUNG_3 = '2024-02-01';

/** A rule of XRechnung, fatal unless `options` say otherwise. */
export function xrRule(
  id: string,
  terms: string,
  message: Sentence,
  check: Rule['check'],
  options: { readonly severity?: Severity; readonly family?: Family; readonly set?: RuleSet } = {},
): Rule {
  return {
    id,
    set: options.set ?? 'xrechnung',
    severity: options.severity ?? 'fatal',
    ...(options.family === undefined ? {} : { family: options.family }),
    since: XRECHNUNG_3,
    terms: termsOf(terms),
    message,
    check,
  };
}

/** A rule that demands a filled term in a group, if the group exists. */
export function xrDemands<T extends object>(
  id: string,
  terms: string,
  group: (facts: Facts) => T | undefined,
  value: (group: T) => string | undefined,
  message: Sentence,
): Rule {
  return xrRule(id, terms, message, (facts, report) => {
    const found = group(facts);
    if (found !== undefined && !filled(value(found))) report({ at: [found] });
  });
}
