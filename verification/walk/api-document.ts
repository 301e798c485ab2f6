/** A schema of the served document; only the members that Swagger UI's form uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly default?: unknown;
  readonly example?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** A named example of a form: its field values and the addresses of its files. */
export interface FormExample {
  readonly value?: Readonly<Record<string, unknown>>;
  readonly 'x-files'?: Readonly<Record<string, readonly string[]>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly required?: boolean;
  readonly example?: unknown;
  readonly schema?: Schema;
}

export interface Media {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, FormExample>>;
}

/** A link from an answer to another call (OpenAPI 3.0.3, Link Object). */
export interface Link {
  readonly operationId: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly 'x-requestBody'?: Readonly<Record<string, unknown>>;
}

/** An answer that the document describes. */
export interface DocumentedAnswer {
  readonly description: string;
  readonly links?: Readonly<Record<string, Link | { readonly $ref: string }>>;
}

/** A call that the document describes. */
export interface DocumentedCall {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, DocumentedAnswer>>;
  /** An empty list: the call needs no credentials. */
  readonly security?: readonly unknown[];
}

/** The served OpenAPI document. */
export interface ApiDocument {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedCall>>>>;
  readonly components: {
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly parameters?: Readonly<Record<string, Parameter>>;
  };
}

/** Fetches the document of a running server. Throws when there is none. */
export async function readDocument(url: string): Promise<ApiDocument> {
  const answer = await fetch(`${url}/v1/api-docs`);
  if (!answer.ok) throw new Error(`no API documentation at ${url}: ${answer.status}`);
  return withAnswers((await answer.json()) as ApiDocument);
}

/** Returns the document with all references to shared answers resolved. */
export function withAnswers(document: ApiDocument): ApiDocument {
  const answered = (call: DocumentedCall): DocumentedCall => ({
    ...call,
    responses: Object.fromEntries(
      Object.entries(call.responses).map(([status, answer]) => [status, resolve<DocumentedAnswer>(document, answer)]),
    ),
  });
  return {
    ...document,
    paths: Object.fromEntries(
      Object.entries(document.paths).map(([path, methods]) => [
        path,
        Object.fromEntries(Object.entries(methods).map(([method, call]) => [method, answered(call)])),
      ]),
    ),
  };
}

/** Resolves a reference within the document; returns any other value unchanged. */
export function resolve<T extends object>(document: ApiDocument, value: T | { readonly $ref?: string }): T {
  const { $ref } = value as { $ref?: string };
  if ($ref === undefined) return value as T;
  let found: unknown = document;
  for (const step of $ref.replace('#/', '').split('/'))
    found = (found as Record<string, unknown> | undefined)?.[
      decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
    ];
  if (found === undefined) throw new Error(`the document does not define ${$ref}`);
  return resolve(document, found as T);
}
