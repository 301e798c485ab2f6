import type { Block, CellText, Composition, Fact, Row } from '@quire/document/composition';
import { findLabel } from '@quire/document/invoices/labels';
import type { Invoice } from '@quire/document/invoices/model';
import type { Violation } from '@quire/document/invoices/rules';
import type { ValidationReport } from '../validate.js';
import { formatDate, formatNumber } from './format.js';

/** Languages of the sentences of rules. */
export type ReportLanguage = 'de' | 'en';

type Text = Readonly<Record<ReportLanguage, string>>;

const words = {
  title: { de: 'Prüfbericht', en: 'Validation report' },
  valid: {
    de: 'Die Rechnung ist gültig: Keine zwingende Regel ist verletzt.',
    en: 'The invoice is valid: no mandatory rule is broken.',
  },
  invalid: {
    de: 'Die Rechnung ist ungültig: {count} Verletzungen zwingender Regeln.',
    en: 'The invoice is not valid: mandatory rules are broken in {count} places.',
  },
  invalidOnce: {
    de: 'Die Rechnung ist ungültig: Eine zwingende Regel ist verletzt.',
    en: 'The invoice is not valid: one mandatory rule is broken.',
  },
  checked: { de: 'Geprüft', en: 'Checked' },
  file: { de: 'Datei', en: 'File' },
  attachment: { de: 'Eingebettete Datei', en: 'Embedded file' },
  standard: { de: 'Standard', en: 'Standard' },
  rules: { de: 'Angewandte Regeln', en: 'Rules applied' },
  defaultRules: { de: 'EN 16931 (Profil unbekannt)', en: 'EN 16931 (profile unknown)' },
  syntax: { de: 'Syntax', en: 'Syntax' },
  specification: { de: 'Spezifikation', en: 'Specification' },
  invoice: { de: 'Rechnung', en: 'Invoice' },
  number: { de: 'Rechnungsnummer', en: 'Invoice number' },
  date: { de: 'Rechnungsdatum', en: 'Invoice date' },
  seller: { de: 'Verkäufer', en: 'Seller' },
  buyer: { de: 'Käufer', en: 'Buyer' },
  due: { de: 'Zahlbetrag', en: 'Amount due' },
  rule: { de: 'Regel', en: 'Rule' },
  finding: { de: 'Feststellung', en: 'Finding' },
  value: { de: 'Gefunden', en: 'Found' },
  terms: { de: 'Betrifft', en: 'Concerns' },
  place: { de: 'Stelle', en: 'Place' },
  line: { de: 'Zeile', en: 'line' },
  note: {
    de: 'Fehler machen die Rechnung ungültig. Warnungen und Hinweise ändern am Ergebnis nichts.',
    en: 'Errors make the invoice invalid. Warnings and hints do not change the verdict.',
  },
} as const satisfies Readonly<Record<string, Text>>;

/** Headings of the tables, and the words for one violation, by severity. */
const severities = {
  fatal: { many: { de: 'Fehler', en: 'Errors' }, one: { de: 'Fehler', en: 'Error' } },
  warning: { many: { de: 'Warnungen', en: 'Warnings' }, one: { de: 'Warnung', en: 'Warning' } },
  information: { many: { de: 'Hinweise', en: 'Hints' }, one: { de: 'Hinweis', en: 'Hint' } },
} as const;

const syntaxes: Readonly<Record<ValidationReport['syntax'], string>> = {
  cii: 'UN/CEFACT CII',
  'ubl-invoice': 'UBL Invoice',
  'ubl-creditnote': 'UBL CreditNote',
  zugferd1: 'ZUGFeRD 1.0',
};

/** What was checked: the name of the file, and the invoice as far as it could be read. */
export interface CheckedFile {
  readonly name: string;
  readonly invoice: Invoice | undefined;
}

