import type { SavedInput } from '../saved/saved.ts';
import type { PipelineJson } from './definition.ts';

const PLACEHOLDER = /\{\{\s*(?:input\.([A-Za-z][A-Za-z0-9_]{0,39})|date|time|file\.(?:name|base|extension))\s*\}\}/g;

/** Names of the placeholders `{{input.<name>}}` in texts of the steps. */
export function placeholdersOf({ pipeline }: PipelineJson): readonly string[] {
  const found = JSON.stringify(pipeline).matchAll(PLACEHOLDER);
  return [...new Set([...found].flatMap(([, name]) => name ?? []))];
}

/** True if a part of a definition contains placeholders. */
export function hasPlaceholders(part: unknown): boolean {
  return JSON.stringify(part).search(PLACEHOLDER) >= 0;
}

/** What the server shows in place of a secret. */
const MASK = '********';

/** True if parameters of a step, or of a filter or a step inside of it, are masked. */
export function hasMask(step: unknown): boolean {
  return JSON.stringify(step).includes(JSON.stringify(MASK));
}

/**
 * The definition with a value for each input that its texts name: for a check or a trial before anybody has given one.
 * It stays as it is without placeholders.
 */
export function withSampleValues(json: PipelineJson, inputs: readonly SavedInput[]): PipelineJson {
  if (!hasPlaceholders(json.pipeline)) return json;
  const values = Object.fromEntries(
    placeholdersOf(json).map((name) => {
      const input = inputs.find((each) => each.name === name && each.field === undefined);
      return [name, input?.default ?? sampleOf(input, name)];
    }),
  );
  const given = json['values'];
  return { ...json, values: { ...values, ...(typeof given === 'object' ? given : {}) } };
}

function sampleOf(input: SavedInput | undefined, name: string): unknown {
  if (input?.type === 'boolean') return true;
  return input?.type === 'integer' || input?.type === 'number' ? (input.minimum ?? 1) : (input?.values?.[0] ?? name);
}
