import { resolve, type ApiDocument, type DocumentedCall, type FormExample, type Parameter, type Schema } from './api-document.js';

/** A call as Swagger UI would make it, planned from the document alone. */
export interface PlannedCall {
  readonly method: string;
  /** Path of the document, with the values of its parameters. */
  readonly path: string;
  /** Path as the document has it, and the title of the example. */
  readonly name: string;
  readonly example: string;
  readonly described: DocumentedCall;
  /** Fields of a form, in order; a field with a list is repeated. */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** Addresses of the files of each file field. */
  readonly files?: Readonly<Record<string, readonly string[]>>;
  readonly json?: unknown;
  /** Why nobody can make it from the document alone. */
  readonly lacks?: string;
}

/** Calls that would end the server that is walked through, or the one who walks. */
const last = ['/api/v1/auth/logout', '/api/v1/admin/settings/restart'];

/** Every call of the document: one for each example of a form, one for whatever else needs nothing that the document does not give. */
export function plannedCalls(document: ApiDocument): PlannedCall[] {
  const calls = Object.entries(document.paths).flatMap(([path, methods]) => Object.entries(methods).flatMap(([method, described]) => callsOf(document, path, method, described)));
  return [...calls.filter(({ name }) => !last.includes(name)), ...calls.filter(({ name }) => last.includes(name))];
}

function callsOf(document: ApiDocument, name: string, method: string, described: DocumentedCall): PlannedCall[] {
  const { path, lacks } = filledPath(document, name, described);
  const call = { method: method.toUpperCase(), name, path, example: '', described, ...(lacks === undefined ? {} : { lacks }) };
  const [[type, media] = []] = Object.entries(described.requestBody?.content ?? {});
  if (type === undefined || media === undefined) return [call];
  const schema = resolve<Schema>(document, media.schema ?? {});
  if (type === 'application/json') {
    const json = media.example ?? jsonExample(document, schema);
    return [json === undefined ? { ...call, lacks: call.lacks ?? 'an example of its body' } : { ...call, json }];
  }
  const examples = Object.entries(media.examples ?? {});
  if (examples.length === 0) return [{ ...call, ...withForm(document, schema, {}, call.lacks) }];
  return examples.map(([title, example]) => ({ ...call, example: title, ...withForm(document, schema, example, call.lacks) }));
}

/** The form as Swagger UI fills it: the example, else examples and defaults of the fields, else nothing, which is sent as an empty text. */
function withForm(document: ApiDocument, schema: Schema, example: FormExample, lacks: string | undefined): Pick<PlannedCall, 'fields' | 'files' | 'lacks'> {
  const fields: Record<string, unknown> = {};
  const missing: string[] = [];
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const field = resolve<Schema>(document, property);
    if (example['x-files']?.[name] !== undefined) continue;
    const isFile = field.format === 'binary' || field.items?.format === 'binary';
    const needed = schema.required?.includes(name) === true;
    const value = isFile ? '' : example.value?.[name] ?? field.example ?? field.default ?? (needed ? field.enum?.[0] : undefined) ?? (field.type === 'array' ? [] : '');
    if (needed && (value === '' || (Array.isArray(value) && value.length === 0)) && example.value?.[name] === undefined) missing.push(name);
    if (isFile && example.value?.[name] !== undefined) missing.push(`the file ${String(example.value[name])}`);
    fields[name] = value;
  }
  const why = lacks ?? (missing.length > 0 ? `a value of ${missing.join(', ')}` : undefined);
  return { fields, files: example['x-files'] ?? {}, ...(why === undefined ? {} : { lacks: why }) };
}

function filledPath(document: ApiDocument, name: string, described: DocumentedCall): { path: string; lacks?: string } {
  const query = new URLSearchParams();
  const missing: string[] = [];
  let path = name;
  for (const one of described.parameters ?? []) {
    const parameter = resolve<Parameter>(document, one);
    const schema = resolve<Schema>(document, parameter.schema ?? {});
    const value = parameter.example ?? schema.example ?? schema.default;
    if (value === undefined && parameter.required === true) missing.push(parameter.name);
    if (value === undefined || parameter.in === 'header') continue;
    if (parameter.in === 'path') path = path.replace(`{${parameter.name}}`, encodeURIComponent(String(value)));
    else query.set(parameter.name, String(value));
  }
  return { path: query.size === 0 ? path : `${path}?${query.toString()}`, ...(missing.length === 0 ? {} : { lacks: `a value of ${missing.join(', ')}` }) };
}

/** The body that Swagger UI shows, where no member of it is made up; undefined else. */
function jsonExample(document: ApiDocument, schema: Schema): unknown {
  if (schema.example !== undefined) return schema.example;
  if (schema.default !== undefined) return schema.default;
  if (schema.type !== 'object' || schema.properties === undefined) return schema.enum?.[0];
  const members = Object.entries(schema.properties).map(([name, property]) => [name, jsonExample(document, resolve<Schema>(document, property))] as const);
  return members.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(members);
}