/** Lays out the result of a check for people: the verdict, what was checked, and each violation with its place. */
export function viewReport(report: ValidationReport, file: CheckedFile, language: ReportLanguage): Composition {
  const word = (name: keyof typeof words): string => words[name][language];
  return {
    language,
    title: `${word('title')}: ${file.invoice?.number ?? file.name}`,
    pageLabel: language === 'de' ? 'Seite {page} von {pages}' : 'Page {page} of {pages}',
    blocks: [
      { kind: 'paragraph', text: verdictOf(report, language), tone: 'strong' },
      {
        kind: 'columns',
        columns: [
          [
            { kind: 'heading', level: 2, text: word('checked') },
            { kind: 'facts', facts: checkedFacts(report, file, language) },
          ],
          ...invoiceColumn(file.invoice, language),
        ],
      },
      ...(['fatal', 'warning', 'information'] as const).flatMap((severity) =>
        tableOf(
          report.violations.filter((violation) => violation.severity === severity),
          severity,
          language,
        ),
      ),
      ...(report.violations.length === 0 ? [] : [{ kind: 'paragraph', text: word('note'), tone: 'muted' } as const]),
    ],
  };
}

function verdictOf({ valid, counts }: ValidationReport, language: ReportLanguage): string {
  if (valid) return words.valid[language];
  if (counts.fatal === 1) return words.invalidOnce[language];
  return words.invalid[language].replace('{count}', String(counts.fatal));
}

function checkedFacts(
  { standard, version, profileTitle, syntax, specification, attachment }: ValidationReport,
  { name }: CheckedFile,
  language: ReportLanguage,
): Fact[] {
  const fact = (label: keyof typeof words, value: string | null): Fact[] =>
    value === null || value === '' ? [] : [{ label: words[label][language], value }];
  return [
    ...fact('file', name),
    ...fact('attachment', attachment),
    ...fact('standard', standard === null ? null : [standard, version ?? ''].join(' ').trim()),
    ...fact('rules', profileTitle ?? words.defaultRules[language]),
    ...fact('syntax', syntaxes[syntax]),
    ...fact('specification', specification),
  ];
}

function invoiceColumn(invoice: Invoice | undefined, language: ReportLanguage) {
  if (invoice === undefined) return [];
  const { number, issueDate, seller, buyer, totals, currency } = invoice;
  const due = totals?.due;
  const values: readonly (readonly [keyof typeof words, string | undefined])[] = [
    ['number', number],
    ['date', issueDate === undefined ? undefined : formatDate(issueDate, language)],
    ['seller', seller?.name],
    ['buyer', buyer?.name],
    ['due', due === undefined ? undefined : `${formatNumber(due, language)} ${currency ?? ''}`.trim()],
  ];
  const facts = values.flatMap(([label, value]): Fact[] =>
    value === undefined || value === '' ? [] : [{ label: words[label][language], value }],
  );
  if (facts.length === 0) return [];
  return [[{ kind: 'heading', level: 2, text: words.invoice[language] } as const, { kind: 'facts', facts } as const]];
}

function tableOf(violations: readonly Violation[], severity: Violation['severity'], language: ReportLanguage): Block[] {
  if (violations.length === 0) return [];
  const heading = `${severities[severity].many[language]} (${violations.length})`;
  return [
    { kind: 'heading', level: 2, text: heading },
    {
      kind: 'table',
      caption: heading,
      columns: [
        { title: words.rule[language], align: 'start', width: 24 },
        { title: words.finding[language], align: 'start', width: 76 },
      ],
      rows: violations.map((violation) => rowOf(violation, severity, language)),
      rowHeader: 0,
    },
  ];
}

function rowOf(
  { rule, message, value, terms, location }: Violation,
  severity: Violation['severity'],
  language: ReportLanguage,
): Row {
  const muted = (label: keyof typeof words, text: string | undefined): CellText[] =>
    text === undefined || text === '' ? [] : [{ label: words[label][language], text, tone: 'muted' }];
  const named = terms.map((term) => {
    const label = findLabel(term, language);
    return label === undefined ? term : `${label} (${term})`;
  });
  const place = location === undefined ? undefined : `${location.xpath} (${words.line[language]} ${location.line})`;
  return {
    cells: [
      [
        { text: rule, tone: 'strong' },
        { text: severities[severity].one[language], tone: 'muted' },
      ],
      [
        { text: message[language] },
        ...muted('value', value),
        ...muted('terms', named.join(', ')),
        ...muted('place', place),
      ],
    ],
  };
}
