/** A schema object of OpenAPI 3.0. */
export interface Schema {
  readonly [keyword: string]: unknown;
}

const maps = ['properties'];
const lists = ['anyOf', 'oneOf', 'allOf'];
const singles = ['items', 'additionalProperties', 'not'];

/**
 * Converts a schema object of OpenAPI 3.0 to JSON Schema: `nullable` becomes an alternative, a bound's `exclusive…:
 * true` the bound itself (OpenAPI 3.0.3, 4.7.24). An object with declared members allows no others, unless it says so,
 * because the document must describe all of them.
 */
export function asJsonSchema(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  const { nullable, ...rest } = schema as Schema;
  // Siblings of a reference are ignored (OpenAPI 3.0.3, 4.7.23).
  if (typeof rest['$ref'] === 'string') return { $ref: rest['$ref'] };
  const made: Record<string, unknown> = { ...rest };
  for (const keyword of ['example', 'default', 'description']) delete made[keyword];
  for (const keyword of singles) if (keyword in made) made[keyword] = asJsonSchema(made[keyword]);
  for (const keyword of lists)
    if (Array.isArray(made[keyword])) made[keyword] = (made[keyword] as unknown[]).map(asJsonSchema);
  for (const keyword of maps)
    if (keyword in made)
      made[keyword] = Object.fromEntries(
        Object.entries(made[keyword] as object).map(([name, inner]) => [name, asJsonSchema(inner)]),
      );
  for (const bound of ['Minimum', 'Maximum']) {
    if (made[`exclusive${bound}`] !== true) continue;
    made[`exclusive${bound}`] = made[bound.toLowerCase()];
    delete made[bound.toLowerCase()];
  }
  if (made['type'] === 'object' && Object.keys((made['properties'] as object | undefined) ?? {}).length > 0)
    made['additionalProperties'] ??= false;
  return nullable === true ? { anyOf: [made, { type: 'null' }] } : made;
}
