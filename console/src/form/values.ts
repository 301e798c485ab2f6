import type { ShownField, ShownOperation, ShownPart } from '@quire/registry';
import { holds } from '@quire/registry/conditions';

/** Values as they are in the form: texts, lists of texts, pairs of texts, switches. */
export type FormValue = string | boolean | readonly string[] | readonly (readonly [string, string])[];
export type FormValues = Readonly<Record<string, FormValue>>;

/** The value of a field before somebody changes it. */
export function initialValue(field: ShownField): FormValue {
  if (field.default !== undefined && field.default !== null) return toForm(field, field.default);
  if (field.type === 'boolean') return false;
  if (field.type === 'list') return [];
  if (field.type === 'map') return [];
  // A choice that has to be made starts with its first value, on which the rest of the form may depend.
  return field.required && field.values !== undefined ? String(field.values[0]?.value ?? '') : '';
}

/** A typed value as the form holds it. */
export function toForm(field: ShownField, value: unknown): FormValue {
  switch (field.type) {
    case 'boolean':
      return value === true || value === 'true';
    case 'list':
      return (Array.isArray(value) ? (value as unknown[]) : String(value).split(',')).map((item) =>
        typeof item === 'object' ? JSON.stringify(item) : String(item).trim(),
      );
    case 'map':
      return Object.entries((typeof value === 'string' ? JSON.parse(value) : value) as Record<string, unknown>).map(
        ([name, each]) => [name, String(each)] as const,
      );
    case 'json':
      return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
    default:
      return allowedText(field, String(value));
  }
}

/** The allowed value that differs at most in upper and lower case: some fields take both. */
function allowedText({ values = [] }: ShownField, text: string): string {
  const same = values.find((each) => String(each.value).toLowerCase() === text.toLowerCase());
  return same === undefined ? text : String(same.value);
}

/** The value as conditions, checks and pipeline steps know it; undefined if nothing was entered. */
function typedValue(field: ShownField, value: FormValue | undefined): unknown {
  if (value === undefined || value === '') return undefined;
  switch (field.type) {
    case 'boolean':
      return value === true;
    case 'integer':
    case 'number':
      return numberOf(String(value)) ?? value;
    case 'list': {
      const items = (value as readonly string[]).filter((item) => item.trim() !== '');
      return items.length === 0 ? undefined : items;
    }
    case 'map': {
      const pairs = (value as readonly (readonly [string, string])[]).filter(([name]) => name.trim() !== '');
      return pairs.length === 0 ? undefined : Object.fromEntries(pairs);
    }
    case 'json':
      return value;
    default: {
      const chosen = field.values?.find((each) => String(each.value) === value);
      return chosen === undefined ? value : chosen.value;
    }
  }
}

/** Reads a number as people write it: a decimal comma counts as a point. */
export function numberOf(text: string): number | undefined {
  const plain = text.trim().replace(',', '.');
  return /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(plain) ? Number(plain) : undefined;
}

/** All typed values by field, for conditions. */
export function typedValues(operation: Pick<ShownOperation, 'fields'>, values: FormValues): Record<string, unknown> {
  return Object.fromEntries(operation.fields.map((field) => [field.name, typedValue(field, values[field.name])]));
}

export function isShown({ when }: Pick<ShownField, 'when'>, typed: Readonly<Record<string, unknown>>): boolean {
  return when === undefined || holds(when, typed);
}

export function isRequired(
  { required, requiredWhen }: Pick<ShownField | ShownPart, 'required' | 'requiredWhen'>,
  typed: Readonly<Record<string, unknown>>,
): boolean {
  return required || holds(requiredWhen, typed);
}

/**
 * The parameters of a call: values of the fields that are shown, without those that are the default anyway. Texts of
 * `secret` fields are left out with `hideSecrets`.
 */
export function parametersOf(
  operation: Pick<ShownOperation, 'fields'>,
  values: FormValues,
  hideSecrets = false,
): Record<string, unknown> {
  const typed = typedValues(operation, values);
  const parameters: Record<string, unknown> = {};
  for (const field of operation.fields) {
    const value = typed[field.name];
    if (value === undefined || !isShown(field, typed)) continue;
    if (!isRequired(field, typed) && sameValue(value, field.default)) continue;
    parameters[field.name] = hideSecrets && field.widget === 'secret' ? `<${field.name}>` : value;
  }
  return parameters;
}

function sameValue(a: unknown, b: unknown): boolean {
  return (
    a === b ||
    (a === false && b === undefined) ||
    (typeof b === 'number' && a === String(b)) ||
    JSON.stringify(a) === JSON.stringify(b)
  );
}

/** A parameter as the texts of form fields: lists are repeated fields, everything else is one. */
export function formTexts(value: unknown): readonly string[] {
  if (Array.isArray(value))
    return value.map((item) => (typeof item === 'object' ? JSON.stringify(item) : String(item)));
  return [typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)];
}
