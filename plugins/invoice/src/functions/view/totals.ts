import type { Block, CellText, Column, Row, Table } from '@quire/document/composition';
import type { Part } from './part.js';
import { wordOf } from './words.js';

const number = (title: string, width: number): Column => ({ title, align: 'end', width });
const cell = (text: string | undefined): CellText[] => (text === undefined ? [] : [{ text }]);

/** Allowances and charges of the whole invoice; undefined for an invoice without. */
export function reductionsOf(invoice: Part): Table | undefined {
  const { language } = invoice;
  const rows = [...invoice.parts('allowances'), ...invoice.parts('charges')].map(reductionRow);
  if (rows.length === 0) return undefined;
  return {
    kind: 'table',
    caption: wordOf('reductions', language),
    columns: [
      { title: wordOf('kind', language), align: 'start', width: 46 },
      number(wordOf('base', language), 15),
      number(wordOf('percentage', language), 12),
      number(wordOf('vat', language), 12),
      number(wordOf('amount', language), 15),
    ],
    rows,
    rowHeader: 0,
  };
}

function reductionRow(part: Part): Row {
  const reason = part.text('reason');
  const category = part.code('vatCategory');
  const cells = [
    cell(part.text('baseAmount')),
    cell(part.text('percentage')),
    [...cell(part.text('vatRate')), ...(category === undefined ? [] : [{ text: category, tone: 'muted' } as const])],
    cell(part.text('amount')),
  ];
  const kind: CellText[] = [
    { text: part.label, tone: 'strong' },
    ...cell(reason),
    ...part.rest().map(({ label, value }): CellText => ({ label, text: value, tone: 'muted' })),
  ];
  return { cells: [kind, ...cells] };
}

/** The VAT breakdown: one row for each category and rate. */
export function vatOf(invoice: Part): Table | undefined {
  const { language } = invoice;
  const parts = invoice.parts('vatBreakdown');
  const [first] = parts;
  if (first === undefined) return undefined;
  return {
    kind: 'table',
    caption: first.label,
    columns: [
      { title: first.labelOf('category'), align: 'start', width: 50 },
      number(wordOf('rate', language), 14),
      number(first.labelOf('taxableAmount'), 18),
      number(first.labelOf('taxAmount'), 18),
    ],
    rows: parts.map((part): Row => {
      const category = cell(part.text('category'));
      const numbers = [part.text('rate'), part.text('taxableAmount'), part.text('taxAmount')].map(cell);
      const others = part.rest().map(({ label, value }): CellText => ({ label, text: value, tone: 'muted' }));
      return { cells: [[...category, ...others], ...numbers] };
    }),
    rowHeader: 0,
  };
}

/** The totals in the order of the standard, which is that of the sum. */
export function totalsOf(invoice: Part, currency: string | undefined, vatCurrency: string | undefined): Block[] {
  const { language } = invoice;
  return invoice.parts('totals').flatMap((totals): Block[] => {
    const labels = { foreign: totals.labelOf('vatInAccountingCurrency'), due: totals.labelOf('due') };
    const rows = totals.rest().map(({ label, value }): Row => {
      const text = label === labels.foreign && vatCurrency !== undefined ? `${value}\u00a0${vatCurrency}` : value;
      return { cells: [[{ text: label }], [{ text }]], ...(label === labels.due ? { tone: 'total' } : {}) };
    });
    if (rows.length === 0) return [];
    const title = currency === undefined ? wordOf('amount', language) : wordOf('amountIn', language, { currency });
    const columns: Column[] = [{ title: wordOf('total', language), align: 'start', width: 70 }, number(title, 30)];
    return [
      { kind: 'heading', level: 2, text: totals.label },
      { kind: 'table', caption: totals.label, columns, rows, rowHeader: 0 },
    ];
  });
}
