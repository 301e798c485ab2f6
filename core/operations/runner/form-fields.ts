import type { CatalogOperation } from '@quire/catalog';
import { escapePointer, jsonFields, mapFields } from './validate-params.js';

/**
 * Converts JSON parameters to form fields: text, lists as repeated fields, named texts and JSON values as JSON; null is
 * left out and fileInput is ignored (spec 2.1). Reports every value that no form can contain, at a pointer below `at`.
 */
export function formFields(
  entry: CatalogOperation,
  given: Readonly<Record<string, unknown>>,
  at: string,
  fault: (pointer: string, detail: string) => void,
): Record<string, unknown> {
  const [maps, jsons] = [mapFields(entry), jsonFields(entry)];
  const fields: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of Object.entries(given)) {
    if (name === 'fileInput' || value === null) continue;
    const isMap = typeof value === 'object' && !Array.isArray(value) && maps.has(name);
    if (isMap || (jsons.has(name) && typeof value === 'object')) {
      fields[name] = JSON.stringify(value);
      continue;
    }
    const values: unknown[] = Array.isArray(value) ? value : [value];
    if (values.some((item) => typeof item === 'object')) {
      fault(`${at}/${escapePointer(name)}`, 'must be text, a number, true or false, or a list of these');
      continue;
    }
    const texts = values.map((item) => String(item));
    fields[name] = Array.isArray(value) ? texts : texts[0];
  }
  return fields;
}
