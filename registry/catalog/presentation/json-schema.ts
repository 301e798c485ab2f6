import type { ShownField } from '@quire/registry';

/** Longer patterns cost a reader more than they help; the server checks every value anyway. */
const LONGEST_PATTERN = 60;

/** Returns the JSON Schema (2020-12) of a field's values, without description and default. */
export function schemaOfField(field: ShownField): Readonly<Record<string, unknown>> {
  const { type, values, minimum, maximum, above, below, shortest, longest, pattern } = field;
  const choice = values === undefined ? {} : { enum: values.map(({ value }) => value) };
  switch (type) {
    case 'boolean':
      return { type };
    case 'integer':
    case 'number':
      return {
        type,
        ...choice,
        ...(minimum === undefined ? {} : { [above === true ? 'exclusiveMinimum' : 'minimum']: minimum }),
        ...(maximum === undefined ? {} : { [below === true ? 'exclusiveMaximum' : 'maximum']: maximum }),
      };
    case 'list':
      return { type: 'array', items: values === undefined ? { type: 'string' } : choice };
    case 'map':
      return { type: 'object', additionalProperties: { type: 'string' } };
    case 'json':
      return { description: 'JSON' };
    case 'text':
      return {
        ...(values?.every(({ value }) => typeof value === 'string') === false ? {} : { type: 'string' }),
        ...choice,
        ...(values === undefined ? textRules(shortest, longest, pattern) : {}),
      };
  }
}

function textRules(shortest?: number, longest?: number, pattern?: string): Readonly<Record<string, unknown>> {
  return {
    ...(shortest === undefined ? {} : { minLength: shortest }),
    ...(longest === undefined ? {} : { maxLength: longest }),
    ...(pattern === undefined || pattern.length > LONGEST_PATTERN ? {} : { pattern }),
  };
}
