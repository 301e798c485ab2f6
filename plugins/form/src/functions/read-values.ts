import { isObject, kindOf, parseJson, pointerStep, refusedAt } from './parse-json.js';

/**
 * Reads the values that are to be in a form before it is exported (docs/interface/form.yml, form/extract-csv, data): a
 * JSON object of field names and texts; numbers, true and false are taken as texts, null clears. Texts are trimmed, as
 * those of `form/fill` are. Nothing, blank and null are no values. Errors: INPUT_INVALID for what is no JSON, no
 * object, or has another value, with a JSON pointer.
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
