import type { ProfileId } from '../profiles/index.js';
import type { XmlElement } from '../syntaxes/index.js';
import type { Facts, Family } from './facts.js';
import type { Sentence, Severity } from './violation.js';

/** The place of a finding: an element, or a group of the invoice with the name of a term in it. */
export type At = XmlElement | readonly [holder: object, key?: string, index?: number];

export interface Finding {
  readonly at: At;
  readonly value?: string | undefined;
  /** Where the sentence of the rule would say too little. */
  readonly message?: Sentence;
  /** The published test accepts this, the wording of the standard does not: reported as information, `-strict`. */
  readonly strict?: boolean;
  /** Less than the severity of the rule. */
  readonly severity?: Severity;
}

export type Report = (finding: Finding) => void;

/** Rules that are switched on together, by the profile of the invoice (`rule-sets.ts`). */
export type RuleSet =
  | 'en16931'
  | 'syntax'
  | 'xrechnung'
  | 'xrechnung-peppol'
  | 'xrechnung-extension'
  | 'xrechnung-cvd'
  | 'totals-only'
  | 'basic-wl'
  | 'factur-x'
  | 'factur-x-extended'
  | 'zugferd1'
  | 'profile';

/** One entry of the table: what must hold, for whom and since when. */
export interface Rule {
  /** `BR-CO-15`. Syntax rules that differ may share an id and name another family. */
  readonly id: string;
  readonly set: RuleSet;
  readonly severity: Severity;
  readonly terms: readonly string[];
  /** Absent: in both syntaxes. */
  readonly family?: Family;
  /** Absent: in all profiles of the set. */
  readonly profiles?: readonly ProfileId[];
  /** First day on which the rule is in force, `YYYY-MM-DD`. */
  readonly since?: string;
  /** First day on which it is no longer in force. */
  readonly until?: string;
  readonly message: Sentence;
  check(facts: Facts, report: Report): void;
}

export const sentence = (en: string, de: string): Sentence => ({ en, de });

/** `both('BT-1')` as in `BR-CO-15`: terms in one string. */
export const termsOf = (list: string): readonly string[] => list.split(' ');

/** Whether there is more in a text than white space. */
export const filled = (text: string | undefined): text is string => text !== undefined && text.trim() !== '';

type Groups<T extends object> = (facts: Facts) => readonly T[];

/**
 * A rule of the core that demands a value in each of some groups. `exists` accepts an empty element, as the published
 * tests do in many places; `filled` does not.
 */
export function demands<T extends object>(
  id: string,
  terms: string,
  groups: Groups<T>,
  value: (group: T, facts: Facts) => unknown,
  how: 'exists' | 'filled',
  message: Sentence,
): Rule {
  return {
    id,
    set: 'en16931',
    severity: 'fatal',
    terms: termsOf(terms),
    message,
    check: (facts, report) => {
      for (const group of groups(facts)) {
        const found = value(group, facts);
        const missing = found === undefined || (how === 'filled' && typeof found === 'string' && !filled(found));
        if (missing) report({ at: [group], message: facts.inLine(group, message), strict: facts.isUnseen(group) });
      }
    },
  };
}
