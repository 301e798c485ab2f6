import { showOperation } from '@quire/catalog';
import type { AnyOperation, ShownField, ShownPart } from '@quire/registry';
import Joi from 'joi';
import { resolvedSchema, type JsonSchema } from './json-schema.js';

/** An option of an operation: a field of its form. */
export interface ClientField {
  /** As it is sent: `pageNumbers`. */
  readonly name: string;
  readonly type: ShownField['type'];
  /** One or more sentences, as in the API document. */
  readonly description: string;
  readonly required: boolean;
  readonly default?: unknown;
  /** The only values that it allows. */
  readonly values?: readonly (string | number | boolean)[];
  readonly minimum?: number;
  readonly maximum?: number;
  /** `minimum` or `maximum` itself is not allowed. */
  readonly above?: boolean;
  readonly below?: boolean;
  /** Characters of a text, items of a list. */
  readonly shortest?: number;
  readonly longest?: number;
  readonly unit?: string;
}

/** A file field of an operation besides its documents (`fileInput`): a stamp, a certificate. */
export interface ClientPart {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  /** Several files may be sent. */
  readonly many: boolean;
  /** Extensions with a dot; empty for any file. */
  readonly extensions: readonly string[];
}

/** An operation as a generated client needs it. */
export interface ClientOperation {
  /** `general/rotate-pdf`; the call is `POST /api/v1/` + path. */
  readonly path: string;
  /** Camel case, unique: `rotatePdf`. The same as its operationId in the API document. */
  readonly name: string;
  readonly category: string;
  readonly title: string;
  readonly summary: string;
  /** Markdown; undefined where the summary says it all. */
  readonly notes?: string;
  /** How many documents a call takes; `none` for an operation without input document. */
  readonly input: 'none' | 'one' | 'many';
  /** Extensions of its documents, with a dot; empty for any file. */
  readonly extensions: readonly string[];
  readonly fields: readonly ClientField[];
  readonly parts: readonly ClientPart[];
  readonly returns: {
    readonly type: 'file' | 'json';
    /** File types of the result; `same` is that of the input. */
    readonly kinds: readonly string[];
    /** The result may be a zip of several files. */
    readonly many: boolean;
    /** The answer may be 204 without a result (filters). */
    readonly mayDrop: boolean;
    /** Of a JSON answer, without references; undefined where it is not described. */
    readonly schema?: JsonSchema;
  };
  readonly effects: readonly string[];
  /** It may be a step of a pipeline. */
  readonly pipeline: boolean;
  /** It may run as a job. */
  readonly job: boolean;
  /** The operation to use instead, as a path; empty if there is none. Undefined unless it is deprecated. */
  readonly deprecated?: string;
}

/** The parts of the API document that are read here. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, { readonly post?: ApiCall } | undefined>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

interface ApiCall {
  readonly operationId: string;
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: JsonSchema }>> } | undefined>
  >;
}

const DOCUMENT_FIELD = 'fileInput';

/**
 * Returns the operations as generated clients need them, sorted by path. `document` is the answer of `/v1/api-docs`: it
 * has the names of the operations and the schemas of their answers.
 *
 * @throws Error when the document has no call for an operation
 */
export function clientModel(operations: readonly AnyOperation[], document: ApiDocument): ClientOperation[] {
  return operations.map((operation) => clientOperation(operation, document)).sort((a, b) => (a.path < b.path ? -1 : 1));
}

function clientOperation(operation: AnyOperation, document: ApiDocument): ClientOperation {
  const call = document.paths[`/api/v1/${operation.path}`]?.post;
  if (call === undefined) throw new Error(`The API document has no call for ${operation.path}`);
  const schema = operation.params(Joi) as Joi.ObjectSchema;
  const shown = showOperation({ operation, schema, name: call.operationId }, () => undefined);
  const documents = shown.parts.find(({ field }) => field === DOCUMENT_FIELD);
  const { path, name, category, title, summary, notes, effects, pipeline, job, deprecated } = shown;
  const answer = shown.returns.type === 'json' ? answerSchema(call, document) : undefined;
  return {
    path,
    name,
    category,
    title,
    summary,
    ...(notes === undefined ? {} : { notes }),
    input: documents === undefined ? 'none' : documents.many ? 'many' : 'one',
    extensions: documents?.extensions ?? [],
    fields: clientFields(shown.fields, schema),
    parts: shown.parts.filter((part) => part !== documents).map(clientPart),
    returns: { ...shown.returns, ...(answer === undefined ? {} : { schema: answer }) },
    effects,
    pipeline,
    job,
    ...(deprecated === undefined ? {} : { deprecated: deprecated.use ?? '' }),
  };
}

/** The part of Joi's description of a form that is read here. */
interface FormDescription {
  readonly keys?: Readonly<
    Record<string, { readonly flags?: { readonly only?: boolean; readonly description?: string } } | undefined>
  >;
}

function clientFields(fields: readonly ShownField[], schema: Joi.ObjectSchema): ClientField[] {
  const { keys = {} } = schema.describe() as FormDescription;
  return fields.map((field) => {
    const { description = field.help, only } = keys[field.name]?.flags ?? {};
    return clientField(field, sentence(description ?? field.label), only === true);
  });
}

/** `closed`: the field allows nothing but the values that it lists. */
function clientField(field: ShownField, description: string, closed: boolean): ClientField {
  const { name, type, required, minimum, maximum, above, below, shortest, longest, unit } = field;
  const values = closed ? field.values?.map(({ value }) => value) : undefined;
  const all = { default: field.default, values, minimum, maximum, above, below, shortest, longest, unit };
  const known = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  return { name, type, description, required, ...known };
}

function sentence(text: string): string {
  return text.replace(/(?<![.!?:])$/, '.');
}

function clientPart({ field, label, help, required, many, extensions }: ShownPart): ClientPart {
  return { name: field, description: sentence(help ?? label), required, many, extensions };
}

/** The schema of the answer in JSON, without the alternative that a job has been started. */
function answerSchema({ responses }: ApiCall, { components }: ApiDocument): JsonSchema | undefined {
  const schema = responses['200']?.content?.['application/json']?.schema;
  if (schema === undefined) return undefined;
  const own = (schema.anyOf ?? [schema]).filter(({ $ref }) => $ref !== '#/components/schemas/JobStarted');
  const [only] = own;
  if (only === undefined) return undefined;
  return resolvedSchema(own.length === 1 ? only : { anyOf: own }, components.schemas);
}
