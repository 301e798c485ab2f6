import type { OpenApiDocument } from './complete-document.js';

/** The members of an OpenAPI 3.0 schema that JSON Schema 2020-12 writes differently. */
interface Schema extends Record<string, unknown> {
  readonly type?: unknown;
  readonly nullable?: boolean;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: unknown;
  readonly exclusiveMaximum?: unknown;
  readonly 'x-contentSchema'?: unknown;
}

/** Returns the document as OpenAPI 3.1; nothing is added or left out. */
export function asVersion31(document: OpenApiDocument): OpenApiDocument {
  return { ...(converted(document) as OpenApiDocument), openapi: '3.1.0' };
}

/** Members whose values are data and not part of the document's structure. */
const data: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'value']);
/** Members whose values are named by their keys, so that a key says nothing about its value. */
const maps: ReadonlySet<string> = new Set(['properties', 'schemas', 'responses', 'paths', 'headers', 'content']);

function converted(value: unknown, isMap = false): unknown {
  if (Array.isArray(value)) return value.map((one) => converted(one));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      !isMap && data.has(name) ? inner : converted(inner, !isMap && maps.has(name)),
    ]),
  );
  return isMap ? members : schemaOf(members);
}

function schemaOf(schema: Schema): object {
  const { nullable, exclusiveMinimum, exclusiveMaximum, 'x-contentSchema': content, ...rest } = schema;
  const isBinary = rest.type === 'string' && rest.format === 'binary';
  const { format, minimum, maximum, ...others } = rest;
  const hasNull = nullable === true;
  return {
    ...others,
    ...(hasNull && typeof rest.type === 'string' ? { type: [rest.type, 'null'] } : {}),
    ...(hasNull && rest.enum !== undefined && !rest.enum.includes(null) ? { enum: [...rest.enum, null] } : {}),
    ...(isBinary ? { contentMediaType: 'application/octet-stream' } : format === undefined ? {} : { format }),
    ...limit('minimum', 'exclusiveMinimum', minimum, exclusiveMinimum),
    ...limit('maximum', 'exclusiveMaximum', maximum, exclusiveMaximum),
    ...(content === undefined ? {} : { contentMediaType: 'application/json', contentSchema: content }),
  };
}

/** In 3.0 `exclusive…` says how a limit is meant; in 3.1 it is the limit. */
function limit(name: string, exclusive: string, value: number | undefined, isExclusive: unknown): object {
  if (value === undefined) return isExclusive === undefined ? {} : { [exclusive]: isExclusive };
  return isExclusive === true ? { [exclusive]: value } : { [name]: value };
}
