import type { JoiRoot } from '@quire/registry';
import type Joi from 'joi';

/** Form fields that are reserved for the server. */
export const reservedFields: readonly string[] = ['fileInput', 'async', 'fileId', 'callbackUrl', 'callbackSecret'];

export interface BuiltSchema {
  readonly schema: Joi.ObjectSchema;
  readonly fields: Readonly<Record<string, Joi.Schema>>;
}

/** Calls a schema function with the host's Joi and passes a fault to `report`. */
export function buildSchema(
  build: unknown,
  joi: JoiRoot,
  title: string,
  report: (fault: string) => void,
): Joi.Schema | undefined {
  if (typeof build !== 'function') {
    report(`${title} is not a function of Joi.`);
    return undefined;
  }
  try {
    const schema = (build as (joi: JoiRoot) => unknown)(joi);
    if (joi.isSchema(schema)) return schema;
    report(`${title} does not return a schema built with the Joi that it receives.`);
  } catch (error) {
    report(`${title} does not build: ${(error as Error).message}.`);
  }
  return undefined;
}

/**
 * Builds an object schema and checks each field: it is described, its name is not reserved, and its default passes its
 * own schema.
 */
export function buildFields(
  build: unknown,
  joi: JoiRoot,
  title: string,
  report: (fault: string) => void,
): BuiltSchema | undefined {
  const schema = buildSchema(build, joi, title, report);
  if (schema === undefined) return undefined;
  if (schema.type !== 'object') {
    report(`${title} builds ${schema.type ?? 'nothing'}; it must build joi.object({...}).`);
    return undefined;
  }
  const object = schema as Joi.ObjectSchema;
  const fields = fieldsOf(object);
  for (const [name, field] of Object.entries(fields)) {
    if (reservedFields.includes(name)) report(`${title}: the field name ${name} is reserved for the server.`);
    const description: unknown = field.$_getFlag('description');
    if (typeof description !== 'string' || description.trim() === '')
      report(`${title}: the field ${name} has no description.`);
    const preset: unknown = field.$_getFlag('default');
    // Functions and references are resolved at each call.
    if (preset === undefined || typeof preset === 'function' || typeof preset === 'symbol' || joi.isRef(preset))
      continue;
    const fault = field.validate(preset, { convert: false }).error;
    if (fault !== undefined)
      report(`${title}: the default of ${name}, ${JSON.stringify(preset)}, fails its own schema: ${fault.message}.`);
  }
  return { schema: object, fields };
}

/**
 * The schemas of an object's keys, through Joi's extension interface: describing all of them takes a hundred times as
 * long.
 */
function fieldsOf(object: Joi.ObjectSchema): Record<string, Joi.Schema> {
  const keys = (object.$_terms['keys'] ?? []) as readonly { readonly key: string; readonly schema: Joi.Schema }[];
  return Object.fromEntries(keys.map(({ key, schema }) => [key, schema]));
}
