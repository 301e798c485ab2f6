import { codeRules } from './codes.js';
import { dateRules } from './dates.js';
import { decimalRules } from './decimals.js';
import { partyRules } from './parties.js';
import { paymentRules } from './payment.js';
import { presenceInGroups } from './presence-groups.js';
import { presenceInLines } from './presence-lines.js';
import { presenceRules } from './presence.js';
import type { Rule } from './rule.js';
import { totalRules } from './totals.js';
import { vatExclusionRules } from './vat/vat-exclusions.js';
import { vatFamilyRules } from './vat/vat-families.js';
import { withdrawnRules } from './withdrawn.js';

/** The rules of EN 16931 (artefacts 1.3.16), in the order of their reports. */
export const coreRules: readonly Rule[] = [
  ...presenceRules,
  ...partyRules,
  ...presenceInLines,
  ...presenceInGroups,
  ...paymentRules,
  ...dateRules,
  ...totalRules,
  ...decimalRules,
  ...vatFamilyRules,
  ...vatExclusionRules,
  ...codeRules,
  ...withdrawnRules,
];
