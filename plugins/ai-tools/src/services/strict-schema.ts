/**
 * True when services may be asked to keep to the schema strictly: every object is closed and needs all of its members,
 * as their strict mode demands.
 */
export function isStrict(schema: unknown, depth = 0): boolean {
  if (typeof schema !== 'object' || schema === null || depth > 20) return false;
  const { type, properties, required, additionalProperties, items, anyOf, $defs, $ref, oneOf, allOf } =
    schema as Record<string, unknown>;
  if (oneOf !== undefined || allOf !== undefined) return false;
  const all = (part: unknown): boolean =>
    part === undefined ||
    (typeof part === 'object' && part !== null && Object.values(part).every((inner) => isStrict(inner, depth + 1)));
  const types = Array.isArray(type) ? type : [type];
  if (types.includes('object')) {
    if (
      additionalProperties !== false ||
      typeof properties !== 'object' ||
      properties === null ||
      !Array.isArray(required)
    )
      return false;
    if (!Object.keys(properties).every((name) => required.includes(name))) return false;
  }
  if (types.includes('array') && !isStrict(items, depth + 1)) return false;
  const says = type !== undefined || anyOf !== undefined || $ref !== undefined || 'enum' in schema || 'const' in schema;
  return says && all(properties) && all(anyOf) && all($defs);
}
