import {
  resolve,
  type ApiDocument,
  type DocumentedCall,
  type FormExample,
  type Parameter,
  type Schema,
} from './api-document.js';

/** A call as Swagger UI would make it, planned from the document alone. */
export interface PlannedCall {
  readonly method: string;
  /** Path of the document with the values of its parameters. */
  readonly path: string;
  /** Path as written in the document; `example` is the title of the example. */
  readonly name: string;
  readonly example: string;
  readonly described: DocumentedCall;
  /** Values of the path parameters. */
  readonly inPath: Readonly<Record<string, string>>;
  readonly inHeader?: Readonly<Record<string, string>>;
  /** Fields of a form, in order; a list is sent as repeated fields, bytes as a file. */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** Addresses of the files of each file field. */
  readonly files?: Readonly<Record<string, readonly string[]>>;
  readonly json?: unknown;
  /** What the API description lacks for making this call. */
  readonly lacks?: string;
}

/** Values for a call from the answers of other calls, by the links of the document. */
export interface Given {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly payload: Readonly<Record<string, unknown>>;
}

const nothing: Given = { parameters: {}, payload: {} };

/** Plans every call of the document: one for each example of a form, one as a job, one for any other call. */
export function plannedCalls(document: ApiDocument): PlannedCall[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, described]) => callsOf(document, path, method, described, nothing)),
  );
}

/** Returns the call with the values from other answers. */
export function withGiven(document: ApiDocument, call: PlannedCall, given: Given): PlannedCall {
  return (
    callsOf(document, call.name, call.method, call.described, given).find(({ example }) => example === call.example) ??
    call
  );
}

function callsOf(
  document: ApiDocument,
  name: string,
  method: string,
  described: DocumentedCall,
  given: Given,
): PlannedCall[] {
  const { lacks, ...filled } = filledPath(document, name, described, given.parameters);
  const call = {
    method: method.toUpperCase(),
    name,
    ...filled,
    example: '',
    described,
    ...(lacks === undefined ? {} : { lacks }),
  };
  const [[type, media] = []] = Object.entries(described.requestBody?.content ?? {});
  if (type === undefined || media === undefined) return [call];
  const schema = resolve<Schema>(document, media.schema ?? {});
  if (type === 'application/json') {
    const shown = media.example ?? jsonExample(document, schema);
    const json =
      Object.keys(given.payload).length === 0 ? shown : { ...(shown as object | undefined), ...given.payload };
    return [json === undefined ? { ...call, lacks: call.lacks ?? 'an example of its body' } : { ...call, json }];
  }
  const examples = Object.entries(media.examples ?? {});
  if (examples.length === 0) return [{ ...call, ...withForm(document, schema, {}, given.payload, call.lacks) }];
  const planned = examples.map(([title, example]) => ({
    ...call,
    example: title,
    ...withForm(document, schema, example, given.payload, call.lacks),
  }));
  return [...planned, ...planned.slice(0, 1).filter(leadsToJob).map(asJob)];
}

/** Whether the document says that the call can start a job (202 with a link to it). */
const leadsToJob = ({ described }: PlannedCall): boolean => described.responses['202']?.links !== undefined;

/** The same call as the description of `Prefer` says that jobs are started. */
function asJob(call: PlannedCall): PlannedCall {
  const inHeader = { ...call.inHeader, Prefer: 'respond-async' };
  return { ...call, example: `${call.example}, as a job`, inHeader };
}

/**
 * Fills the form as Swagger UI does: with the example, else examples and defaults of the fields, else an empty string.
 */
function withForm(
  document: ApiDocument,
  schema: Schema,
  example: FormExample,
  given: Given['payload'],
  lacks: string | undefined,
): Pick<PlannedCall, 'fields' | 'files' | 'lacks'> {
  const fields: Record<string, unknown> = {};
  const missing: string[] = [];
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const field = resolve<Schema>(document, property);
    if (given[name] !== undefined) {
      fields[name] = given[name];
      continue;
    }
    if (example['x-files']?.[name] !== undefined) continue;
    const isFile = field.format === 'binary' || field.items?.format === 'binary';
    const needed = schema.required?.includes(name) === true;
    const value = isFile
      ? ''
      : (example.value?.[name] ??
        field.example ??
        field.default ??
        (needed ? field.enum?.[0] : undefined) ??
        (field.type === 'array' ? [] : ''));
    if (needed && (value === '' || (Array.isArray(value) && value.length === 0)) && example.value?.[name] === undefined)
      missing.push(name);
    if (isFile && example.value?.[name] !== undefined) missing.push(`the file ${String(example.value[name])}`);
    fields[name] = value;
  }
  const why = lacks ?? (missing.length > 0 ? `a value of ${missing.join(', ')}` : undefined);
  return { fields, files: example['x-files'] ?? {}, ...(why === undefined ? {} : { lacks: why }) };
}

function filledPath(
  document: ApiDocument,
  name: string,
  described: DocumentedCall,
  given: Given['parameters'],
): Pick<PlannedCall, 'path' | 'inPath' | 'inHeader' | 'lacks'> {
  const query = new URLSearchParams();
  const missing: string[] = [];
  const inPath: Record<string, string> = {};
  const inHeader: Record<string, string> = {};
  for (const one of described.parameters ?? []) {
    const parameter = resolve<Parameter>(document, one);
    const schema = resolve<Schema>(document, parameter.schema ?? {});
    const linked = given[parameter.name] ?? given[`${parameter.in}.${parameter.name}`];
    const value = linked ?? parameter.example ?? schema.example ?? schema.default;
    if (value === undefined && parameter.required === true) missing.push(parameter.name);
    if (parameter.in === 'header' && linked !== undefined) inHeader[parameter.name] = String(linked);
    if (value === undefined || parameter.in === 'header') continue;
    if (parameter.in === 'path') inPath[parameter.name] = String(value);
    else query.set(parameter.name, String(value));
  }
  const path = name.replaceAll(/\{(\w+)\}/g, (whole, parameter: string) =>
    inPath[parameter] === undefined ? whole : encodeURIComponent(inPath[parameter]),
  );
  return {
    path: query.size === 0 ? path : `${path}?${query.toString()}`,
    inPath,
    inHeader,
    ...(missing.length === 0 ? {} : { lacks: `a value of ${missing.join(', ')}` }),
  };
}

/** Returns the body that Swagger UI shows; undefined when a member of it would be invented. */
function jsonExample(document: ApiDocument, schema: Schema): unknown {
  if (schema.example !== undefined) return schema.example;
  if (schema.default !== undefined) return schema.default;
  if (schema.type !== 'object' || schema.properties === undefined) return schema.enum?.[0];
  const members = Object.entries(schema.properties).map(
    ([name, property]) => [name, jsonExample(document, resolve<Schema>(document, property))] as const,
  );
  return members.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(members);
}
