import { isObject, kindOf, nameText, parseJson, refusedAt } from './parse-json.js';

/** Members that hold a field name, in order of preference. */
const NAME_KEYS = ['name', 'targetName', 'fieldName'] as const;
/** A field within a field within a field. */
const MAX_DEPTH = 5;

/**
 * Reads the names of fields to delete, in every shape that clients send (docs/interface/form.yml, form/delete-fields):
 * a list of texts and of objects with `name`, `targetName` or `fieldName`, also within `field`; an object with a list
 * `fields`; one such object; one text. Trimmed, each once. Errors: INPUT_INVALID for text that is not JSON, of another
 * shape (error.invalidFormat), or without any name (error.dataRequired).
 */
export function readNames(text: string | undefined): string[] {
  const data = parseJson(text, '/names');
  if (data === undefined || data === null) throw required();
  const list = Array.isArray(data)
    ? data
    : isObject(data)
      ? Array.isArray(data['fields'])
        ? data['fields']
        : [data]
      : isString(text)
        ? [data]
        : undefined;
  if (list === undefined)
    throw refusedAt(
      '/names',
      `is ${kindOf(data)} (error.invalidFormat); allowed are a list of names, or of objects with a name`,
    );
  const names = new Set(list.flatMap((one) => nameOf(one, 0) ?? []));
  if (names.size === 0) throw required();
  return [...names];
}

/** Numbers arrive as texts, but a single number is not a name. */
function isString(text: string | undefined): boolean {
  return (text ?? '')
    .replace(/^\ufeff/, '')
    .trim()
    .startsWith('"');
}

function nameOf(value: unknown, depth: number): string | undefined {
  if (!isObject(value)) return typeof value === 'string' ? nameText(value) : undefined;
  const own = NAME_KEYS.map((key) => nameText(value[key])).find((name) => name !== undefined);
  return (
    own ??
    (depth < MAX_DEPTH && isObject(value['field'])
      ? nameOf(value['field'], depth + 1)
      : depth < MAX_DEPTH
        ? nameText(value['field'])
        : undefined)
  );
}

function required(): Error {
  return refusedAt('/names', 'holds no name of a field (error.dataRequired)');
}
