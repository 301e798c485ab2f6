import { baseName, type FieldFault } from '@quire/registry';
import { escapePointer, type InvoiceTexts } from '../runner/index.js';

/** A file as placeholders see it. */
export interface NamedFile {
  readonly name: string;
  /** Present if a placeholder needs it. */
  readonly invoice?: InvoiceTexts;
}

/** A value with placeholders, which differs between files. */
export interface PerFile<T> {
  /** A placeholder stands for something in the invoice of the file, so that it has to be read. */
  readonly needsInvoice: boolean;
  of(file: NamedFile): T;
}

/** What placeholders in the parameters of a step stand for. */
export interface TemplateFacts {
  /** The file that the step receives; the first, where it receives several. */
  readonly file: NamedFile;
  readonly at: Date;
  /** The values that came with the pipeline, for `{{input.<name>}}`. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The text is not the name of a file: what an invoice says may hold all characters of a line. */
  readonly isText?: true;
}

/** For a check that has no file yet. */
export const sampleFile: NamedFile = {
  name: 'document.pdf',
  invoice: {
    number: '2026-0001',
    date: '2026-11-28',
    due: '2026-12-28',
    type: '380',
    seller: 'Seller',
    buyer: 'Buyer',
    total: '119.00',
    currency: 'EUR',
  },
};

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;
const WHOLE = /^\{\{([^{}]*)\}\}$/;
const INPUT = 'input.';
const INVOICE = 'invoice.';
/** Longest text of an invoice in a name, in characters. */
const LONGEST_INVOICE_TEXT = 80;

/** Dates and times in UTC, as ISO 8601 has them; the time with characters that names of files may contain. */
const named: Readonly<Record<string, (facts: TemplateFacts) => string>> = {
  date: ({ at }) => at.toISOString().slice(0, 10),
  time: ({ at }) => at.toISOString().slice(11, 19).replaceAll(':', '-'),
  'file.name': ({ file }) => file.name,
  'file.base': ({ file }) => baseName(file.name),
  'file.extension': ({ file }) => file.name.slice(baseName(file.name).length + 1),
};

/** Terms of the invoice that a PDF carries or an XML file is. */
const ofInvoice = (Object.keys(sampleFile.invoice ?? {}) as (keyof InvoiceTexts)[]).map(
  (term) =>
    [
      `${INVOICE}${term}`,
      ({ file, isText }: TemplateFacts) => (isText === true ? inTexts : inNames)(file.invoice?.[term] ?? ''),
    ] as const,
);
const everywhere = { ...named, ...Object.fromEntries(ofInvoice) };

/** Makes untrusted text safe for a file name: one line without path separators, shortened. */
function inNames(text: string): string {
  return shortened(text.replace(/[\\/:*?"<>|\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, '-').replace(/\s+/gu, ' '));
}

/** The same in a sentence: one line, shortened, so that it adds no lines of its own to a mail. */
function inTexts(text: string): string {
  return shortened(text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' '));
}

function shortened(line: string): string {
  return [...line].slice(0, LONGEST_INVOICE_TEXT).join('').trim();
}

/** Returns the names of the inputs that a text uses: `["customer"]` for `Invoice for {{input.customer}}`. */
export function inputsUsed(value: unknown): readonly string[] {
  return placeholdersOf(value, '')
    .filter(({ name }) => name.startsWith(INPUT))
    .map(({ name }) => name.slice(INPUT.length));
}

/** Whether a value, or one of the values that it may use, has a placeholder for an invoice. */
export function needsInvoice(value: unknown, scopes: readonly Readonly<Record<string, unknown>>[]): boolean {
  return placeholdersOf([value, ...scopes], '').some(({ name }) => name.startsWith(INVOICE));
}

/** Returns the placeholders that stand for nothing, with pointers below `at`. */
export function templateFaults(
  value: unknown,
  at: string,
  values: Readonly<Record<string, unknown>>,
): readonly FieldFault[] {
  const known = [...Object.keys(everywhere), ...Object.keys(values).map((name) => `${INPUT}${name}`)];
  return placeholdersOf(value, at)
    .filter(({ name }) => !known.includes(name))
    .map(({ pointer, name }) => ({
      pointer,
      detail: `{{${name.slice(0, 100)}}} stands for nothing; known are ${known.map((one) => `{{${one}}}`).join(', ')}`,
    }));
}

/** True if a value contains a placeholder. */
export function hasTemplates(value: unknown): boolean {
  return placeholdersOf(value, '').length > 0;
}

/**
 * Returns a copy with every placeholder replaced. A text that is one placeholder and nothing else becomes the value
 * itself, so a number stays a number; in a longer text, an input without a value becomes nothing.
 */
export function fillTemplates(value: unknown, facts: TemplateFacts): unknown {
  if (typeof value === 'string') {
    const [, whole] = WHOLE.exec(value) ?? [];
    if (whole !== undefined) return valueOf(whole.trim(), facts);
    return value.replace(PLACEHOLDER, (_, name: string) => String(valueOf(name.trim(), facts) ?? ''));
  }
  if (Array.isArray(value)) return value.map((item) => fillTemplates(item, facts));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fillTemplates(item, facts)]));
}

/** Returns the values of the innermost scope: those of each may have placeholders for those before. */
export function valuesIn(
  scopes: readonly Readonly<Record<string, unknown>>[],
  facts: Omit<TemplateFacts, 'values'>,
): Readonly<Record<string, unknown>> {
  const [first = {}, ...inner] = scopes;
  return inner.reduce((values, scope) => fillTemplates(scope, { ...facts, values }) as Record<string, unknown>, first);
}

function valueOf(name: string, facts: TemplateFacts): unknown {
  if (Object.hasOwn(everywhere, name)) return everywhere[name]?.(facts);
  const input = name.startsWith(INPUT) ? name.slice(INPUT.length) : '';
  return Object.hasOwn(facts.values, input) ? facts.values[input] : null;
}

function placeholdersOf(value: unknown, at: string): { readonly pointer: string; readonly name: string }[] {
  if (typeof value === 'string')
    return [...value.matchAll(PLACEHOLDER)].map(([, name = '']) => ({ pointer: at, name: name.trim() }));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => placeholdersOf(item, `${at}/${escapePointer(name)}`));
}
