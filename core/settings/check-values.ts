import { inspect } from 'node:util';
import type Joi from 'joi';
import type { KnownKey, OperationSettings, PluginUse } from './known-key.js';
import { allowedWords, keySchema, memberWords, operationSchema, pluginUseSchema } from './key-schema.js';
import { didYouMean } from './nearest-key.js';
import type { FoundValue } from './read-settings-file.js';
import type { FaultList } from './settings-error.js';
import { durationToMs } from './units.js';

const schemas = new Map<KnownKey, Joi.Schema>();

/** Shown instead of the value of a secret that is set. */
export const mask = '********';

/** Checks one found value against its key; gives the converted value, or undefined after naming the fault. */
export function checkValue(found: FoundValue, faults: FaultList): unknown {
  const { key, value } = found;
  if (key.type === 'string' && key.default === '' && value === '') return value;
  let schema = schemas.get(key);
  if (schema === undefined) schemas.set(key, (schema = keySchema(key)));
  const isList = key.type === 'strings' || key.type === 'integers';
  const given =
    isList && typeof value === 'string'
      ? value
          .split(',')
          .map((item) => item.trim())
          .filter((item) => item !== '')
      : value;
  const result = schema.validate(given, { convert: true, abortEarly: true });
  if (result.error === undefined) return result.value as unknown;
  const part = result.error.details[0]?.path ?? [];
  const shown =
    key.secret === true
      ? mask
      : show(part.length > 0 ? (result.error._original === undefined ? given : memberOf(given, part)) : given);
  const at = part.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  faults.add(found.placeOf?.(part) ?? found.origin, `${key.path}${at} is ${shown}; allowed is ${allowedWords(key)}.`);
  return undefined;
}

function memberOf(value: unknown, part: readonly (string | number)[]): unknown {
  return part.reduce<unknown>(
    (inner, step) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<string | number, unknown>)[step] : undefined,
    value,
  );
}

function show(value: unknown): string {
  if (value === undefined) return 'missing';
  // Anchors can make a value contain itself, which JSON cannot say.
  const text =
    typeof value === 'object'
      ? inspect(value, { depth: 2, breakLength: Number.POSITIVE_INFINITY })
      : (JSON.stringify(value) ?? String(value));
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

/** Says what is wrong with the members of a list or map entry, one fault each. */
function memberFaults(
  error: Joi.ValidationError,
  found: FoundValue,
  at: readonly (string | number)[],
  title: string,
  members: readonly string[],
  faults: FaultList,
): void {
  for (const detail of error.details) {
    const member = String(detail.path[0] ?? '');
    const place = found.placeOf?.([...at, ...detail.path]) ?? found.origin;
    if (detail.type === 'object.unknown')
      faults.add(
        place,
        `${title}.${member} is not a known key.${didYouMean(member, members)} Known are ${members.join(', ')}.`,
      );
    else if (detail.type === 'any.required')
      faults.add(place, `${title}.${member} is missing; it takes ${memberWords[member] ?? 'a value'}.`);
    else if (member === '')
      faults.add(place, `${title} is ${show(detail.context?.value)}; allowed is a map of ${members.join(', ')}.`);
    else
      faults.add(
        place,
        `${title}.${member} is ${show(detail.context?.value)}; allowed is ${memberWords[member] ?? 'another value'}.`,
      );
  }
}

/** A list entry that says whether the plugin is wanted. */
export type FoundPlugin = PluginUse & { readonly enabled: boolean };

/** Checks a list of plugins. */
export function checkPlugins(found: FoundValue, faults: FaultList): readonly FoundPlugin[] {
  if (!Array.isArray(found.value)) {
    faults.add(found.origin, `plugins is ${show(found.value)}; allowed is ${allowedWords(found.key)}.`);
    return [];
  }
  return found.value.flatMap((item: unknown, index): FoundPlugin[] => {
    const result = pluginUseSchema.validate(typeof item === 'string' ? { use: item } : item, { abortEarly: false });
    if (result.error !== undefined) {
      memberFaults(
        result.error,
        found,
        [index],
        `plugins[${index}]`,
        ['use', 'optional', 'options', 'enabled'],
        faults,
      );
      return [];
    }
    return [
      {
        ...(result.value as Omit<FoundPlugin, 'where' | 'folder'>),
        where: found.placeOf?.([index]) ?? found.origin,
        folder: found.folder,
      },
    ];
  });
}

/** The members of one entry of `operations` that were set. */
export type FoundOperation = Partial<OperationSettings>;

/** Checks the map of operations. Whether the paths exist is known only once the plugins are loaded. */
export function checkOperations(
  found: FoundValue,
  faults: FaultList,
): ReadonlyMap<string, { readonly set: FoundOperation; readonly where: string }> {
  const checked = new Map<string, { set: FoundOperation; where: string }>();
  if (typeof found.value !== 'object' || found.value === null || Array.isArray(found.value)) {
    faults.add(found.origin, `operations is ${show(found.value)}; allowed is ${allowedWords(found.key)}.`);
    return checked;
  }
  for (const [written, item] of Object.entries(found.value as Record<string, unknown>)) {
    const path = written.replace(/^\/?(api\/v1\/)?/, '');
    const result = operationSchema.validate(item ?? {}, { abortEarly: false });
    if (result.error !== undefined) {
      memberFaults(
        result.error,
        found,
        [written],
        `operations.${written}`,
        ['enabled', 'timeout', 'concurrency', 'maxBytes', 'maxPages'],
        faults,
      );
      continue;
    }
    const { timeout, ...rest } = result.value as { timeout?: string } & FoundOperation;
    const timeoutMs = timeout === undefined ? undefined : durationToMs(timeout);
    checked.set(path, {
      set: timeoutMs === undefined ? rest : { ...rest, timeoutMs },
      where: found.placeOf?.([written]) ?? found.origin,
    });
  }
  return checked;
}
