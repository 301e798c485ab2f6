import { isDecimal } from '@quire/document/invoices/amounts';
import { type Group, type Invoice, invoiceModel, type Term } from '@quire/document/invoices/model';
import { Faults, type Path } from './faults.js';

/** Nesting of sub lines; the extension of XRechnung is used with two. */
const MAX_DEPTH = 40;
const SHORT = 60;

/**
 * Reads an invoice from JSON: the members of the semantic model, every value a text. Null, and empty texts, lists and
 * objects, count as absent, as forms send them. Throws INPUT_INVALID with a JSON pointer for each fault: unknown
 * members, wrong types, numbers that are not decimal, dates that do not exist.
 */
export function readInvoiceJson(bytes: Uint8Array): Invoice {
  const faults = new Faults();
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    faults.add([], `The file is not JSON in UTF-8: ${(error as Error).message}`);
    faults.throwIfAny();
  }
  const invoice = readGroup(invoiceModel, value, [], faults);
  faults.throwIfAny();
  return (invoice ?? {}) as Invoice;
}

function readGroup(group: Group, value: unknown, path: Path, faults: Faults): object | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'object' || Array.isArray(value)) {
    faults.add(path, `${nameOf(group)} must be an object, not ${kindOf(value)}.`);
    return undefined;
  }
  if (path.length > 2 * MAX_DEPTH) {
    faults.add(path, `Sub lines are nested more than ${MAX_DEPTH} deep.`);
    return undefined;
  }
  const entries: [string, unknown][] = [];
  for (const [key, inner] of Object.entries(value)) {
    const node = Object.hasOwn(group.terms, key) ? group.terms[key] : undefined;
    if (node === undefined) {
      const known = Object.keys(group.terms).join(', ');
      faults.add([...path, key], `${nameOf(group)} has no member "${key.slice(0, SHORT)}". It has: ${known}.`);
      continue;
    }
    const read = readMember(node, inner, [...path, key], faults);
    if (read !== undefined) entries.push([key, read]);
  }
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function readMember(node: Term | Group, value: unknown, path: Path, faults: Faults): unknown {
  if (value === undefined || value === null) return undefined;
  const readOne = (inner: unknown, at: Path): unknown =>
    node.node === 'group' ? readGroup(node, inner, at, faults) : readTerm(node, inner, at, faults);
  if (!node.occurs.endsWith('n')) return readOne(value, path);
  if (!Array.isArray(value)) {
    faults.add(path, `${nameOf(node)} must be a list, not ${kindOf(value)}.`);
    return undefined;
  }
  const values = value.map((inner, i) => readOne(inner, [...path, i])).filter((inner) => inner !== undefined);
  return values.length === 0 ? undefined : values;
}

function readTerm(term: Term, value: unknown, path: Path, faults: Faults): unknown {
  if (term.type === 'schemed') return readParts(term, value, ['value', 'scheme', 'schemeVersion'], path, faults);
  if (term.type === 'binary') return readBinary(term, value, path, faults);
  const text = readText(term, value, path, faults);
  if (text === undefined) return undefined;
  if (term.type === 'date' && !isDate(text))
    faults.add(path, `${nameOf(term)} is "${short(text)}", which is not a date. Write YYYY-MM-DD.`);
  else if (isNumeric(term) && !isDecimal(text))
    faults.add(path, `${nameOf(term)} is "${short(text)}", which is not a decimal number. Write digits and a point.`);
  return text;
}

function readText(node: Term, value: unknown, path: Path, faults: Faults): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value.trim() === '' ? undefined : value.trim();
  const hint = typeof value === 'number' ? ` Put it in quotes ("${value}"), so that no digit is lost.` : '';
  faults.add(path, `${nameOf(node)} must be a text, not ${kindOf(value)}.${hint}`);
  return undefined;
}

/** An object of texts, of which the first is required. */
function readParts(
  term: Term,
  value: unknown,
  keys: readonly [string, ...string[]],
  path: Path,
  faults: Faults,
): Record<string, string> | undefined {
  if (value === null) return undefined;
  if (typeof value !== 'object' || Array.isArray(value)) {
    faults.add(path, `${nameOf(term)} must be an object with ${keys.join(', ')}, not ${kindOf(value)}.`);
    return undefined;
  }
  const parts: Record<string, string> = {};
  for (const [key, inner] of Object.entries(value)) {
    if (!keys.includes(key)) {
      faults.add([...path, key], `${nameOf(term)} has no member "${short(key)}". It has: ${keys.join(', ')}.`);
      continue;
    }
    const text = readText(term, inner, [...path, key], faults);
    if (text !== undefined) parts[key] = text;
  }
  if (Object.keys(parts).length === 0) return undefined;
  if (parts[keys[0]] === undefined) faults.add([...path, keys[0]], `${nameOf(term)} has no ${keys[0]}.`);
  return parts;
}

function readBinary(term: Term, value: unknown, path: Path, faults: Faults): Record<string, string> | undefined {
  const parts = readParts(term, value, ['content', 'mimeCode', 'filename'], path, faults);
  const content = parts?.['content'];
  if (parts === undefined || content === undefined) return parts;
  const plain = content.replace(/\s/g, '');
  if (plain.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(plain))
    faults.add([...path, 'content'], `The content of ${nameOf(term)} is not base64.`);
  return { ...parts, content: plain };
}

function isNumeric({ type }: Term): boolean {
  return type === 'amount' || type === 'price' || type === 'quantity' || type === 'percentage';
}

function isDate(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** `Invoice number (BT-1)`. */
export function nameOf({ name, id }: Term | Group): string {
  return `${name} (${id})`;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return value === null
    ? 'null'
    : ({ string: 'a text', number: 'a number', boolean: 'a boolean' }[typeof value as string] ?? 'an object');
}

function short(text: string): string {
  return text.length > SHORT ? `${text.slice(0, SHORT)}…` : text;
}
