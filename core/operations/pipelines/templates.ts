import { baseName, type FieldFault } from '@quire/registry';
import { escapePointer } from '../runner/index.js';

/** What placeholders in the parameters of a step stand for. */
export interface TemplateFacts {
  /** Name of the file that the step receives; of the first, where it receives several. */
  readonly file: string;
  readonly at: Date;
  /** The values that came with the pipeline, for `{{input.<name>}}`. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** For a check that has no file yet. */
export const sampleFile = 'document.pdf';

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;
const WHOLE = /^\{\{([^{}]*)\}\}$/;
const INPUT = 'input.';

/** Dates and times in UTC, as ISO 8601 has them; the time with characters that names of files may contain. */
const named: Readonly<Record<string, (facts: TemplateFacts) => string>> = {
  date: ({ at }) => at.toISOString().slice(0, 10),
  time: ({ at }) => at.toISOString().slice(11, 19).replaceAll(':', '-'),
  'file.name': ({ file }) => file,
  'file.base': ({ file }) => baseName(file),
  'file.extension': ({ file }) => file.slice(baseName(file).length + 1),
};

/** Returns the names of the inputs that a text uses: `["customer"]` for `Invoice for {{input.customer}}`. */
export function inputsUsed(value: unknown): readonly string[] {
  return placeholdersOf(value, '')
    .filter(({ name }) => name.startsWith(INPUT))
    .map(({ name }) => name.slice(INPUT.length));
}

/** Returns the placeholders that stand for nothing, with pointers below `at`. */
export function templateFaults(
  value: unknown,
  at: string,
  values: Readonly<Record<string, unknown>>,
): readonly FieldFault[] {
  const known = [...Object.keys(named), ...Object.keys(values).map((name) => `${INPUT}${name}`)];
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
  if (Object.hasOwn(named, name)) return named[name]?.(facts);
  const input = name.startsWith(INPUT) ? name.slice(INPUT.length) : '';
  return Object.hasOwn(facts.values, input) ? facts.values[input] : null;
}

function placeholdersOf(value: unknown, at: string): { readonly pointer: string; readonly name: string }[] {
  if (typeof value === 'string')
    return [...value.matchAll(PLACEHOLDER)].map(([, name = '']) => ({ pointer: at, name: name.trim() }));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => placeholdersOf(item, `${at}/${escapePointer(name)}`));
}
