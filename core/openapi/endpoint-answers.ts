import type { Endpoint, ErrorCode, JoiRoot } from '@quire/registry';
import Joi from 'joi';

/** The generator describes a schema for any value as a string; this note marks such schemas for `correctSchemas`. */
export const ANYTHING = 'anything';

/** Files of any type, as callers upload them. */
export const ANY_MEDIA_TYPE = '*/*';

/** The generator does not say that an object may have members other than those it names; this note does. */
export const OPEN = 'open';

/**
 * The generator drops the members of an object with arbitrary member names if the object has a description; this note
 * keeps the description instead.
 */
export const DESCRIBED = 'described';

/** This note contains the JSON Schema of the document that a text holds. */
export const HOLDS = 'holds';

/**
 * The generator uses a label as the name of a schema only if the name is free, and does not report where a name comes
 * from; this note does.
 */
export const NAMED = 'named';

/**
 * The generator does not support links, with which a schema contains itself; this note contains the label of the
 * target.
 */
export const LINKED = 'linked';

/** Joi whose types record in notes what the generator drops. */
export const notingTypes = Joi.extend(
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

/** The members that Joi passes to the overriding methods of an extension. */
interface ExtendedSchema {
  readonly $_terms: { readonly keys?: unknown; readonly patterns?: unknown; readonly metas: readonly object[] | null };
  $_parent(method: 'unknown' | 'description' | 'label', value?: unknown): ExtendedSchema;
  clone(): Joi.Schema & { $_terms: { metas: readonly object[] | null } };
}

function named(this: ExtendedSchema, label: string): Joi.Schema {
  return noted(this.$_parent('label', label), { [NAMED]: label });
}

/** The generator reads only the first note, so all notes are merged into one. */
function noted(schema: ExtendedSchema, note: object): Joi.Schema {
  const changed = schema.clone();
  changed.$_terms.metas = [{ ...schema.$_terms.metas?.[0], ...note }];
  return changed;
}

/**
 * Joi for schemas of answers. It records `any()`, `unknown()`, labels, links and the descriptions of objects with
 * arbitrary member names in notes.
 */
export const documentingJoi: JoiRoot = Object.assign(Object.create(notingTypes) as JoiRoot, {
  any: () => Joi.any().meta({ [ANYTHING]: true }),
  // A type is required if null is one of the values (OpenAPI 3.0.3, `nullable`).
  valid: (...values: unknown[]) =>
    (values.every((value) => value === null) ? Joi.string() : documentingJoi.any()).valid(...values),
  link: (reference: string) => Joi.any().meta({ [LINKED]: reference.replace('#', '') }),
});

/** Returns the errors of an endpoint that follow from the form of its request. */
export function requestCodes({ request }: Endpoint): ErrorCode[] {
  if (request === undefined) return [];
  const { params, query, payload, payloadType, files, asFile } = request;
  const stored = payloadType === 'multipart' || payloadType === 'binary' || asFile === true;
  const typed = payload !== undefined || files !== undefined || asFile === true;
  return [
    ...(typed || params !== undefined || query !== undefined ? (['INPUT_INVALID'] as const) : []),
    ...(typed ? (['INPUT_MALFORMED', 'INPUT_MEDIA_TYPE'] as const) : []),
    ...(typed || stored ? (['INPUT_TOO_LARGE', 'INPUT_TOO_SLOW'] as const) : []),
    ...(stored ? (['STORAGE_FULL'] as const) : []),
  ];
}

/** Returns the schemas of an endpoint's JSON answers by status, for the generator. */
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
 * Returns the additional successful answers as the document describes them; `contentOf` returns the generator's version
 * of a schema.
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

/** Returns the schema of a file of this type; JSON may contain any value. */
export function fileSchemaOf(mediaType: string): object {
  if (mediaType === 'application/json') return {};
  return mediaType.startsWith('text/') ? { type: 'string' } : { type: 'string', format: 'binary' };
}
