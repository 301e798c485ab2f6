import type { CatalogOperation } from '@quire/catalog';
import { REPLACED, type FieldFault } from '@quire/registry';
import type Joi from 'joi';

/** Instead of Joi's words, which name a property of the language and no limits. */
const MESSAGES = {
  'number.unsafe': '{{#label}} is too large: numbers go from -9007199254740991 to 9007199254740991',
  'number.infinity': '{{#label}} must be a finite number',
};

/** The result of validating a form or a step against an operation's declaration. */
export interface ValidatedParams {
  readonly params: Readonly<Record<string, unknown>>;
  /** Fields that the operation does not know; ignored by contract and named in the answer. */
  readonly ignored: readonly string[];
  /** Values that another one replaces; accepted by contract and named in the answer. */
  readonly replaced: readonly ReplacedValue[];
  readonly faults: readonly FieldFault[];
}

/** A value that cannot be used, and the one that is used instead. */
export interface ReplacedValue extends FieldFault {
  readonly used: string;
}

interface Fields {
  readonly names: readonly string[];
  readonly maps: ReadonlySet<string>;
  readonly jsons: ReadonlySet<string>;
}

const fieldCache = new WeakMap<object, Fields>();

function fieldsOf(operation: CatalogOperation): Fields {
  let fields = fieldCache.get(operation);
  if (fields === undefined) {
    // Not `describe()`: it checks its answer by a schema, for 10 ms.
    const keys = (operation.schema.$_terms['keys'] ?? []) as readonly { key: string; schema: Joi.Schema }[];
    const named = (fits: (schema: Joi.Schema) => boolean): ReadonlySet<string> =>
      new Set(keys.filter(({ schema }) => fits(schema)).map(({ key }) => key));
    fields = {
      names: keys.map(({ key }) => key),
      maps: named(({ type }) => type === 'object'),
      jsons: named(({ $_terms }) =>
        ((($_terms['metas'] as unknown) ?? []) as readonly { json?: true }[]).some(({ json }) => json === true),
      ),
    };
    fieldCache.set(operation, fields);
  }
  return fields;
}

/** Returns the names of an operation's own fields. */
export function fieldNames(operation: CatalogOperation): readonly string[] {
  return fieldsOf(operation).names;
}

/**
 * Returns the names of the fields that contain named texts (`mapField`): sent as one JSON object, or each text as
 * `field[name]`.
 */
export function mapFields(operation: CatalogOperation): ReadonlySet<string> {
  return fieldsOf(operation).maps;
}

/** Returns the names of the fields whose text is JSON (`jsonField`): a pipeline may contain the value itself. */
export function jsonFields(operation: CatalogOperation): ReadonlySet<string> {
  return fieldsOf(operation).jsons;
}

/** Most texts in a field of named texts. */
const MAX_NAMED = 1000;

/** Fields that core uses, which are not parameters of any operation. */
const reservedFields: ReadonlySet<string> = new Set(['fileInput', 'fileId', 'async', 'callbackUrl', 'callbackSecret']);

/**
 * Applies aliases, converts and checks the values, and lists every fault with a JSON Pointer that starts with `prefix`.
 */
export function validateParams(
  operation: CatalogOperation,
  raw: Readonly<Record<string, unknown>>,
  prefix = '',
): ValidatedParams {
  const known = fieldNames(operation);
  const parts = [
    ...(operation.operation.parts ?? []).map(({ field }) => field),
    ...(operation.operation.fileAliases ?? []),
  ];
  const aliases = operation.operation.aliases ?? {};
  const values: Record<string, unknown> = {};
  const named = namedTexts(operation, raw);
  const ignored: string[] = [];
  for (const [name, value] of Object.entries(raw)) {
    const own = Object.hasOwn(aliases, name) ? aliases[name] : undefined;
    if (known.includes(name)) values[name] = value;
    else if (named.sent.has(name)) continue;
    else if (own !== undefined && raw[own] === undefined) values[own] = value;
    else if (!reservedFields.has(name) && !parts.includes(name)) ignored.push(name);
  }
  for (const name of mapFields(operation)) {
    const texts = named.maps.get(name);
    if (texts !== undefined || (typeof values[name] === 'string' && values[name] !== ''))
      values[name] = withNamed(values[name], texts);
  }
  const crowded = [...mapFields(operation)].filter((name) => Object.keys(values[name] ?? {}).length > MAX_NAMED);
  // Joi would check every one of them.
  for (const name of crowded) delete values[name];
  const { value, error, warning } = operation.schema.validate(values, {
    abortEarly: false,
    convert: true,
    stripUnknown: true,
    errors: { wrap: { label: false } },
    messages: MESSAGES,
  });
  return {
    params: (value ?? {}) as Record<string, unknown>,
    ignored,
    replaced: replacedValues(warning, prefix),
    faults: [
      ...crowded.map((name) => ({ pointer: `${prefix}/${name}`, detail: `has more than ${MAX_NAMED} named texts` })),
      ...faultsOf(error, prefix),
    ],
  };
}

