import type { Block, Composition, Fact } from '@quire/document/composition';
import { codeMeaning, labelOf, type Language } from '@quire/document/invoices/labels';
import { type Invoice, invoiceModel } from '@quire/document/invoices/model';
import { profileOf } from '@quire/document/invoices/profiles';
import type { ReadInvoice } from '@quire/document/invoices/syntaxes';
import { furtherOf, type FurtherValue } from './further.js';
import { linesOf } from './lines.js';
import { Part } from './part.js';
import { partiesOf } from './parties.js';
import { reductionsOf, totalsOf, vatOf } from './totals.js';
import { wordOf } from './words.js';

/** What is shown: the invoice, and what its XML has beside it. */
export interface ShownInvoice {
  readonly invoice: Invoice;
  readonly further: readonly FurtherValue[];
}

/** What is shown of an invoice that was read. */
export function shownOf(read: ReadInvoice): ShownInvoice {
  const further = read.unread.map(({ element, attribute, value }): FurtherValue => {
    const path = read.xpathOf(element);
    return { path: attribute === undefined ? path : `${path}/@${attribute}`, value };
  });
  return { invoice: read.invoice, further };
}

/**
 * Lays out an invoice as people know it from paper: parties, references, lines, VAT, totals, payment, files. Every
 * value of the invoice is in the result, and nothing is that is not in the invoice: no sum is computed.
 */
export function viewInvoice({ invoice, further }: ShownInvoice, language: Language): Composition {
  const part = new Part(invoiceModel, invoice, language);
  const type = invoice.typeCode === undefined ? undefined : codeMeaning('BT-3', invoice.typeCode, language);
  const profile = profileOf(invoice.process?.specification)?.title ?? wordOf('unknownProfile', language);
  const author = invoice.seller?.name;
  return {
    language,
    title: [type ?? labelOf('BG-0', language), invoice.number ?? ''].join(' ').trim(),
    subtitle: wordOf('basis', language, { profile }),
    ...(author === undefined || author === '' ? {} : { author }),
    pageLabel: wordOf('page', language),
    blocks: [...blocksOf(part, invoice), ...furtherOf(further, language)],
  };
}

function blocksOf(part: Part, { currency, vatCurrency }: Invoice): Block[] {
  const { language } = part;
  const word = (name: Parameters<typeof wordOf>[0]): string => wordOf(name, language);
  const parties = partiesOf(part);
  const details = part.part('process')?.rest() ?? [];
  const notes = notesOf(part);
  const lines = linesOf(part);
  const reductions = reductionsOf(part);
  const vat = vatOf(part);
  const payment = paymentOf(part);
  const listed = [
    { key: 'precedingInvoices', heading: word('precedingInvoices') },
    { key: 'supportingDocuments', heading: word('attachments') },
    { key: 'thirdPartyPayments', heading: word('thirdPartyPayments') },
  ].map(({ key, heading }) => groupsOf(part, key, heading));
  const totals = totalsOf(part, currency, vatCurrency);
  // What is left are the terms of the invoice itself: number, dates and references.
  const references = part.rest();
  return [
    ...parties,
    ...under(word('references'), columnsOf(references)),
    ...under(word('notes'), notes),
    ...(listed[0] ?? []),
    ...under(word('lines'), lines === undefined ? [] : [lines]),
    ...under(word('reductions'), reductions === undefined ? [] : [reductions]),
    ...under(vat?.caption ?? '', vat === undefined ? [] : [vat]),
    ...totals,
    ...under(labelOf('BG-16', language), payment),
    ...(listed[1] ?? []),
    ...(listed[2] ?? []),
    ...under(labelOf('BG-2', language), factsOf(details)),
  ];
}

/** The blocks with a heading, or nothing. */
function under(text: string, blocks: readonly Block[]): Block[] {
  return blocks.length === 0 ? [] : [{ kind: 'heading', level: 2, text }, ...blocks];
}

function factsOf(facts: readonly Fact[]): Block[] {
  return facts.length === 0 ? [] : [{ kind: 'facts', facts }];
}

/** Facts in two columns, read down. */
function columnsOf(facts: readonly Fact[]): Block[] {
  if (facts.length < 4) return factsOf(facts);
  const half = Math.ceil(facts.length / 2);
  const halves = [facts.slice(0, half), facts.slice(half)];
  return [{ kind: 'columns', columns: halves.map((column) => [{ kind: 'facts', facts: column }]) }];
}

function notesOf(part: Part): Block[] {
  return part.parts('notes').flatMap((note): Block[] => {
    const subject = note.text('subjectCode');
    const text = note.text('text');
    return [
      ...(subject === undefined ? [] : [{ kind: 'paragraph', text: subject, tone: 'strong' } as const]),
      ...(text === undefined ? [] : [{ kind: 'paragraph', text } as const]),
      ...factsOf(note.rest()),
    ];
  });
}

/** Terms of payment and the invoice's instructions; each account, card and mandate under its own heading. */
function paymentOf(part: Part): Block[] {
  const terms = part.facts('dueDate', 'paymentTerms');
  return [
    ...factsOf(terms),
    ...part.parts('payment').flatMap((payment): Block[] => {
      const inner = ['transfers', 'card', 'directDebit'].flatMap((key) => payment.parts(key));
      return [
        ...factsOf(payment.rest()),
        ...inner.flatMap((one): Block[] => {
          const facts = one.rest();
          return facts.length === 0 ? [] : [{ kind: 'heading', level: 3, text: one.label }, ...factsOf(facts)];
        }),
      ];
    }),
  ];
}

/** Groups that occur several times, numbered where there is more than one. */
function groupsOf(part: Part, key: string, heading: string): Block[] {
  const lists = part.parts(key).map((one) => ({ label: one.label, facts: one.rest() }));
  const filled = lists.filter(({ facts }) => facts.length > 0);
  return under(
    heading,
    filled.flatMap(({ label, facts }, i): Block[] => [
      ...(filled.length > 1 ? [{ kind: 'heading', level: 3, text: `${label} ${i + 1}` } as const] : []),
      { kind: 'facts', facts },
    ]),
  );
}
