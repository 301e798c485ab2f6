import type { FieldInput, FieldValue } from '@quire/document/forms';
import { isObject, kindOf, nameText, parseJson, pointerStep, refusedAt } from './parse-json.js';

/** Values of one call. */
const MAX_VALUES = 100_000;

/**
 * Reads the values to fill in, in every shape that clients send (docs/interface/form.yml, form/fill): an object of
 * names and values; an object with `template`, which is then used alone; one with `fields`, or a list of such fields,
 * with `name` (`targetName`, `fieldName`) and `value` (`defaultValue`); a list of objects, of which the first is used.
 * Texts are trimmed, other scalars become texts, null stays. Nothing, blank, null and {} mean no values. Throws
 * INPUT_INVALID with a JSON pointer for invalid JSON and other shapes.
 */
export function readFillData(text: string | undefined): FieldValue[] {
  const data = parseJson(text, '/data');
  if (data === undefined || data === null) return [];
  const values = valuesIn(data);
  if (values.length > MAX_VALUES)
    throw refusedAt('/data', `has ${values.length} values; at most ${MAX_VALUES} are accepted`);
  return values;
}

function valuesIn(data: unknown): FieldValue[] {
  if (isObject(data)) {
    if (isObject(data['template'])) return valuesOf(data['template'], '/data/template');
    const listed = Array.isArray(data['fields']) ? valuesOfFields(data['fields'], '/data/fields') : [];
    return listed.length > 0 ? listed : valuesOf(data, '/data');
  }
  if (!Array.isArray(data))
    throw refusedAt(
      '/data',
      `is ${kindOf(data)}; allowed are an object of field names and values, and a list of fields`,
    );
  const wrong = data.findIndex((one) => !isObject(one));
  if (wrong >= 0)
    throw refusedAt(`/data/${wrong}`, `is ${kindOf(data[wrong])}; allowed are objects, with a name and a value each`);
  const listed = valuesOfFields(data, '/data');
  return listed.length > 0 || data.length === 0
    ? listed
    : valuesOf(data[0] as Readonly<Record<string, unknown>>, '/data/0');
}

function valuesOf(values: Readonly<Record<string, unknown>>, at: string): FieldValue[] {
  return Object.entries(values).map(([name, value]) => ({
    name,
    value: inputOf(value),
    pointer: at + pointerStep(name),
  }));
}

/** Entries without a name are skipped. */
function valuesOfFields(fields: readonly unknown[], at: string): FieldValue[] {
  return fields.flatMap((field, i) => {
    if (!isObject(field)) return [];
    const name = nameText(field['name']) ?? nameText(field['targetName']) ?? nameText(field['fieldName']);
    if (name === undefined) return [];
    const key = field['value'] === undefined && field['defaultValue'] !== undefined ? 'defaultValue' : 'value';
    return [{ name, value: inputOf(field[key] ?? null), pointer: `${at}/${i}/${key}` }];
  });
}

/** Lists stay lists; objects become their JSON. */
function inputOf(value: unknown): FieldInput {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.flatMap((one: unknown) => textOf(one) ?? []);
  return textOf(value) ?? null;
}

function textOf(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  return (typeof value === 'object' ? JSON.stringify(value) : String(value)).trim();
}
