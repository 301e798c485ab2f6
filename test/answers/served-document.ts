import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { asJsonSchema, type Schema } from './json-schema.js';

/** An answer as it left a server. */
export interface SeenAnswer {
  readonly method: string;
  /** Path without query, as it was asked for. */
  readonly path: string;
  readonly status: number;
  /** Media type without parameters; empty for none. */
  readonly mediaType: string;
  /** The whole body, where it is JSON and was kept. */
  readonly body: string | undefined;
}

interface DocumentedCall {
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }>
  >;
}

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedCall>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** A value that is too long for a line is cut here. */
const SHOWN_LENGTH = 80;
/** A wholly wrong list would fill pages. */
const MOST_FAULTS = 8;

/** The served document, asked about one answer at a time. Schemas are compiled when they are first needed. */
export class ServedDocument {
  readonly #document: ApiDocument;
  readonly #templates: readonly { readonly path: string; readonly pattern: RegExp }[];
  readonly #ajv = new Ajv({ strict: false, allErrors: true, verbose: true, validateFormats: false, logger: false });
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(document: ApiDocument) {
    this.#document = document;
    this.#templates = Object.keys(document.paths)
      .filter((path) => path.includes('{'))
      .map((path) => ({ path, pattern: patternOf(path) }));
    for (const [name, schema] of Object.entries(document.components.schemas))
      this.#ajv.addSchema(asJsonSchema(schema) as object, `#/components/schemas/${name}`);
  }

  /** The document of this checkout, or the one that QUIRE_OPENAPI names. */
  static read(): ServedDocument {
    const file =
      process.env['QUIRE_OPENAPI'] ?? fileURLToPath(new URL('../../docs/reference/openapi.json', import.meta.url));
    return new ServedDocument(JSON.parse(readFileSync(file, 'utf8')) as ApiDocument);
  }

  /** What is not as documented: one sentence each; none for a call that is not documented at all. */
  faultsOf(answer: SeenAnswer): string[] {
    const path = this.#pathOf(answer.path);
    const method = answer.method.toLowerCase();
    const call = path === undefined ? undefined : this.#document.paths[path]?.[method];
    if (path === undefined || call === undefined) return [];
    const name = `${answer.method} ${path}`;
    const response = call.responses[String(answer.status)];
    const isProblem = answer.mediaType === 'application/problem+json';
    const isSuccess = answer.status >= 200 && answer.status < 300;
    if (!isProblem && !isSuccess) return [];
    if (response === undefined)
      return [`${name} answered ${answer.status}, and declares ${Object.keys(call.responses).join(', ')}`];
    if (!isSuccess || answer.mediaType !== 'application/json') return [];
    const schema = response.content?.['application/json']?.schema;
    if (schema === undefined)
      return [
        `${name} answered JSON with ${answer.status}, and declares ` +
          `${Object.keys(response.content ?? {}).join(', ') || 'no body'}`,
      ];
    if (answer.body === undefined) return [];
    return this.#bodyFaults(`${method} ${path} ${answer.status}`, schema, JSON.parse(answer.body)).map(
      (fault) => `${name} answered ${answer.status}: ${fault}`,
    );
  }

  #pathOf(asked: string): string | undefined {
    // Behind a path of the operator's choice (`system.rootUriPath`).
    const plain = asked.replace(/^(?:\/[\w.-]+)+(?=\/api\/v1\/)/, '');
    return plain in this.#document.paths ? plain : this.#templates.find(({ pattern }) => pattern.test(plain))?.path;
  }

  #bodyFaults(key: string, schema: Schema, body: unknown): string[] {
    return [
      ...new Set(
        this.#errors(key, schema, body).map(({ instancePath, message, data, params }) => {
          const more = params as { additionalProperty?: string; allowedValues?: readonly unknown[] };
          const place = instancePath.replaceAll(/\/\d+(?=\/|$)/g, '/*');
          if (more.additionalProperty !== undefined) return `${place}/${more.additionalProperty} is not declared`;
          return (
            `${place || 'the body'} ${message}` +
            `${more.allowedValues === undefined ? '' : ` (${more.allowedValues.join(', ')})`}, found ` +
            `${shown(data)}`
          );
        }),
      ),
    ].slice(0, MOST_FAULTS);
  }

  /** Of alternatives, what is missing from the one that has the body's own members. */
  #errors(key: string, schema: Schema, body: unknown): readonly ErrorObject[] {
    const ofBody = (errors: readonly ErrorObject[]): number =>
      errors.filter(({ instancePath }) => instancePath === '').length;
    const alternatives = schema['anyOf'] as readonly Schema[] | undefined;
    if (alternatives !== undefined)
      return (
        alternatives
          .map((one, i) => this.#errors(`${key} ${i}`, one, body))
          .sort((one, other) => Number(one.length > 0) - Number(other.length > 0) || ofBody(one) - ofBody(other))[0] ??
        []
      );
    const validate = this.#compiled.get(key) ?? this.#ajv.compile(asJsonSchema(schema) as object);
    this.#compiled.set(key, validate);
    return validate(body) ? [] : (validate.errors ?? []);
  }
}

function patternOf(path: string): RegExp {
  return new RegExp(
    `^${path
      .split(/\{[^}]+\}/)
      .map((part) => part.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&'))
      .join('[^/]+')}$`,
  );
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
}
