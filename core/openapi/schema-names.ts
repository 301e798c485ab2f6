import { isDeepStrictEqual } from 'node:util';
import { LINKED, NAMED } from './endpoint-answers.js';

/** The parts of a document whose schemas get names. */
export interface NamedParts {
  paths: Record<string, Record<string, object>>;
  components: { schemas: Record<string, object> };
}

interface Call {
  readonly operationId?: string;
  readonly responses?: Readonly<Record<string, Body>>;
  readonly requestBody?: Body;
}

interface Body {
  readonly content?: Readonly<Record<string, { schema?: Schema }>>;
}

interface Schema extends Record<string, unknown> {
  readonly $ref?: string;
  readonly type?: unknown;
  readonly nullable?: boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly properties?: object;
  readonly 'x-meta'?: Readonly<Record<string, unknown>>;
}

const at = '#/components/schemas/';

/**
 * Gives schemas stable names. The generator names them after the member that contains them first, or numbers them, so
 * one more endpoint would rename the classes of generated clients. A labelled schema is named after its label
 * (`…OrNull` if it may be null); answers and JSON bodies without a label after their call; all others are inlined.
 */
export function nameSchemas(document: NamedParts): void {
  const made = document.components.schemas as Readonly<Record<string, Schema>>;
  const labels = new Map(
    Object.entries(made).flatMap(([name, schema]): [string, string][] => {
      const label = schema['x-meta']?.[NAMED];
      return typeof label === 'string' ? [[name, clean(`${label}${schema.nullable === true ? 'OrNull' : ''}`)]] : [];
    }),
  );
  // Equal schemas with the same label are merged; they can be compared only after all references are resolved.
  const drafts = new Map([...labels].map(([name]) => [name, placed(made[name], made, labels)]));
  const named: Record<string, unknown> = {};
  for (const [name, label] of labels) {
    const free = freeName(label, drafts.get(name), named);
    named[free] = drafts.get(name);
    labels.set(name, free);
  }
  for (const [name, label] of labels) named[label] = placed(made[name], made, labels);
  document.paths = placed(document.paths, made, labels) as NamedParts['paths'];
  for (const call of Object.values(document.paths).flatMap((methods) => Object.values(methods)) as Call[])
    nameBodies(call, named);
  document.components.schemas = named as NamedParts['components']['schemas'];
}

/** Returns a copy in which references to labelled schemas stay, and all others are replaced by their target. */
function placed(value: unknown, made: Readonly<Record<string, Schema>>, labels: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((one) => placed(one, made, labels));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, ...beside } = value as Schema;
  const linked = beside['x-meta']?.[LINKED];
  if (typeof linked === 'string') return { $ref: at + clean(linked) };
  const name = $ref?.startsWith(at) === true ? decodeURIComponent($ref.slice(at.length)) : undefined;
  if (name === undefined)
    return Object.fromEntries(Object.entries(value).map(([member, one]) => [member, placed(one, made, labels)]));
  const label = labels.get(name);
  if (label !== undefined) return { $ref: at + label };
  return { ...(placed(made[name], made, labels) as object), ...beside };
}

function nameBodies({ operationId = '', responses, requestBody }: Call, named: Record<string, unknown>): void {
  const call = operationId.charAt(0).toUpperCase() + operationId.slice(1);
  const bodies: [string, Body | undefined][] = [
    ...Object.entries(responses ?? {}).map(([status, body]): [string, Body] => [
      `Answer${status === '200' ? '' : status}`,
      body,
    ]),
    ['Request', requestBody],
  ];
  for (const [what, body] of bodies) {
    const json = body?.content?.['application/json'];
    if (json?.schema !== undefined) json.schema = called(json.schema, clean(`${call}${what}`), named);
  }
}

/** Names a body: itself, the items of a list, or those alternatives that are objects. */
function called(schema: Schema, name: string, named: Record<string, unknown>): Schema {
  if (schema.type === 'array' && schema.items !== undefined)
    return { ...schema, items: called(schema.items, `${name}Item`, named) };
  if (schema.anyOf !== undefined) return { ...schema, anyOf: schema.anyOf.map((one) => called(one, name, named)) };
  if (schema.properties === undefined) return schema;
  const free = freeName(name, schema, named);
  named[free] = schema;
  return { $ref: at + free };
}

/** Returns the name, with a number if another schema has it. */
function freeName(name: string, schema: unknown, named: Readonly<Record<string, unknown>>): string {
  let free = name;
  for (let n = 2; free in named && !isDeepStrictEqual(named[free], schema); n++) free = `${name}${n}`;
  return free;
}

/** Component names consist of letters, digits, `.`, `-` and `_` (OpenAPI 3.0.3, 4.7.7). */
function clean(name: string): string {
  return name.replaceAll(/[^\w.-]+/g, '_');
}
