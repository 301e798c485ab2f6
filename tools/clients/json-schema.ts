/** The part of a schema of the API document (OpenAPI 3.0) that generated types need. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly nullable?: boolean;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
}

const COMPONENTS = '#/components/schemas/';

/** Returns a schema with each reference replaced by its target; a schema within itself becomes `{}`. */
export function resolvedSchema(
  schema: JsonSchema,
  components: Readonly<Record<string, JsonSchema>>,
  within: readonly string[] = [],
): JsonSchema {
  const resolve = (each: JsonSchema): JsonSchema => resolvedSchema(each, components, within);
  const { $ref, properties, items, additionalProperties, anyOf, oneOf, allOf, ...rest } = schema;
  if ($ref !== undefined) {
    const name = $ref.replace(COMPONENTS, '');
    const target = components[name];
    if (target === undefined || within.includes(name)) return {};
    return resolvedSchema(target, components, [...within, name]);
  }
  return {
    ...rest,
    ...(properties === undefined
      ? {}
      : { properties: Object.fromEntries(Object.entries(properties).map(([key, each]) => [key, resolve(each)])) }),
    ...(items === undefined ? {} : { items: resolve(items) }),
    ...(typeof additionalProperties === 'object'
      ? { additionalProperties: resolve(additionalProperties) }
      : additionalProperties === undefined
        ? {}
        : { additionalProperties }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(resolve) }),
    ...(oneOf === undefined ? {} : { oneOf: oneOf.map(resolve) }),
    ...(allOf === undefined ? {} : { allOf: allOf.map(resolve) }),
  };
}
