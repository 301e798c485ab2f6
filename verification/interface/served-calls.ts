/** The part of an OpenAPI 3.0 schema that is compared. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly required?: readonly string[];
}

/** A field that a call accepts. */
export interface ServedField {
  readonly schema: Schema;
  readonly required: boolean;
}

/** A call of the served document. */
export interface ServedCall {
  readonly method: string;
  readonly path: string;
  readonly fields: Readonly<Record<'form' | 'query' | 'json', ReadonlyMap<string, ServedField>>>;
  readonly statuses: ReadonlySet<number>;
  /** Media types of successful answers, with the schemas of their bodies. */
  readonly content: ReadonlyMap<string, Schema>;
  /** Templates of the names of returned files. */
  readonly fileNames: readonly string[];
}

interface OpenApiCall {
  readonly parameters?: readonly {
    readonly $ref?: string;
    readonly name?: string;
    readonly in?: string;
    readonly required?: boolean;
    readonly schema?: Schema;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> };
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
        readonly headers?: Readonly<
          Record<string, { readonly examples?: Readonly<Record<string, { readonly summary?: string }>> }>
        >;
      }
    >
  >;
}

/** The members of an OpenAPI 3.0 document that are read. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiCall>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

/** A served interface: its calls, and a way to resolve its schemas. */
export interface Served {
  readonly calls: readonly ServedCall[];
  /** Resolves references and alternatives of a schema, without the job record, which every tool may answer. */
  readonly alternatives: (schema: Schema | undefined) => readonly Schema[];
}

/** Removes the names of path parameters, which no client sends. */
export function plainPath(path: string): string {
  return path.replaceAll(/\{[^}]*\}/g, '{}');
}

/** Reads the calls of an OpenAPI document. Throws for one without calls, because comparing it would prove nothing. */
export function readServed(document: OpenApi): Served {
  const alternatives = (schema: Schema | undefined): readonly Schema[] => {
    if (schema === undefined || schema.$ref === '#/components/schemas/JobStarted') return [];
    if (schema.$ref !== undefined)
      return alternatives(document.components?.schemas?.[schema.$ref.split('/').at(-1) ?? '']);
    const several = schema.anyOf ?? schema.oneOf;
    return several === undefined ? [schema] : several.flatMap(alternatives);
  };
  const calls = Object.entries(document.paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod).map(([method, call]) => readCall(method.toUpperCase(), path, call, alternatives)),
  );
  if (calls.length === 0) throw new Error('the served document has no calls');
  return { calls, alternatives };
}

function readCall(method: string, path: string, call: OpenApiCall, alternatives: Served['alternatives']): ServedCall {
  const bodies = Object.entries(call.requestBody?.content ?? {});
  const body = (json: boolean): Map<string, ServedField> =>
    new Map(
      bodies
        .filter(([type]) => (type === 'application/json') === json)
        .flatMap(([, { schema }]) => alternatives(schema))
        .flatMap(fieldsOf),
    );
  const successes = Object.entries(call.responses).filter(([status]) => status.startsWith('2') && status !== '202');
  const query = (call.parameters ?? []).flatMap(({ name, in: place, required, schema }) =>
    place === 'query' && name !== undefined
      ? [[name, { schema: schema ?? {}, required: required === true }] as const]
      : [],
  );
  return {
    method,
    path,
    fields: { form: body(false), json: body(true), query: new Map(query) },
    statuses: new Set(Object.keys(call.responses).map(Number)),
    content: new Map(
      successes.flatMap(([, { content }]) =>
        Object.entries(content ?? {}).map(([type, { schema }]) => [type, schema ?? {}] as const),
      ),
    ),
    fileNames: successes.flatMap(([, { headers }]) =>
      Object.values(headers?.['Content-Disposition']?.examples ?? {}).flatMap(({ summary }) => summary ?? []),
    ),
  };
}

/** The first of numbered fields stands for all (`fileInputs[0].fileInput`). */
function fieldsOf(body: Schema): [string, ServedField][] {
  return Object.entries(body.properties ?? {}).map(([name, schema]) => [
    name.replaceAll('[0]', '[]'),
    { schema, required: body.required?.includes(name) === true },
  ]);
}

/**
 * Returns the schemas at a path of members (`pages[].width`, `{}.enabled` under any key, `Page {}.Size`); empty when
 * none is documented there.
 */
export function schemasAt(root: Schema, path: string, { alternatives }: Served): readonly Schema[] {
  let found = alternatives(root);
  // A dot within a name would need its own notation in the contract; no name has one.
  for (const step of path
    .replaceAll('[]', '.[]')
    .split('.')
    .filter((part) => part !== '')) {
    found = found.flatMap((schema) => {
      if (step === '[]') return alternatives(schema.items);
      const own = step.includes('{}') ? undefined : schema.properties?.[step];
      return own === undefined && typeof schema.additionalProperties === 'object'
        ? alternatives(schema.additionalProperties)
        : alternatives(own);
    });
  }
  return found;
}

/** Lists the paths of all members of a schema; stops at a schema that contains itself. */
export function memberPaths(root: Schema, served: Served): string[] {
  const paths: string[] = [];
  const walk = (schema: Schema | undefined, path: string, above: readonly Schema[]): void => {
    for (const one of served.alternatives(schema)) {
      if (above.includes(one)) continue;
      if (one.items !== undefined) walk(one.items, `${path}[]`, [...above, one]);
      for (const [name, inner] of Object.entries(one.properties ?? {})) {
        const own = path === '' ? name : `${path}.${name}`;
        paths.push(own);
        walk(inner, own, [...above, one]);
      }
    }
  };
  walk(root, '', []);
  return [...new Set(paths)];
}
