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
}

function freeName(name: string, taken: object): string {
  let free = name;
  while (free in taken) free += '_';
  return free;
}

function correct(value: unknown, names: ReadonlyMap<string, string>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const inner of Object.values(value)) correct(inner, names);
  const schema = value as {
    $ref?: unknown;
    type?: unknown;
    enum?: readonly unknown[];
    properties?: Record<string, unknown>;
    additionalProperties?: unknown;
    description?: string;
    pattern?: unknown;
    default?: unknown;
    'x-contentSchema'?: unknown;
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
