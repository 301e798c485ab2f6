import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { asJsonSchema, type Schema } from './json-schema.js';

/** An answer as the server sent it. */
export interface SeenAnswer {
  readonly method: string;
  /** Path without query, as requested. */
  readonly path: string;
  readonly status: number;
  /** Media type without parameters; empty for none. */
  readonly mediaType: string;
  /** The whole body, if it is JSON and was recorded. */
  readonly body: string | undefined;
}

interface DocumentedAnswer {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface DocumentedCall {
  readonly responses: Readonly<Record<string, DocumentedAnswer>>;
}

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedCall>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Longer values are truncated. */
const SHOWN_LENGTH = 80;
/** Limits the output for an answer that is wrong throughout. */
const MOST_FAULTS = 8;

/** The API document, to check answers against. Schemas are compiled on first use. */
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

  /** Reads the document of this checkout, or the one at QUIRE_OPENAPI. */
  static read(): ServedDocument {
    const file =
      process.env['QUIRE_OPENAPI'] ?? fileURLToPath(new URL('../../docs/reference/openapi.json', import.meta.url));
    return new ServedDocument(JSON.parse(readFileSync(file, 'utf8')) as ApiDocument);
  }

  /** Returns differences from the documentation, one sentence each; none for an undocumented call. */
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
      return [`${name} answered ${answer.status}, but declares ${Object.keys(call.responses).join(', ')}`];
    if (!isSuccess || answer.mediaType !== 'application/json') return [];
    const schema = this.#jsonSchema(call, response, answer);
    if (schema === undefined)
      return [
        `${name} answered JSON with ${answer.status}, but declares ` +
          `${Object.keys(response.content ?? {}).join(', ') || 'no body'}`,
      ];
    if (answer.body === undefined) return [];
    return this.#bodyFaults(`${method} ${path} ${answer.status}`, schema, JSON.parse(answer.body)).map(
      (fault) => `${name} answered ${answer.status}: ${fault}`,
    );
  }

  /**
   * Returns the schema of a JSON answer. `async=true`, which only existing clients send, is described in words: its
   * answer has the body of the answer 202. A file of any type may be JSON of any shape.
   */
  #jsonSchema(call: DocumentedCall, { content = {} }: DocumentedAnswer, { status, body }: SeenAnswer) {
    const started = call.responses['202']?.content?.['application/json']?.schema;
    if (status === 200 && started !== undefined && isJobStart(body)) return started;
    return content['application/json']?.schema ?? ('*/*' in content ? {} : undefined);
  }

  #pathOf(asked: string): string | undefined {
    // The path prefix of the operator (`system.rootUriPath`).
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

  /** For alternatives, the errors of the one that matches the body's members best. */
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

function isJobStart(body: string | undefined): boolean {
  const value: unknown = body === undefined ? undefined : JSON.parse(body);
  return typeof value === 'object' && value !== null && 'async' in value && value.async === true;
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
