import { type Group, type Invoice, invoiceModel, type Term } from '@quire/document/invoices/model';

/** A value of the invoice, with the term that holds it. */
export interface Held {
  readonly term: Term;
  readonly value: unknown;
}

const codes: Readonly<Record<string, string>> = {
  'BT-3': '380',
  'BT-5': 'EUR',
  'BT-6': 'CHF',
  'BT-8': '35',
  'BT-21': 'AAI',
  'BT-81': '58',
  'BT-95': 'S',
  'BT-102': 'S',
  'BT-118': 'S',
  'BT-151': 'S',
  'BT-130': 'HUR',
  'BT-150': 'H87',
  'BT-84': 'DE02120300000000202051',
  'BT-24': 'urn:cen.eu:en16931:2017#conformant#urn:factur-x.eu:1p0:extended',
};

/**
 * An invoice with a value of its own for every term of the model, two occurrences of whatever can repeat, and sub
 * lines. The values are recognisable in a text; they do not add up.
 */
export function fullInvoice(): { readonly invoice: Invoice; readonly held: readonly Held[] } {
  const held: Held[] = [];
  let count = 100;
  const valueOf = (term: Term): unknown => {
    count++;
    const value = plainValue(term, count);
    if (term.type === 'schemed') return { value: `${term.id}.${count}`, scheme: '0088', schemeVersion: `v${count}` };
    if (term.type === 'binary') return { content: 'QUJD', mimeCode: 'text/csv', filename: `file-${count}.csv` };
    return value;
  };
  const fill = (group: Group, depth: number): object =>
    Object.fromEntries(
      Object.entries(group.terms)
        .filter(([key]) => key !== 'subLines' || depth < 2)
        .map(([key, node]) => {
          const many = node.occurs === '0..n' || node.occurs === '1..n';
          const one = (): unknown => {
            if (node.node === 'group') return fill(node, depth + (key === 'lines' || key === 'subLines' ? 1 : 0));
            const value = valueOf(node);
            held.push({ term: node, value });
            return value;
          };
          return [key, many ? [one(), one()] : one()];
        }),
    );
  return { invoice: fill(invoiceModel, 0) as Invoice, held };
}

function plainValue({ id, type }: Term, count: number): string {
  switch (type) {
    case 'date':
      return new Date(Date.UTC(2020, 0, count)).toISOString().slice(0, 10);
    case 'amount':
      return `${count * 1000}.50`;
    case 'price':
    case 'quantity':
      return `${count}.1230`;
    case 'percentage':
      return `${count / 10}`;
    case 'code':
      return codes[id] ?? 'DE';
    default:
      return codes[id] ?? `Text ${id} no. ${count}`;
  }
}
