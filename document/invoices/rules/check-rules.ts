import { type Profile, profileOf } from '../profiles/index.js';
import type { ReadInvoice } from '../syntaxes/index.js';
import { XmlElement } from '../syntaxes/index.js';
import { Facts } from './facts.js';
import type { At, Finding, Rule } from './rule.js';
import { countsIn, ruleSetsOf, severityOf } from './rule-sets.js';
import { allRules } from './table.js';
import type { Place, Severity, Violation } from './violation.js';

export interface CheckOptions {
  /** Rules of this profile, whatever the invoice claims; default: what BT-24 names. */
  readonly profile?: Profile;
  /** Rules that are in force on this day, `YYYY-MM-DD`; default: those that have no end. */
  readonly day?: string;
  /** An invoice of the profile EN 16931 is one of Factur-X: it is in a PDF, or will be. */
  readonly isFacturX?: boolean;
  /** Only these rules, whatever the profile: for tests of single rules. */
  readonly only?: ReadonlySet<string>;
}

/** An invoice that is wrong in every line gives this many violations of one rule, and one that counts the rest. */
export const MOST_OF_A_RULE = 100;

/** All violations of the rules that apply to the invoice, in the order of the table. */
export function checkRules(read: ReadInvoice, options: CheckOptions = {}): Violation[] {
  const profile = options.profile ?? profileOf(read.invoice.process?.specification);
  const facts = new Facts(read, profile, options.day);
  const sets = new Set(ruleSetsOf(profile, read, options.isFacturX));
  const applies = (rule: Rule): boolean =>
    (rule.family === undefined || rule.family === facts.family) &&
    (options.only === undefined ? sets.has(rule.set) && countsIn(rule, profile) : options.only.has(rule.id)) &&
    (rule.profiles === undefined || profile === undefined || rule.profiles.includes(profile.id)) &&
    isInForce(rule, options.day);
  return allRules.filter(applies).flatMap((rule) => runRule(rule, facts, severityOf(rule, profile, read.syntax)));
}

function isInForce({ since, until }: Rule, day: string | undefined): boolean {
  if (day === undefined) return until === undefined;
  return (since === undefined || since <= day) && (until === undefined || day < until);
}

function runRule(rule: Rule, facts: Facts, severity: Severity): Violation[] {
  const violations: Violation[] = [];
  let more = 0;
  rule.check(facts, (finding) => {
    if (violations.length < MOST_OF_A_RULE) violations.push(violation(rule, finding, facts, severity));
    else more += 1;
  });
  if (more > 0) violations.push(rest(rule, severity, more));
  return violations;
}

function violation(rule: Rule, finding: Finding, { read }: Facts, severity: Severity): Violation {
  const strict = finding.strict === true;
  const value = finding.value;
  return {
    rule: strict ? `${rule.id}-strict` : rule.id,
    severity: strict ? 'information' : (finding.severity ?? severity),
    terms: rule.terms,
    location: placeOf(finding.at, read),
    value: value !== undefined && value.length > 200 ? `${value.slice(0, 200)}…` : value,
    message: finding.message ?? rule.message,
  };
}

function placeOf(at: At, read: ReadInvoice): Place {
  if (at instanceof XmlElement) return { xpath: read.xpathOf(at), line: at.line };
  const [holder, key, index] = at;
  return read.placeOf(holder, key, index);
}

function rest(rule: Rule, severity: Severity, more: number): Violation {
  const message = {
    en: `${more} more places break this rule; the first ${MOST_OF_A_RULE} are listed.`,
    de: `${more} weitere Stellen verletzen diese Regel; die ersten ${MOST_OF_A_RULE} sind aufgeführt.`,
  };
  return { rule: rule.id, severity, terms: rule.terms, location: undefined, value: undefined, message };
}
