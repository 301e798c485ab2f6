import type { Profile } from '../profiles/index.js';
import type { ReadInvoice, Syntax } from '../syntaxes/index.js';
import { NOT_IN_EXTENDED } from './factur-x/index.js';
import type { Rule, RuleSet } from './rule.js';
import type { Severity } from './violation.js';

/** Rules of Peppol came into XRechnung with version 3.0, as did the identifiers of xeinkauf.de. */
const isVersion3 = (specification: string | undefined): boolean => specification?.includes('xoev-de') !== true;

/**
 * Which rules run for a profile. One that is not known is checked as EN 16931, and a rule says that. `isFacturX`: an
 * invoice of the profile EN 16931 is one of Factur-X too, since it is in a PDF.
 */
export function ruleSetsOf(
  profile: Profile | undefined,
  { syntax, invoice }: Pick<ReadInvoice, 'syntax' | 'invoice'>,
  isFacturX = false,
): readonly RuleSet[] {
  if (syntax === 'zugferd1' || profile?.standard === 'zugferd1') return ['profile', 'zugferd1'];
  if (profile?.id === 'minimum') return ['profile', 'totals-only', 'factur-x'];
  if (profile?.id === 'basic-wl') return ['profile', 'totals-only', 'basic-wl', 'factur-x'];
  const sets: RuleSet[] = ['profile', 'syntax', 'en16931'];
  if (profile?.standard === 'factur-x' || (profile?.id === 'en16931' && isFacturX)) sets.push('factur-x');
  if (profile?.id === 'extended') sets.push('factur-x-extended');
  if (profile?.standard !== 'xrechnung') return sets;
  sets.push('xrechnung');
  if (isVersion3(invoice.process?.specification)) sets.push('xrechnung-peppol');
  if (profile.id === 'xrechnung-extension' || profile.id === 'xrechnung-cvd') sets.push(profile.id);
  return sets;
}

/** Levels that KoSIT's configuration of its validator changes for XRechnung. */
const XRECHNUNG_LEVELS: Readonly<Record<string, Severity>> = {
  'BR-CL-21': 'warning',
  'BR-CL-23': 'warning',
  'UBL-CR-646': 'fatal',
  'CII-SR-452': 'fatal',
  'CII-SR-453': 'fatal',
  'CII-SR-454': 'fatal',
};

/** Rules that the extension replaces by its own (BR-DEX-04 to BR-DEX-09, prepaid payments), which remain as a hint. */
const REPLACED_BY_EXTENSION = new Set([
  'UBL-CR-470',
  'BR-CL-10',
  'BR-CL-11',
  'BR-CL-21',
  'BR-CL-24',
  'BR-CL-25',
  'BR-CL-26',
]);

/** The severity of a rule in a profile. */
export function severityOf({ id, severity, set }: Rule, profile: Profile | undefined, syntax: Syntax): Severity {
  if (profile?.standard !== 'xrechnung' || (set !== 'en16931' && set !== 'syntax')) return severity;
  if (profile.id === 'xrechnung-extension') {
    if (REPLACED_BY_EXTENSION.has(id) || (id === 'BR-CO-16' && syntax !== 'cii')) return 'information';
    // Sub lines are what the extension is for.
    if (id === 'UBL-CR-646') return severity;
  }
  if (profile.id === 'xrechnung-cvd' && id === 'BR-CL-13') return 'information';
  return XRECHNUNG_LEVELS[id] ?? severity;
}

/** What the rules on syntax say of EXTENDED too; the others are about elements that EN 16931 does not have. */
const SYNTAX_IN_EXTENDED = /^CII-(?:DT-097|SR-46[3-6])$/;

/** Whether a rule of a set counts in a profile. */
export function countsIn({ id, set }: Rule, profile: Profile | undefined): boolean {
  if (profile?.id !== 'extended') return true;
  return set === 'syntax' ? SYNTAX_IN_EXTENDED.test(id) : set !== 'en16931' || !NOT_IN_EXTENDED.has(id);
}
