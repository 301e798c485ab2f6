import type { CatalogOperation } from '@quire/catalog';
import type { FieldFault } from '@quire/registry';
import type Joi from 'joi';

/** The result of reading a form or a step against an operation's declaration. */
export interface ValidatedParams {
  readonly params: Readonly<Record<string, unknown>>;
  /** Fields that the operation does not know; ignored by contract, named in the answer. */
  readonly ignored: readonly string[];
  readonly faults: readonly FieldFault[];
}

const fieldCache = new WeakMap<object, readonly string[]>();

/** The names of an operation's own fields. */
export function fieldNames(operation: CatalogOperation): readonly string[] {
  let names = fieldCache.get(operation);
  if (names === undefined) {
    names = Object.keys((operation.schema.describe() as { keys?: object }).keys ?? {});
    fieldCache.set(operation, names);
  }
  return names;
}

/** Fields that mean something to core and are nobody's parameter. */
export const reservedFields: ReadonlySet<string> = new Set(['fileInput', 'fileId', 'async']);

/** Applies aliases, converts and checks the values, and lists every fault with a JSON Pointer below `prefix`. */
export function validateParams(operation: CatalogOperation, raw: Readonly<Record<string, unknown>>, prefix = ''): ValidatedParams {
  const known = fieldNames(operation);
  const parts = [...(operation.operation.parts ?? []).map(({ field }) => field), ...(operation.operation.fileAliases ?? [])];
  const aliases = operation.operation.aliases ?? {};
  const values: Record<string, unknown> = {};
  const ignored: string[] = [];
  for (const [name, value] of Object.entries(raw)) {
    const own = Object.hasOwn(aliases, name) ? aliases[name] : undefined;
    if (known.includes(name)) values[name] = value;
    else if (own !== undefined && raw[own] === undefined) values[own] = value;
    else if (!reservedFields.has(name) && !parts.includes(name)) ignored.push(name);
  }
  const { value, error } = operation.schema.validate(values, { abortEarly: false, convert: true, stripUnknown: true, errors: { wrap: { label: false } } });
  return { params: (value ?? {}) as Record<string, unknown>, ignored, faults: error === undefined ? [] : error.details.map((detail) => fault(detail, prefix)) };
}

/** Joi's complaint as a fault that says what was found; values of secret fields are never repeated. */
export function fault(detail: Joi.ValidationErrorItem, prefix: string): FieldFault {
  const pointer = prefix + detail.path.map((segment) => `/${escapePointer(String(segment))}`).join('');
  const found: unknown = detail.context?.value;
  const secret = /password|secret|passphrase|token|key$|^(mfa)?code$/i.test(String(detail.path.at(-1) ?? ''));
  const shown = found === undefined || secret || detail.type === 'any.required' ? '' : `; found ${shorten(found)}`;
  return { pointer, detail: `${detail.message}${shown}` };
}

function shorten(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(value) : JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

/** Escapes one segment of a JSON Pointer (RFC 6901, 3). */
export function escapePointer(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1');
}
