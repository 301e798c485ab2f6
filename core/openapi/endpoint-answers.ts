import type { Endpoint, ErrorCode, JoiRoot } from '@quire/registry';
import Joi from 'joi';

/** The generator calls what may be anything a string; this note tells `correctSchemas` which those are. */
export const ANYTHING = 'anything';

/** The generator does not tell that an object may have members beside those that it names; this note does. */
export const OPEN = 'open';

/**
 * The generator forgets the members of an object with members of any name when that has a description; this note holds
 * it instead.
 */
export const DESCRIBED = 'described';

/**
 * The generator calls a schema by its label only where no other one was called so before, and does not tell where a
 * name comes from; this note does.
 */
export const NAMED = 'named';

/** The generator knows no links, by which a schema holds itself; this note has the label of what is meant. */
export const LINKED = 'linked';

const notingTypes = Joi.extend(
  {
    type: 'object',
    base: Joi.object(),
    overrides: {
      unknown(this: ExtendedSchema, allow?: boolean) {
        const changed = this.$_parent('unknown', allow);
        return allow === false ? (changed as unknown as Joi.Schema) : noted(changed, { [OPEN]: true });
      },
      description(this: ExtendedSchema, text: string) {
        const isMap = this.$_terms.patterns !== null && this.$_terms.keys === null;
        return isMap
          ? noted(this, { [DESCRIBED]: text })
          : (this.$_parent('description', text) as unknown as Joi.Schema);
      },
      label: named,
    },
  },
  { type: 'array', base: Joi.array(), overrides: { label: named } },
) as JoiRoot;

/** What Joi gives the overriding methods of an extension. */
interface ExtendedSchema {
  readonly $_terms: { readonly keys?: unknown; readonly patterns?: unknown; readonly metas: readonly object[] | null };
  $_parent(method: 'unknown' | 'description' | 'label', value?: unknown): ExtendedSchema;
  clone(): Joi.Schema & { $_terms: { metas: readonly object[] | null } };
}

function named(this: ExtendedSchema, label: string): Joi.Schema {
  return noted(this.$_parent('label', label), { [NAMED]: label });
}

/** The generator reads the first note alone, so that all are one. */
function noted(schema: ExtendedSchema, note: object): Joi.Schema {
  const changed = schema.clone();
  changed.$_terms.metas = [{ ...schema.$_terms.metas?.[0], ...note }];
  return changed;
}

/**
 * Joi for schemas of answers, in which `any()`, `unknown()`, labels, links and the description of members of any name
 * are noted.
 */
export const documentingJoi: JoiRoot = Object.assign(Object.create(notingTypes) as JoiRoot, {
  any: () => Joi.any().meta({ [ANYTHING]: true }),
  // A type is needed where null is one of the values (OpenAPI 3.0.3, `nullable`).
  valid: (...values: unknown[]) =>
    (values.every((value) => value === null) ? Joi.string() : documentingJoi.any()).valid(...values),
  link: (reference: string) => Joi.any().meta({ [LINKED]: reference.replace('#', '') }),
});

/** What a call of an endpoint may be refused with for what was sent, as it follows from what the endpoint takes. */
export function requestCodes({ request }: Endpoint): ErrorCode[] {
  if (request === undefined) return [];
  const { params, query, payload, files, asFile } = request;
  const hasBody = payload !== undefined || files !== undefined || asFile === true;
  return [
    ...(hasBody || params !== undefined || query !== undefined ? (['INPUT_INVALID'] as const) : []),
    ...(hasBody ? (['INPUT_MALFORMED', 'INPUT_MEDIA_TYPE', 'INPUT_TOO_LARGE', 'INPUT_TOO_SLOW'] as const) : []),
  ];
}

/** The schemas of an endpoint's JSON answers by status, for the generator. */
export function answerSchemas({
  returns,
}: Endpoint): Record<string, { readonly description: string; readonly schema?: Joi.Schema }> {
  const all = { [returns.status ?? 200]: returns, ...returns.also };
  return Object.fromEntries(
    Object.entries(all).map(([status, { description, json }]) => [
      status,
      { description, ...(json === undefined ? {} : { schema: json(documentingJoi) }) },
    ]),
  );
}

/**
 * The further successful answers as the document tells of them; `contentOf` gives what the generator made of a schema.
 */
export function furtherAnswers(
  { returns }: Endpoint,
  contentOf: (status: string) => object | undefined,
): Record<string, { readonly description: string; readonly content?: Record<string, object> }> {
  return Object.fromEntries(
    Object.entries(returns.also ?? {}).map(([status, { description, json }]) => [
      status,
      { description, ...(json === undefined ? {} : { content: { 'application/json': contentOf(status) ?? {} } }) },
    ]),
  );
}

/** The schema of a file of this type: JSON is told as such, whatever it holds. */
export function fileSchemaOf(mediaType: string): object {
  if (mediaType === 'application/json') return {};
  return mediaType.startsWith('text/') ? { type: 'string' } : { type: 'string', format: 'binary' };
}
