import type { FilledForm } from './filled-form.ts';
import { buttonValues, type FormField, isOpen, limited, type Value } from './fields.ts';

/** What became of the values of a file. */
export interface Taken {
  readonly taken: number;
  /** Names that no field has, or whose field cannot be changed. */
  readonly unknown: readonly string[];
  /** Fields that have no such choice. */
  readonly refused: readonly string[];
}

const CHECKED: ReadonlySet<string> = new Set(['true', '1', 'yes', 'on', 'checked']);

/** Names and values as they are now, as JSON; `form/fill` takes it. */
export function valuesJson(form: FilledForm): Blob {
  const values = withValues(form).map(({ name }) => [name, form.value(name)] as const);
  return new Blob([`${JSON.stringify(Object.fromEntries(values), undefined, 2)}\n`], { type: 'application/json' });
}

/** Names and values as they are now, as CSV like that of `form/extract-csv`; several choices are joined by commas. */
export function valuesCsv(form: FilledForm): Blob {
  const rows = withValues(form).map(({ name }) => [name, String(form.value(name))]);
  const quote = (text: string): string => (text === '' ? '' : `"${text.replaceAll('"', '""')}"`);
  const lines = [['Field Name', 'Value'], ...rows].map((row) => `${row.map(quote).join(',')}\n`);
  return new Blob(lines, { type: 'text/csv' });
}

function withValues({ fields }: FilledForm): readonly FormField[] {
  return fields.filter(({ type }) => type !== 'button' && type !== 'signature');
}

/** Enters the values of a JSON or CSV file. Rejects if it has none. */
export async function takeValues(form: FilledForm, file: File): Promise<Taken> {
  const text = (await file.text()).replace(/^\ufeff/, '');
  const values = /^\s*[[{]/.test(text) ? jsonValues(text) : csvValues(text);
  const byName = new Map(form.fields.map((field) => [field.name, field]));
  const unknown: string[] = [];
  const refused: string[] = [];
  let taken = 0;
  for (const [name, given] of values) {
    const field = byName.get(name);
    if (field === undefined || !isOpen(field)) {
      if (field?.type !== 'button' && field?.type !== 'signature') unknown.push(name);
      continue;
    }
    const value = valueFor(field, given);
    if (value === undefined) refused.push(name);
    else {
      form.set(name, value);
      taken++;
    }
  }
  return { taken, unknown, refused };
}

function jsonValues(text: string): ReadonlyMap<string, unknown> {
  const data = JSON.parse(text) as unknown;
  const { template, fields } = isObject(data) ? data : {};
  if (isObject(template)) return new Map(Object.entries(template));
  const list = Array.isArray(data) ? (data as unknown[]) : Array.isArray(fields) ? (fields as unknown[]) : undefined;
  if (list === undefined && isObject(data)) return new Map(Object.entries(data));
  return new Map((list ?? []).flatMap((one) => (isObject(one) ? [[String(one['name']), one['value']] as const] : [])));
}

/** Rows with a name and a value; the first row is one of headings if no field has its name. */
function csvValues(text: string): ReadonlyMap<string, unknown> {
  const separator = /^[^\n"]*(?:"[^"]*"[^\n"]*)*;/.test(text) && !/^(?:"[^"]*"|[^\n",]*),/.test(text) ? ';' : ',';
  const cell = new RegExp(String.raw`("(?:[^"]|"")*"|[^${separator}\r\n]*)(${separator}|\r\n|\r|\n|$)`, 'gy');
  const values = new Map<string, unknown>();
  let row: string[] = [];
  for (const [whole, raw = '', end] of text.matchAll(cell)) {
    if (whole === '' && row.length === 0) break;
    row.push(raw.startsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw);
    if (end === separator) continue;
    if (row.length >= 2) values.set(row[0] ?? '', row[1]);
    row = [];
  }
  if (values.size === 0) throw new Error('The file has no rows with a name and a value.');
  values.delete('Field Name');
  return values;
}

/** The value that a field takes of what a file says; undefined if it has no such choice. */
function valueFor(field: FormField, given: unknown): Value | undefined {
  const texts = (Array.isArray(given) ? (given as unknown[]) : [given]).map((one) =>
    one === null || one === undefined ? '' : typeof one === 'object' ? JSON.stringify(one) : String(one),
  );
  const text = texts.join(',');
  switch (field.type) {
    case 'text':
      return limited(text.replaceAll(/\r\n?/g, '\n'), field);
    case 'checkbox': {
      const named = buttonValues(field).find((value) => isSame(value, text));
      return named ?? (CHECKED.has(text.trim().toLowerCase()) ? buttonValues(field)[0] : '');
    }
    case 'radio':
      return text.trim() === '' ? undefined : buttonValues(field).find((value) => isSame(value, text));
    case 'combobox':
      return text.trim() === '' ? '' : (choice(field, text) ?? (field.editable ? text : undefined));
    case 'listbox':
      return listed(field, texts);
    default:
      return undefined;
  }
}

function listed(field: FormField, texts: readonly string[]): Value | undefined {
  if (!field.multiSelect) return texts.join() === '' ? '' : choice(field, texts.join());
  const found = texts.flatMap((text) => choice(field, text) ?? choicesIn(field, text));
  return found.length > 0 || texts.join() === '' ? found : undefined;
}

/** The choices of a list in one text. Choices may contain commas: the longest that fits counts, as on the server. */
function choicesIn(field: FormField, text: string): readonly string[] {
  const parts = text.split(',');
  const found: string[] = [];
  for (let from = 0; from < parts.length; from++)
    for (let to = parts.length; to > from; to--) {
      const value = choice(field, parts.slice(from, to).join(','));
      if (value === undefined) continue;
      found.push(value);
      from = to - 1;
      break;
    }
  return found;
}

function choice({ choices = [] }: FormField, text: string): string | undefined {
  return (
    choices.find(({ value }) => value === text) ??
    choices.find(({ value, label }) => isSame(value, text) || isSame(label, text))
  )?.value;
}

function isSame(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase();
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
