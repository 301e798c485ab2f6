import type { FieldFault, ShownField } from '@quire/registry';
import type { InputDeclaration } from './model.js';

export interface ReadValues {
  readonly values: Readonly<Record<string, unknown>>;
  readonly faults: readonly FieldFault[];
  /** Names of values that are no input. */
  readonly ignored: readonly string[];
}

/**
 * Reads the values of a call for the inputs of a saved pipeline. What an operation demands of its own field is checked
 * with the pipeline; here, what the author of the pipeline demands. `open`: values that contain placeholders, which
 * nobody can check yet.
 */
export function readValues(
  fields: readonly ShownField[],
  declared: readonly InputDeclaration[],
  sent: Readonly<Record<string, unknown>>,
  open: ReadonlySet<string> = new Set(),
): ReadValues {
  const faults: FieldFault[] = [];
  const values = Object.fromEntries(
    fields.map((field) => {
      const { name } = field;
      const given = Object.hasOwn(sent, name) && sent[name] !== '' ? sent[name] : undefined;
      if (given === undefined) {
        if (field.required) faults.push({ pointer: `/${name}`, detail: `${name} is required (${field.label})` });
        return [name, field.default ?? null];
      }
      if (open.has(name)) return [name, given];
      const declaration = declared.find((input) => input.name === name);
      const value = converted(field, given);
      const fault = declaration === undefined ? undefined : faultOf(declaration, value, given);
      if (fault !== undefined) faults.push({ pointer: `/${name}`, detail: `${name} ${fault}` });
      return [name, value];
    }),
  );
  return { values, faults, ignored: Object.keys(sent).filter((name) => !fields.some((field) => field.name === name)) };
}

/** Values for a check before anybody has given one: defaults, else what the field allows first. */
export function sampleValues(fields: readonly ShownField[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(fields.map((field) => [field.name, field.default ?? sampleOf(field)]));
}

function sampleOf({ type, values, minimum, example }: ShownField): unknown {
  if (values?.[0] !== undefined) return values[0].value;
  if (example !== undefined) return example;
  if (type === 'boolean') return true;
  return type === 'number' || type === 'integer' ? (minimum ?? 1) : 'text';
}

function converted({ type }: ShownField, value: unknown): unknown {
  if ((type === 'number' || type === 'integer') && typeof value === 'string' && value.trim() !== '')
    return Number(value);
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}

/** What is wrong with a value, to follow its name. */
function faultOf(declared: InputDeclaration, value: unknown, given: unknown): string | undefined {
  const { minimum = -Infinity, maximum = Infinity, values } = declared;
  const found = `found ${JSON.stringify(given)?.slice(0, 80)}`;
  const wrongType = declared.field === undefined ? typeFault(declared, value) : undefined;
  if (wrongType !== undefined) return `${wrongType}; ${found}`;
  const items = Array.isArray(value) ? (value as unknown[]) : [value];
  if (items.some((item) => Number(item) < minimum)) return `must be at least ${minimum}; ${found}`;
  if (items.some((item) => Number(item) > maximum)) return `must be at most ${maximum}; ${found}`;
  if (values !== undefined && items.some((item) => !values.map(String).includes(String(item))))
    return `must be one of ${values.map((allowed) => JSON.stringify(allowed)).join(', ')}; ${found}`;
  return undefined;
}

function typeFault({ type = 'text' }: InputDeclaration, value: unknown): string | undefined {
  switch (type) {
    case 'integer':
      return Number.isSafeInteger(value) ? undefined : 'must be a whole number';
    case 'number':
      return Number.isFinite(value) ? undefined : 'must be a number';
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false';
    default:
      return Array.isArray(value) ? 'must be one text' : undefined;
  }
}
