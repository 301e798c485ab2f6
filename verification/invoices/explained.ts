import type { Disagreement } from './compare.js';

/** A disagreement that is meant, with the reason. */
interface Explanation {
  readonly reason: string;
  readonly covers: (disagreement: Disagreement, file: string) => boolean;
}

const explanations: readonly Explanation[] = [
  {
    reason:
      'Codes that a list had on the day of the invoice and that were withdrawn since are a warning here; the suites ' +
      'count such invoices as valid.',
    covers: ({ rule, ours, theirs }) => rule.startsWith('BR-CL-') && ours === 'warning' && theirs === 'fatal',
  },
  {
    reason: 'KoSIT makes UBL-CR-646 an error for XRechnung without the extension; phive leaves it a warning.',
    covers: ({ rule, ours, theirs }) => rule === 'UBL-CR-646' && ours === 'fatal' && theirs === 'warning',
  },
  {
    reason: 'A credit note with invoice lines breaks the schema; its lines are not read.',
    covers: (_, file) => file.includes('CreditNote-unit-UBL/BR-CL-18.xml'),
  },
  {
    reason: 'Only the first VAT identifier of a party is read; a second one is fatal by UBL-SR-12 or UBL-SR-18.',
    covers: ({ rule }, file) => rule === 'BR-CO-09' && file.includes('UBL-SR-18.xml'),
  },
];

export function isExplained(disagreement: Disagreement, file: string): boolean {
  return explanations.some(({ covers }) => covers(disagreement, file));
}
