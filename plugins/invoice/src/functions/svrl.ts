import type { Violation } from '@quire/document/invoices/rules';
import type { ValidationReport } from './validate.js';

export type ReportLanguage = 'en' | 'de';

/**
 * The report as SVRL (ISO/IEC 19757-3, annex D): a `failed-assert` for each violation, with the rule as its id and the
 * severity as its flag. Characters that XML does not allow are left out.
 */
export function svrl(report: ValidationReport, language: ReportLanguage): string {
  const title = report.profileTitle ?? report.standard ?? '';
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<svrl:schematron-output xmlns:svrl="http://purl.oclc.org/dsdl/svrl" title="${escape(title)}">`,
    `  <svrl:active-pattern id="${escape(report.profile ?? 'en16931')}" name="${escape(title)}"/>`,
    ...report.violations.flatMap((violation) => failedAssert(violation, language)),
    '</svrl:schematron-output>',
    '',
  ];
  return lines.join('\n');
}

function failedAssert(
  { rule, severity, location, message, terms, value }: Violation,
  language: ReportLanguage,
): string[] {
  const place = location?.xpath ?? '/';
  return [
    `  <svrl:fired-rule context="${escape(place)}"/>`,
    `  <svrl:failed-assert id="${escape(rule)}" flag="${severity}" location="${escape(place)}" test="${escape(rule)}">`,
    `    <svrl:text xml:lang="${language}">${escape(message[language])}</svrl:text>`,
    ...(terms.length === 0 ? [] : [detail('terms', terms.join(' '))]),
    ...(value === undefined ? [] : [detail('value', value)]),
    ...(location === undefined ? [] : [detail('line', String(location.line))]),
    '  </svrl:failed-assert>',
  ];
}

const detail = (name: string, text: string): string =>
  `    <svrl:diagnostic-reference diagnostic="${name}">${escape(text)}</svrl:diagnostic-reference>`;

// oxlint-disable-next-line no-control-regex
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

const escape = (text: string): string =>
  text
    .replaceAll(FORBIDDEN, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
