import type { Rule } from '../rule.js';
import { extendedRules } from './extended-rules.js';
import { extendedSumRules } from './extended-sums.js';
import { profileStructureRules } from './profile-rules.js';
import { sharedFacturXRules } from './shared-rules.js';

export { NOT_IN_EXTENDED } from './extended-rules.js';
export { FACTUR_X_SINCE } from './in-force.js';

/** The rules of Factur-X 1.0.8 (ZUGFeRD 2.4) beyond those of EN 16931. */
export const facturXRules: readonly Rule[] = [
  ...profileStructureRules,
  ...sharedFacturXRules,
  ...extendedRules,
  ...extendedSumRules,
];
