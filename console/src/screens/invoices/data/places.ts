import { invoiceModel, type Group, type Invoice, type Term, type TermType } from '@quire/document/invoices/model';
import { isGiven, type Violation } from '../answers.ts';

/** The path of a value in the JSON of an invoice: `lines.2.price.net`; lists are counted from 0. */
export type Path = string;

interface Step {
  readonly key: string;
  readonly repeats: boolean;
}

/** The way to each term and group from the invoice. Sub lines have the terms of lines: theirs are not listed again. */
const steps: ReadonlyMap<string, readonly Step[]> = (() => {
  const found = new Map<string, readonly Step[]>();
  const walk = (group: Group, way: readonly Step[]): void => {
    for (const [key, node] of Object.entries(group.terms)) {
      const here = [...way, { key, repeats: node.occurs.endsWith('n') }];
      found.set(node.id, here);
      if (node.node === 'group' && key !== 'subLines') walk(node, here);
    }
  };
  walk(invoiceModel, []);
  return found;
})();

/** Elements that repeat, by the key of their list: the number in an XPath says which one is meant. */
const repeated: Readonly<Record<string, RegExp>> = {
  lines: /(?:IncludedSupplyChainTradeLineItem|InvoiceLine|CreditNoteLine)\[(\d+)\]/,
  vatBreakdown: /(?:ApplicableHeaderTradeSettlement[^/]*\/[^/]*ApplicableTradeTax|TaxSubtotal)\[(\d+)\]/,
  notes: /(?:IncludedNote|Note)\[(\d+)\]/,
  supportingDocuments: /AdditionalDocumentReference\[(\d+)\]/,
};

/** Where an invoice has a term that a violation names, or would have it; undefined for a term that is not known. */
export function placeOf(term: string, { location, value }: Violation, invoice: Invoice): Path | undefined {
  const way = steps.get(term);
  if (way === undefined) return undefined;
  const path: (string | number)[] = [];
  let holder: unknown = invoice;
  for (const [i, { key, repeats }] of way.entries()) {
    path.push(key);
    holder = memberOf(holder, key);
    if (!repeats || !Array.isArray(holder)) continue;
    const at = indexIn(location?.xpath, key) ?? indexOfValue(holder, way.slice(i + 1), value) ?? 0;
    path.push(at);
    holder = (holder as readonly unknown[])[at];
  }
  return path.join('.');
}

/** The place that a violation is about: its first business term, else its first group. */
export function targetOf(violation: Violation, invoice: Invoice): Path | undefined {
  const { terms, value } = violation;
  const places = terms.map((term) => placeOf(term, violation, invoice)).filter((place) => place !== undefined);
  const hasValue = (place: Path): boolean => isGiven(value) && textOf(valueAt(invoice, place)) === value;
  return places.find(hasValue) ?? places[terms.findIndex((term) => term.startsWith('BT'))] ?? places[0];
}

export function valueAt(invoice: Invoice, path: Path): unknown {
  return path.split('.').reduce<unknown>((holder, key) => memberOf(holder, key), invoice);
}

/** The term or group at a place; undefined where the model has none. */
export function nodeAt(path: Path): Term | Group | undefined {
  let node: Term | Group | undefined = invoiceModel;
  for (const key of path.split('.'))
    if (!/^\d+$/.test(key)) node = node?.node === 'group' ? node.terms[key] : undefined;
  return node;
}

/** The type of the term at a place; of a group as if it were a text. */
export function typeAt(path: Path): TermType {
  const node = nodeAt(path);
  return node?.node === 'term' ? node.type : 'text';
}

/** The text of a term's value: of an identifier without its scheme, of a file its name. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  const text = memberOf(value, 'value') ?? memberOf(value, 'filename');
  return typeof text === 'string' ? text : undefined;
}

function memberOf(holder: unknown, key: string): unknown {
  return typeof holder === 'object' && holder !== null ? (holder as Readonly<Record<string, unknown>>)[key] : undefined;
}

function indexIn(xpath: string | undefined, key: string): number | undefined {
  const number = repeated[key]?.exec(xpath ?? '')?.[1];
  return number === undefined ? undefined : Number(number) - 1;
}

/** The first item that has the value at the end of the way. */
function indexOfValue(
  items: readonly unknown[],
  way: readonly Step[],
  value: string | null | undefined,
): number | undefined {
  if (!isGiven(value)) return undefined;
  const at = items.findIndex(
    (item) => textOf(way.reduce<unknown>((holder, { key }) => memberOf(holder, key), item)) === value,
  );
  return at < 0 ? undefined : at;
}