/** Texts that were sent as `field[name]`, grouped by field. */
function namedTexts(
  operation: CatalogOperation,
  raw: Readonly<Record<string, unknown>>,
): { readonly sent: ReadonlySet<string>; readonly maps: ReadonlyMap<string, Map<string, unknown>> } {
  const fields = mapFields(operation);
  const sent = new Set<string>();
  const maps = new Map<string, Map<string, unknown>>();
  if (fields.size > 0) {
    for (const [name, value] of Object.entries(raw)) {
      const [, field = '', key = ''] = /^([^[\]]+)\[(.+)\]$/s.exec(name) ?? [];
      if (!fields.has(field)) continue;
      sent.add(name);
      maps.set(field, (maps.get(field) ?? new Map<string, unknown>()).set(key, value));
    }
  }
  return { sent, maps };
}

/**
 * Returns a map field as an object: the JSON text merged with the texts sent by name. A value that is not an object is
 * left for the schema to reject.
 */
function withNamed(whole: unknown, texts: ReadonlyMap<string, unknown> | undefined): unknown {
  if (whole === undefined || whole === '') return Object.fromEntries(texts ?? []);
  let object: unknown = whole;
  try {
    if (typeof whole === 'string') object = JSON.parse(whole);
  } catch {
    return whole;
  }
  return typeof object === 'object' && object !== null && !Array.isArray(object)
    ? { ...object, ...Object.fromEntries(texts ?? []) }
    : whole;
}

/** Returns the first fault of each field: rules of the same field mostly fail for the same reason. */
export function faultsOf(error: Joi.ValidationError | undefined, prefix = ''): readonly FieldFault[] {
  const faults = new Map<string, FieldFault>();
  for (const detail of error?.details ?? []) {
    const found = fault(detail, prefix);
    if (!faults.has(found.pointer)) faults.set(found.pointer, found);
  }
  return [...faults.values()];
}

/** Returns the values that fields reported with `replaced`. */
function replacedValues(warning: Joi.ValidationError | undefined, prefix: string): ReplacedValue[] {
  return (warning?.details ?? [])
    .filter(({ type }) => type === REPLACED)
    .map(({ path, context }) => {
      const used = String(context?.['used']);
      const found = shorten(context?.value);
      return {
        pointer: pointerOf(path, prefix),
        used,
        detail: `${path.at(-1)} cannot be ${found}; without handling=strict it is replaced by ${used}`,
      };
    });
}

function pointerOf(path: readonly (string | number)[], prefix: string): string {
  return prefix + path.map((segment) => `/${escapePointer(String(segment))}`).join('');
}

/** Converts a Joi error to a fault that names the value found; values of secret fields are never repeated. */
function fault(detail: Joi.ValidationErrorItem, prefix: string): FieldFault {
  const pointer = pointerOf(detail.path, prefix);
  const found: unknown = detail.context?.value;
  const secret = /password|secret|passphrase|token|key$|^(mfa)?code$/i.test(String(detail.path.at(-1) ?? ''));
  const shown = found === undefined || secret || detail.type === 'any.required' ? '' : `; found ${shorten(found)}`;
  return { pointer, detail: `${messageOf(detail)}${shown}` };
}

/** The label of a shape is its name in the API description; messages name the field. */
function messageOf({ message, path, context }: Joi.ValidationErrorItem): string {
  const label = context?.label ?? '';
  const field = path.at(-1);
  return field !== undefined && /^[A-Z]\w*$/.test(label) && message.startsWith(`${label} `)
    ? `${field}${message.slice(label.length)}`
    : message;
}

function shorten(value: unknown): string {
  const text = asJson(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

function asJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    // Nested too deeply for the stack.
    return '…';
  }
}

/** Escapes one segment of a JSON Pointer (RFC 6901, 3). */
export function escapePointer(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1');
}
