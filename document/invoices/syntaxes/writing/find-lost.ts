import { type BinaryObject, type Group, type Invoice, invoiceModel, type Term } from '../../model/index.js';
import { trimXml } from '../xml/index.js';

/** A value of an invoice that a document cannot hold. */
export interface Lost {
  /** `BT-19`. */
  readonly term: string;
  readonly name: string;
  /** In the JSON of the invoice: `lines[2].note`. */
  readonly path: string;
  readonly value: string;
}

type Values = Readonly<Record<string, unknown>>;

/** Lists the values of `before` that `after` does not have in the same place, in the order of the model. */
export function findLost(before: Invoice, after: Invoice): readonly Lost[] {
  const lost: Lost[] = [];
  compareGroups(invoiceModel, { before: before as Values, after: after as Values, path: '', lost });
  return lost;
}

interface Comparison {
  readonly before: Values;
  readonly after: Values | undefined;
  readonly path: string;
  readonly lost: Lost[];
}

function compareGroups(group: Group, { before, after, path, lost }: Comparison): void {
  for (const [key, entry] of Object.entries(group.terms)) {
    const value = before[key];
    if (value === undefined) continue;
    const place = path === '' ? key : `${path}.${key}`;
    if (entry.node === 'term') compareTerms(entry, { value, other: after?.[key], path: place, lost });
    else
      for (const [index, one] of listOf(value).entries())
        compareGroups(entry, {
          before: one as Values,
          after: listOf(after?.[key])[index] as Values | undefined,
          path: Array.isArray(value) ? `${place}[${index}]` : place,
          lost,
        });
  }
}

interface TermComparison {
  readonly value: unknown;
  readonly other: unknown;
  readonly path: string;
  readonly lost: Lost[];
}

/** The values of a repeated term are a set: CII has its identifiers with a scheme after those without. */
function compareTerms(term: Term, { value, other, path, lost }: TermComparison): void {
  const remaining = listOf(other).map(canonical);
  for (const [index, one] of listOf(value).entries()) {
    const found = remaining.indexOf(canonical(one));
    if (found === -1)
      lost.push({
        term: term.id,
        name: term.name,
        path: Array.isArray(value) ? `${path}[${index}]` : path,
        value: shownValue(one),
      });
    else remaining.splice(found, 1);
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value];
}

/** White space around a text is no content: no reader keeps it. */
function canonical(value: unknown): string {
  if (typeof value === 'string') return trimXml(value);
  return JSON.stringify(
    Object.entries(value as object)
      .filter(([, member]) => member !== undefined)
      .map(([key, member]) => [key, trimXml(String(member))])
      .toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1)),
  );
}

/** A value in one line: of a file its name, of an identifier its scheme too. */
export function shownValue(value: unknown): string {
  if (typeof value === 'string') return value;
  if ('content' in (value as object)) {
    const { filename, content } = value as BinaryObject;
    return filename ?? `${content.length} characters of base64`;
  }
  const { value: text, scheme } = value as { readonly value: string; readonly scheme?: string };
  return scheme === undefined ? text : `${text} (${scheme})`;
}
