import type { Rule } from '../rule.js';
import { cvdRules } from './cvd-rules.js';
import { extensionRules } from './extension-rules.js';
import { germanRules } from './german-rules.js';
import { paymentDetailRules } from './payment-rules.js';
import { peppolDocumentRules } from './peppol-document.js';
import { peppolLineRules } from './peppol-lines.js';

/** The rules of XRechnung 3.0, its extension and CVD, with the Peppol rules that XRechnung took over. */
export const xrechnungRules: readonly Rule[] = [
  ...germanRules,
  ...paymentDetailRules,
  ...peppolDocumentRules,
  ...peppolLineRules,
  ...extensionRules,
  ...cvdRules,
];
