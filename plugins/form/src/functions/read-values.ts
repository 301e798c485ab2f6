import { isObject, kindOf, parseJson, pointerStep, refusedAt } from './parse-json.js';

/**
 * Reads the values to set before a form is exported (docs/interface/form.yml, form/extract-csv, data): a JSON object of
 * field names and texts; numbers, true and false become texts, null clears. Texts are trimmed as in `form/fill`.
 * Nothing, blank and null mean no values. Throws INPUT_INVALID with a JSON pointer for invalid JSON, other types and
 * other values.
 */
export function readValues(bytes: Uint8Array): [name: string, value: string | null][] {
  const data = parseJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'), '/data');
  if (data === undefined || data === null) return [];
  if (!isObject(data)) throw refusedAt('/data', `is ${kindOf(data)}; allowed is an object of field names and texts`);
  return Object.entries(data).map(([name, value]) => {
    if (value === null) return [name, null];
    if (typeof value === 'string' || typeof value === 'boolean') return [name, String(value).trim()];
    throw refusedAt(`/data${pointerStep(name)}`, `is ${kindOf(value)}; allowed are texts`);
  });
}
