import { labelOf } from '@quire/document/invoices/labels';
import type { CellText, Fact, Row, Table } from '@quire/document/composition';
import type { Part } from './part.js';
import { wordOf } from './words.js';

/** The lines of the invoice, sub lines below theirs; undefined for an invoice without lines. */
export function linesOf(invoice: Part): Table | undefined {
  const { language } = invoice;
  const rows = invoice.parts('lines').flatMap((line) => rowsOf(line, 0));
  if (rows.length === 0) return undefined;
  return {
    kind: 'table',
    caption: wordOf('lines', language),
    columns: [
      { title: labelOf('BT-126', language), align: 'start', width: 9 },
      { title: labelOf('BT-153', language), align: 'start', width: 40 },
      { title: wordOf('quantity', language), align: 'end', width: 15 },
      { title: labelOf('BT-146', language), align: 'end', width: 13 },
      { title: wordOf('vat', language), align: 'end', width: 10 },
      { title: labelOf('BT-131', language), align: 'end', width: 13 },
    ],
    rows,
    rowHeader: 1,
  };
}

function rowsOf(line: Part, depth: number): Row[] {
  const subLines = line.parts('subLines');
  const prices = line.parts('price');
  const vats = line.parts('vat');
  const cells = [
    texts(line.text('id')),
    [],
    quantity(line.text('quantity'), line.text('unit')),
    prices.flatMap(priceOf),
    vats.flatMap(vatOf),
    texts(line.text('netAmount')),
  ];
  // Last, because it holds whatever the other cells have not.
  cells[1] = itemOf(line, [...prices, ...vats]);
  return [{ cells, depth }, ...subLines.flatMap((subLine) => rowsOf(subLine, depth + 1))];
}

function texts(text: string | undefined): CellText[] {
  return text === undefined ? [] : [{ text }];
}

/** A number and below it its unit, so that the numbers of a column stand under each other. */
function quantity(amount: string | undefined, unit: string | undefined): CellText[] {
  return [...texts(amount), ...(unit === undefined ? [] : [{ text: unit, tone: 'muted' } as const])];
}

function priceOf(price: Part): CellText[] {
  const base = [price.text('baseQuantity'), price.text('baseQuantityUnit')].filter((text) => text !== undefined);
  const label = price.labelOf('baseQuantity');
  return [
    ...texts(price.text('net')),
    ...(base.length === 0 ? [] : [{ label, text: base.join(' '), tone: 'muted' } as const]),
    ...muted(price.facts('discount', 'gross')),
  ];
}

function vatOf(vat: Part): CellText[] {
  const category = vat.code('category');
  return [
    ...texts(vat.text('rate')),
    // The breakdown says what it means.
    ...(category === undefined ? [] : [{ text: category, tone: 'muted' } as const]),
  ];
}

/** The item, then everything else that the line has, with what the narrow columns have no room for. */
function itemOf(line: Part, narrow: readonly Part[]): CellText[] {
  const item = line.part('item');
  const name = item?.text('name');
  const description = item?.text('description');
  const attributes = (item?.parts('attributes') ?? []).map((attribute): CellText => {
    const label = attribute.text('name');
    const value = attribute.text('value') ?? '';
    const text = [value, ...attribute.rest().map((fact) => fact.value)].join(' · ');
    return { ...(label === undefined ? {} : { label }), text, tone: 'muted' };
  });
  return [
    ...(name === undefined ? [] : [{ text: name, tone: 'strong' } as const]),
    ...texts(description),
    ...attributes,
    ...muted(item?.rest() ?? []),
    ...muted(narrow.flatMap((part) => part.rest())),
    ...muted(line.rest()),
  ];
}

function muted(facts: readonly Fact[]): CellText[] {
  return facts.map(({ label, value }) => ({ label, text: value, tone: 'muted' }));
}
