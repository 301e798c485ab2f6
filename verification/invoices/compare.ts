import type { Severity, Violation } from '../../document/invoices/rules/index.js';
import { isExplained } from './explained.js';
import type { PhiveFault } from './validators.js';

const LEVELS: Readonly<Record<PhiveFault['level'], Severity>> = {
  fatal_error: 'fatal',
  error: 'fatal',
  warn: 'warning',
  info: 'information',
};

/** A rule on which we and the artefacts differ in one file. */
export interface Disagreement {
  readonly rule: string;
  /** Undefined: not broken. */
  readonly ours: Severity | undefined;
  readonly theirs: Severity | undefined;
}

/**
 * Compares by rule and severity: whether a rule is broken, not how often, since a rule of a schematron reports its
 * context, and ours the place at fault. What only we say does not count: `…-strict`, the wording of the standard, and
 * `QUIRE-…`.
 */
export function disagreements(ours: readonly Violation[], theirs: readonly PhiveFault[]): Disagreement[] {
  const found = bySeverity(
    ours.filter(({ rule }) => !rule.endsWith('-strict') && !rule.startsWith('QUIRE-')),
    (it) => it.severity,
  );
  const expected = bySeverity(
    theirs.filter((fault): fault is PhiveFault & { rule: string } => fault.rule !== null),
    ({ level }) => LEVELS[level],
  );
  return [...new Set([...found.keys(), ...expected.keys()])]
    .toSorted()
    .map((rule) => ({ rule, ours: found.get(rule), theirs: expected.get(rule) }))
    .filter((it) => it.ours !== it.theirs);
}

export const isFatal = ({ level }: PhiveFault): boolean => level === 'error' || level === 'fatal_error';

/** The schematron stopped, for instance at an amount that is no number: it says nothing of the other rules. */
export function gaveUp(faults: readonly PhiveFault[]): boolean {
  return faults.some(({ rule, artefact }) => rule === null && artefact.endsWith('.xslt'));
}

/**
 * What the artefacts say of an XRechnung: phive's set for XRechnung has the rules of EN 16931 in version 1.3.15, so
 * those come from the set for EN 16931, with the levels that KoSIT gives them.
 */
export function xrechnungFaults(en16931: readonly PhiveFault[], xrechnung: readonly PhiveFault[]): PhiveFault[] {
  const levels = new Map(xrechnung.map(({ rule, level }) => [rule, level]));
  return [
    ...en16931.map((fault) => ({ ...fault, level: levels.get(fault.rule) ?? fault.level })),
    ...xrechnung.filter(({ artefact }) => artefact.includes('XRechnung')),
  ];
}

const ORDER: readonly Severity[] = ['information', 'warning', 'fatal'];

/** The highest severity of each rule. */
function bySeverity<T extends { readonly rule: string }>(
  items: readonly T[],
  severityOf: (item: T) => Severity,
): Map<string, Severity> {
  const highest = new Map<string, Severity>();
  for (const item of items) {
    const known = highest.get(item.rule);
    const severity = severityOf(item);
    if (known === undefined || ORDER.indexOf(known) < ORDER.indexOf(severity)) highest.set(item.rule, severity);
  }
  return highest;
}

/** Counts of one rule over many files. */
export interface RuleCount {
  /** Files in which the artefacts say that it is broken, and we too. */
  both: number;
  readonly missing: string[];
  readonly extra: string[];
  readonly otherSeverity: string[];
  explained: number;
}

export class Tally {
  readonly rules = new Map<string, RuleCount>();
  files = 0;
  /** Files at which the schematron stopped. */
  notJudged = 0;

  add(name: string, ours: readonly Violation[], theirs: readonly PhiveFault[]): Disagreement[] {
    this.files += 1;
    const differing = disagreements(ours, theirs);
    const differs = new Set(differing.map(({ rule }) => rule));
    for (const rule of new Set(theirs.map((fault) => fault.rule)))
      if (rule !== null && !differs.has(rule)) this.#of(rule).both += 1;
    for (const disagreement of differing) {
      const { rule, ours: our, theirs: their } = disagreement;
      const count = this.#of(rule);
      if (isExplained(disagreement, name)) {
        count.explained += 1;
        continue;
      }
      const list = our === undefined ? count.missing : their === undefined ? count.extra : count.otherSeverity;
      list.push(name);
    }
    return differing;
  }

  /** One row for each rule, those that disagree first. */
  rows(examples = 3): string[] {
    const wrong = (count: RuleCount): number => count.missing.length + count.extra.length + count.otherSeverity.length;
    return [...this.rules]
      .toSorted(([a, first], [b, second]) => wrong(second) - wrong(first) || (a < b ? -1 : 1))
      .map(([rule, count]) => {
        const files = [...count.missing, ...count.extra, ...count.otherSeverity].slice(0, examples).join('; ');
        return (
          `| ${rule} | ${count.both} | ${count.missing.length} | ${count.extra.length} | ` +
          `${count.otherSeverity.length} | ${count.explained} | ${files} |`
        );
      });
  }

  #of(rule: string): RuleCount {
    let count = this.rules.get(rule);
    if (count === undefined) {
      count = { both: 0, missing: [], extra: [], otherSeverity: [], explained: 0 };
      this.rules.set(rule, count);
    }
    return count;
  }
}
