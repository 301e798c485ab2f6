import type { JoiRoot } from '@quire/registry';
import type Joi from 'joi';

/** Form fields that the server owns. */
export const reservedFields: readonly string[] = ['fileInput', 'async', 'fileId'];

/** What the loader needs to know of one field; the rest stays inside Joi. */
interface FieldDescription {
  readonly flags?: { readonly description?: string; readonly default?: unknown; readonly only?: boolean };
  readonly allow?: readonly unknown[];
}

/** A built schema and its fields. */
export interface BuiltSchema {
  readonly schema: Joi.ObjectSchema;
  readonly fields: Readonly<Record<string, FieldDescription>>;
}

/** Calls a schema function with the host's Joi; a fault goes to `report`. */
export function buildSchema(build: unknown, joi: JoiRoot, title: string, report: (fault: string) => void): Joi.Schema | undefined {
  if (typeof build !== 'function') {
    report(`${title} is no function of Joi.`);
    return undefined;
  }
  try {
    const schema = (build as (joi: JoiRoot) => unknown)(joi);
    if (joi.isSchema(schema)) return schema;
    report(`${title} gives back no Joi schema made with the Joi that was handed in.`);
  } catch (error) {
    report(`${title} does not build: ${(error as Error).message}.`);
  }
  return undefined;
}

/** Builds an object schema and checks each field: described, not reserved, and its default passes its own schema. */
export function buildFields(build: unknown, joi: JoiRoot, title: string, report: (fault: string) => void): BuiltSchema | undefined {
  const schema = buildSchema(build, joi, title, report);
  if (schema === undefined) return undefined;
  if (schema.type !== 'object') {
    report(`${title} builds ${schema.type ?? 'nothing'}; allowed is joi.object({...}).`);
    return undefined;
  }
  const object = schema as Joi.ObjectSchema;
  const fields = (object.describe().keys ?? {}) as Record<string, FieldDescription>;
  for (const [name, { flags }] of Object.entries(fields)) {
    if (reservedFields.includes(name)) report(`${title}: the field ${name} belongs to the server.`);
    if ((flags?.description ?? '').trim() === '') report(`${title}: the field ${name} has no description.`);
    const preset = flags?.default;
    // Functions and references stand for values of a call.
    if (preset === undefined || typeof preset === 'function' || isSpecial(preset)) continue;
    const fault = object.extract(name).validate(preset, { convert: false }).error;
    if (fault !== undefined) report(`${title}: the default of ${name}, ${JSON.stringify(preset)}, fails its own schema: ${fault.message}.`);
  }
  return { schema: object, fields };
}

function isSpecial(preset: unknown): boolean {
  return typeof preset === 'object' && preset !== null && ('special' in preset || 'ref' in preset || 'override' in preset);
}
