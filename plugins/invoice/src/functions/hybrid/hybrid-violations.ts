import type { PdfACheck } from '@quire/document/standards/pdfa';
import { readPdf } from '@quire/document/content/text';
import type { Invoice } from '@quire/document/invoices/model';
import type { Violation } from '@quire/document/invoices/rules';
import type { ReadInvoice } from '@quire/document/invoices/syntaxes';
import type { HybridFacts } from '@quire/document/structure/invoices';
import { hybridChecks } from './hybrid-checks.js';
import { identifyXml } from './identify.js';
import { PageValues } from './page-values.js';

/** Pages whose text is compared: totals are on the first or the last ones. */
const FIRST_PAGES = 20;
const LAST_PAGES = 5;

export interface HybridInput {
  /** Path of the PDF. */
  readonly path: string;
  readonly hybrid: HybridFacts;
  /** Absent for an XML that cannot be read: then only the PDF is checked. */
  readonly read?: ReadInvoice;
  /** Validates the file as the PDF/A-3 that it claims; undefined where no validator is installed. */
  readonly check?: (path: string) => Promise<PdfACheck | undefined>;
}

/**
 * Checks the PDF around an invoice: how it is embedded and described, whether it is PDF/A-3, and whether the pages show
 * what the XML says where they have text. Throws the errors of `readPdf` and of `check`.
 */
export async function hybridViolations({ path, hybrid, read, check }: HybridInput): Promise<readonly Violation[]> {
  const [invoice] = hybrid.invoices;
  if (invoice === undefined) return [];
  const identity = identifyXml(invoice.bytes, invoice.filename);
  return [
    ...hybridChecks(hybrid, identity)
      .filter(({ ok }) => !ok)
      .map(({ check: name, severity, found, message }) => violation(`PDF-${name}`, severity, [], found, message)),
    ...(hybrid.pdfa?.part === '3' ? pdfaViolations(await check?.(path)) : []),
    ...(read === undefined ? [] : pageViolations(read, await textOf(path))),
  ];
}

function violation(
  name: string,
  severity: Violation['severity'],
  terms: readonly string[],
  value: string | undefined,
  message: Violation['message'],
  location?: Violation['location'],
): Violation {
  return { rule: name, severity, terms, location, value, message };
}

function pdfaViolations(check: PdfACheck | undefined): readonly Violation[] {
  if (check?.compliant !== false) return [];
  const rules = check.broken.slice(0, 3).join('; ').slice(0, 600);
  return [
    violation('PDF-rules', 'fatal', [], `${check.broken.length}`, {
      en: `The PDF claims to be PDF/A-3, but it breaks ${check.broken.length} of its rules: ${rules}`,
      de: `Das PDF gibt sich als PDF/A-3 aus, verletzt aber ${check.broken.length} Regeln davon: ${rules}`,
    }),
  ];
}

async function textOf(path: string): Promise<PageValues> {
  return readPdf({ path }, (document) => {
    const count = document.reachablePages();
    const chosen = Array.from({ length: count }, (_, page) => page).filter(
      (page) => page < FIRST_PAGES || page >= count - LAST_PAGES,
    );
    return new PageValues(chosen.map((page) => document.pageText(page)));
  });
}

interface Comparison {
  readonly rule: string;
  readonly term: string;
  readonly name: { readonly en: string; readonly de: string };
  readonly values: (invoice: Invoice) => readonly (readonly [holder: object, key: string, value: string | undefined])[];
  readonly isShown: (page: PageValues, value: string, invoice: Invoice) => boolean;
  readonly shown: (page: PageValues) => readonly string[];
}

const total = (key: 'withoutVat' | 'vat' | 'withVat' | 'due', term: string, en: string, de: string): Comparison => ({
  rule: 'PAGE-TOTAL',
  term,
  name: { en, de },
  values: ({ totals }) => (totals === undefined ? [] : [[totals, key, totals[key]]]),
  // Nobody prints a total of nothing.
  isShown: (page, value, { vatBreakdown = [] }) =>
    /^-?0*(?:\.0*)?$/.test(value) ||
    page.hasAmount(value) ||
    // With several rates, pages often show the amount of each and no sum.
    (key === 'vat' && vatBreakdown.length > 1 && vatBreakdown.every(({ taxAmount = '' }) => page.hasAmount(taxAmount))),
  shown: (page) => page.largestAmounts(),
});

const comparisons: readonly Comparison[] = [
  {
    rule: 'PAGE-NUMBER',
    term: 'BT-1',
    name: { en: 'invoice number', de: 'Rechnungsnummer' },
    values: (invoice) => [[invoice, 'number', invoice.number]],
    isShown: (page, value) => page.hasText(value),
    shown: (page) => page.numbers(),
  },
  {
    rule: 'PAGE-DATE',
    term: 'BT-2',
    name: { en: 'invoice date', de: 'Rechnungsdatum' },
    values: (invoice) => [[invoice, 'issueDate', invoice.issueDate]],
    isShown: (page, value) => page.hasDate(value),
    shown: (page) => page.dates(),
  },
  total('withoutVat', 'BT-109', 'total without VAT', 'Gesamtbetrag ohne Umsatzsteuer'),
  total('vat', 'BT-110', 'VAT total', 'Umsatzsteuerbetrag'),
  total('withVat', 'BT-112', 'total with VAT', 'Gesamtbetrag mit Umsatzsteuer'),
  total('due', 'BT-115', 'amount due', 'fälliger Betrag'),
  {
    rule: 'PAGE-IBAN',
    term: 'BT-84',
    name: { en: 'IBAN', de: 'IBAN' },
    values: ({ payment }) => (payment?.transfers ?? []).map((transfer) => [transfer, 'account', transfer.account]),
    isShown: (page, value) => !/^[A-Z]{2}\d{2}/i.test(value) || page.hasText(value),
    shown: (page) => page.ibans(),
  },
];

/** Values of the XML that the pages do not show although they have text. */
function pageViolations(read: ReadInvoice, page: PageValues): readonly Violation[] {
  if (!page.isReadable) return [];
  return comparisons.flatMap(({ rule, term, name, values, isShown, shown }) =>
    values(read.invoice).flatMap(([holder, key, value]) => {
      if (value === undefined || value.trim() === '' || isShown(page, value, read.invoice)) return [];
      const found = shown(page);
      const list = found.map((one) => `"${one}"`).join(', ');
      return [
        violation(
          rule,
          'warning',
          [term],
          value,
          {
            en: `The page does not show the ${name.en} of the XML, "${value.slice(0, 80)}"${list === '' ? '' : `; it shows ${list}`}. Readers of the PDF may see another value than programs: compare the two.`,
            de: `Die Seite zeigt nicht, was im XML steht (${name.de}: "${value.slice(0, 80)}")${list === '' ? '' : `; sie zeigt ${list}`}. Wer das PDF liest, sieht womöglich einen anderen Wert als Programme: Vergleichen Sie beide.`,
          },
          read.placeOf(holder, key),
        ),
      ];
    }),
  );
}
