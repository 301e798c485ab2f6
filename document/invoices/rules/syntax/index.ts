import type { Rule } from '../rule.js';

/** Rules of the syntaxes (UBL-SR, UBL-CR, UBL-DT, CII-SR, CII-DT): set `syntax`, with the `family` that they are for. */
export const syntaxRules: readonly Rule[] = [];
