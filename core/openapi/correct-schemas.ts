import { ANYTHING, DESCRIBED, HOLDS, OPEN } from './endpoint-answers.js';

/** The characters of `\p{Cc}` as a range. */
const CONTROLS = '\\x00-\\x1f\\x7f-\\x9f';

/** The parts of a document in which the generator makes mistakes. */
export interface GeneratedParts {
  paths: Record<string, object>;
  components: { schemas: Record<string, object> };
  /** Alternative schemas that the generator stores outside of the components. */
  'x-alt-definitions'?: Record<string, object>;
}

/**
 * Corrects mistakes of the generator: a schema for any value is described as a string, an object with arbitrary members
 * as one with a member called "string", and some alternatives are outside of the components.
 */
export function correctSchemas(document: GeneratedParts): void {
  const names = new Map<string, string>();
  for (const [name, schema] of Object.entries(document['x-alt-definitions'] ?? {})) {
    const free = freeName(name, document.components.schemas);
    document.components.schemas[free] = schema;
    // References are written as URIs.
    names.set(`#/x-alt-definitions/${encodeURIComponent(name)}`, `#/components/schemas/${encodeURIComponent(free)}`);
  }
  delete document['x-alt-definitions'];
  for (const part of [document.components.schemas, document.paths]) correct(part, names);
  for (const call of Object.values(document.paths).flatMap((methods) => Object.values(methods)) as Call[])
    correctRequest(call);
}

function correctRequest({ parameters, requestBody }: Call): void {
  // A day is accepted too.
  for (const { schema } of parameters ?? []) if (schema?.format === 'date-time') delete schema.format;
  for (const [type, { schema }] of Object.entries(requestBody?.content ?? {}))
    if (type !== 'application/json') for (const field of Object.values(schema?.properties ?? {})) oneType(field);
}

interface Call {
  readonly parameters?: readonly { readonly schema?: { format?: unknown } }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { schema?: { properties?: Record<string, FormField> } }>>;
  };
}

interface FormField {
  readonly type?: unknown;
  readonly anyOf?: readonly FormField[];
  items?: FormField;
}

/** Fields of forms are texts, so clients need no choice between a text and a number: the first one stays. */
function oneType(field: FormField): void {
  const [first, ...others] = field.items?.anyOf ?? [];
  const plain = ['string', 'number', 'integer'];
  if (first !== undefined && [first, ...others].every(({ type }) => plain.includes(String(type)))) field.items = first;
}

/** Members that contain values and no schemas. */
const values: ReadonlySet<string> = new Set(['default', 'example', 'enum']);

const LARGEST_INT32 = 2 ** 31 - 1;

/**
 * Numbers without a format become 32-bit types in Go, Java and C#, which sizes in bytes exceed, and in which a
 * coordinate loses digits.
 */
function addNumberFormat(schema: {
  type?: unknown;
  format?: unknown;
  readonly maximum?: unknown;
  readonly enum?: readonly unknown[];
}): void {
  if (schema.enum !== undefined) {
    if (schema.type === 'number' && schema.enum.every(Number.isInteger)) schema.type = 'integer';
    return;
  }
  if (schema.type === 'number') schema.format ??= 'double';
  const isSmall = typeof schema.maximum === 'number' && schema.maximum <= LARGEST_INT32;
  if (schema.type === 'integer' && !isSmall) schema.format ??= 'int64';
}

function freeName(name: string, taken: object): string {
  let free = name;
  while (free in taken) free += '_';
  return free;
}

/** `areMembers`: the value names the members of an object, so that one called `default` is a schema. */
function correct(value: unknown, names: ReadonlyMap<string, string>, areMembers = false): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [member, inner] of Object.entries(value))
    if (areMembers || !values.has(member)) correct(inner, names, !areMembers && member === 'properties');
  if (areMembers) return;
  const schema = value as {
    $ref?: unknown;
    type?: unknown;
    format?: unknown;
    maximum?: unknown;
    enum?: readonly unknown[];
    properties?: Record<string, unknown>;
    additionalProperties?: unknown;
    description?: string;
    pattern?: unknown;
    default?: unknown;
    'x-contentSchema'?: unknown;
    'x-format'?: { readonly isoDate?: unknown };
    'x-meta'?: Readonly<Record<string, unknown>>;
  };
  if (schema['x-meta']?.[ANYTHING] === true) setType(schema);
  if (schema['x-meta']?.[OPEN] === true) schema.additionalProperties = true;
  const described = schema['x-meta']?.[DESCRIBED];
  if (typeof described === 'string') schema.description = described;
  // Regular expressions of JSON Schema have no flags: tools read `\p{…}`, which needs one, as an error.
  if (typeof schema.pattern === 'string') schema.pattern = schema.pattern.replaceAll('\\p{Cc}', CONTROLS);
  if (/\\p\{/i.test(String(schema.pattern))) delete schema.pattern;
  if (schema.default === null && 'type' in schema) delete schema.default;
  addNumberFormat(schema);
  if (schema['x-format']?.isoDate === true) schema.format = 'date-time';
  const content = schema['x-meta']?.[HOLDS];
  if (content !== undefined) schema['x-contentSchema'] = content;
  if (typeof schema.$ref === 'string') schema.$ref = names.get(schema.$ref) ?? schema.$ref;
  const [[name, member] = [], ...others] = Object.entries(schema.type === 'object' ? (schema.properties ?? {}) : {});
  if (name !== 'string' || others.length > 0) return;
  delete schema.properties;
  schema.additionalProperties = member;
}

/**
 * A schema for any value has no type, unless all its values have one type: `joi.valid('a', 'b', null)` is an `any()`
 * too.
 */
function setType(schema: { type?: unknown; nullable?: unknown; enum?: readonly unknown[] }): void {
  const types = new Set((schema.enum ?? []).filter((value) => value !== null).map((value) => typeof value));
  if (types.size === 1) [schema.type] = types;
  else {
    delete schema.type;
    // Null is a valid value too; with values of several types it must be listed.
    if (schema.nullable === true && schema.enum !== undefined) schema.enum = [...schema.enum, null];
    delete schema.nullable;
  }
}
