import type { Rule, RuleSet } from './rule.js';
import { coreRules } from './core.js';
import { sincePresentFacturX } from './factur-x/in-force.js';
import type { Severity } from './violation.js';

/** Rules of the core for profiles without lines (Factur-X 1.0.8): MINIMUM, and BASIC WL with more. */
const MINIMUM = (
  'BR-01 BR-02 BR-03 BR-04 BR-05 BR-06 BR-07 BR-08 BR-09 BR-13 BR-14 BR-15 BR-CO-09 BR-CO-15 BR-CO-26 BR-DEC-12 ' +
  'BR-DEC-13 BR-DEC-14 BR-DEC-18 BR-CL-01 BR-CL-03 BR-CL-04 BR-CL-11 BR-CL-14'
).split(' ');

const BASIC_WL = (
  'BR-10 BR-11 BR-12 BR-17 BR-18 BR-19 BR-20 BR-29 BR-31 BR-32 BR-33 BR-36 BR-37 BR-38 BR-45 BR-46 BR-47 BR-48 BR-49 ' +
  'BR-50 BR-53 BR-55 BR-56 BR-57 BR-61 BR-62 BR-63 BR-CO-03 BR-CO-11 BR-CO-12 BR-CO-13 BR-CO-14 BR-CO-16 BR-CO-17 ' +
  'BR-CO-18 BR-CO-19 BR-CO-21 BR-CO-22 BR-CO-25 BR-DEC-01 BR-DEC-02 BR-DEC-05 BR-DEC-06 BR-DEC-09 BR-DEC-10 ' +
  'BR-DEC-11 BR-DEC-15 BR-DEC-16 BR-DEC-17 BR-DEC-19 BR-DEC-20 BR-CL-05 BR-CL-06 BR-CL-08 BR-CL-10 BR-CL-16 BR-CL-17 ' +
  'BR-CL-19 BR-CL-20 BR-CL-22 BR-CL-25 BR-CL-26'
).split(' ');

/** VAT of BASIC WL (allowances, charges and the breakdown, but no lines): invoices that its suite accepts break it. */
const BASIC_WL_SINCE = [
  ...['S', 'Z', 'E', 'AE', 'IC', 'G', 'O', 'AF', 'AG'].flatMap((category) =>
    ['03', '04', '06', '07', '09', '10'].map((number) => `BR-${category}-${number}`),
  ),
  'BR-IC-11',
  'BR-IC-12',
  'BR-O-11',
  'BR-O-13',
  'BR-O-14',
];

/** What can be said of ZUGFeRD 1.0 with the eyes of today: a number and a total, and the rest as warnings. */
const ZUGFERD1_FATAL = ['BR-02', 'BR-14'];
const ZUGFERD1_HINTS =
  'BR-03 BR-04 BR-05 BR-06 BR-07 BR-CO-10 BR-CO-11 BR-CO-12 BR-CO-13 BR-CO-14 BR-CO-16 BR-CO-17'.split(' ');

/** The same rules in other sets, so that each profile has exactly those that fit what it holds. */
export const otherProfileRules: readonly Rule[] = [
  ...copies(MINIMUM, 'totals-only'),
  ...copies(BASIC_WL, 'basic-wl'),
  ...copies(BASIC_WL_SINCE, 'basic-wl').map(sincePresentFacturX),
  ...copies(ZUGFERD1_FATAL, 'zugferd1'),
  ...copies(ZUGFERD1_HINTS, 'zugferd1', 'warning'),
];

function copies(ids: readonly string[], set: RuleSet, severity?: Severity): Rule[] {
  return ids.flatMap((id) => {
    const rules = coreRules.filter((rule) => rule.id === id);
    if (rules.length === 0) throw new RangeError(`no rule ${id}`);
    return rules.map((rule) => ({ ...rule, set, severity: severity ?? rule.severity }));
  });
}
