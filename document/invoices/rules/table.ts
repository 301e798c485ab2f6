import { coreRules } from './core.js';
import { facturXRules } from './factur-x/index.js';
import { otherProfileRules } from './other-profiles.js';
import { profileRules } from './profile-notes.js';
import type { Rule } from './rule.js';
import { syntaxRules } from './syntax/index.js';
import { xrechnungRules } from './xrechnung/index.js';

/** The table of all rules, in the order of their reports. */
export const allRules: readonly Rule[] = [
  ...profileRules,
  ...syntaxRules,
  ...coreRules,
  ...xrechnungRules,
  ...otherProfileRules,
  ...facturXRules,
];
