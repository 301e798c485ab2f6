export { FACTUR_X_SINCE } from './factur-x/index.js';
export { checkRules, type CheckOptions, MOST_OF_A_RULE } from './check-rules.js';
export { Facts, type Family } from './facts.js';
export type { Finding, Report, Rule, RuleSet } from './rule.js';
export { ruleSetsOf } from './rule-sets.js';
export { allRules } from './table.js';
export type { Place, Sentence, Severity, Violation } from './violation.js';
