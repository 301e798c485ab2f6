import type { FieldUpdate } from '@quire/document/forms';
import { isObject, kindOf, nameText, parseJson, refusedAt } from './parse-json.js';

const TEXTS = ['name', 'label', 'type', 'defaultValue', 'tooltip'] as const;
const FLAGS = ['required', 'multiSelect'] as const;
const words: Readonly<Record<string, boolean>> = { true: true, false: false };
/** Updates of one call. */
const MAX_UPDATES = 100_000;

/**
 * Reads the changes of fields (docs/interface/form.yml, form/modify-fields): a list of objects of which only
 * `targetName` is needed; what is missing or null stays, unknown members are ignored. Errors: INPUT_INVALID for what is
 * no JSON, no list of such objects, or an empty one (error.dataRequired), with a JSON pointer.
 */
export function readUpdates(text: string | undefined): FieldUpdate[] {
  const data = parseJson(text, '/updates');
  if (data === undefined || data === null || (Array.isArray(data) && data.length === 0))
    throw refusedAt('/updates', 'holds no change of a field (error.dataRequired)');
  if (!Array.isArray(data))
    throw refusedAt('/updates', `is ${kindOf(data)}; allowed is a list of objects with the member targetName`);
  if (data.length > MAX_UPDATES)
    throw refusedAt('/updates', `has ${data.length} changes; at most ${MAX_UPDATES} are accepted`);
  return data.map((one: unknown, i) => readUpdate(one, `/updates/${i}`));
}

function readUpdate(one: unknown, pointer: string): FieldUpdate {
  if (!isObject(one)) throw refusedAt(pointer, `is ${kindOf(one)}; allowed are objects with the member targetName`);
  const target = nameText(one['targetName']);
  if (target === undefined) throw refusedAt(`${pointer}/targetName`, 'must be the name of a field');
  const texts = TEXTS.flatMap((key): [string, string][] => {
    const value = one[key] ?? undefined;
    if (typeof value === 'object') throw refusedAt(`${pointer}/${key}`, `is ${kindOf(value)}; allowed is a text`);
    return value === undefined ? [] : [[key, String(value)]];
  });
  const flags = FLAGS.flatMap((key): [string, boolean][] => {
    const value = one[key] ?? undefined;
    const flag = typeof value === 'string' ? words[value.trim().toLowerCase()] : value;
    if (value !== undefined && typeof flag !== 'boolean')
      throw refusedAt(`${pointer}/${key}`, `is ${kindOf(value)}; allowed are true and false`);
    return typeof flag === 'boolean' ? [[key, flag]] : [];
  });
  const options = one['options'] ?? undefined;
  return {
    target,
    pointer,
    ...Object.fromEntries<string | boolean>([...texts, ...flags]),
    ...(options === undefined ? {} : { options: readOptions(options, `${pointer}/options`) }),
  };
}

function readOptions(value: unknown, pointer: string): string[] {
  if (!Array.isArray(value)) throw refusedAt(pointer, `is ${kindOf(value)}; allowed is a list of texts`);
  return value.map((option: unknown, i) => {
    if (typeof option === 'object' && option !== null)
      throw refusedAt(`${pointer}/${i}`, `is ${kindOf(option)}; allowed is a text`);
    return option === null ? '' : String(option);
  });
}
