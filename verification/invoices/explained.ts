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
    reason:
      'BR-CO-15 of Factur-X looks for the currency at a place that does not exist and never fails. BR-47 and BR-48 ' +
      'of Factur-X accept an entry of another tax than VAT. Those of EN 16931 count here for all profiles.',
    covers: ({ rule, ours, theirs }, file) =>
      /^BR-(?:CO-15|47|48)$/.test(rule) && ours === 'fatal' && theirs === undefined && file.startsWith('factur-x-'),
  },
  {
    reason: 'Only the first VAT identifier of a party is read; a second one is fatal by UBL-SR-12 or UBL-SR-18.',
    covers: ({ rule }, file) => rule === 'BR-CO-09' && file.includes('UBL-SR-18.xml'),
  },
];

export function isExplained(disagreement: Disagreement, file: string): boolean {
  return explanations.some(({ covers }) => covers(disagreement, file));
}
