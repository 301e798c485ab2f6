import { InputError, type FieldFault } from '@quire/registry';

// Longest definition in characters. It is parsed in the server's own process, so it must stay small.
const MAX_TEXT = 1024 * 1024;

/** A pipeline as sent (spec 2.1); other members are ignored. */
export interface PipelineDefinition {
  readonly name?: string;
  readonly steps: readonly unknown[];
}

/**
 * Parses the `json` field. Throws PIPELINE_INVALID if it is not a pipeline; `verifyPipeline` finds faults inside steps.
 */
export function parseDefinition(text: unknown): PipelineDefinition {
  if (typeof text !== 'string' || text.trim() === '')
    throw invalid({ pointer: '/json', detail: 'the field json is missing; send the pipeline definition as JSON text' });
  if (text.length > MAX_TEXT) throw invalid({ pointer: '/json', detail: `is longer than ${MAX_TEXT} characters` });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalid({ pointer: '/json', detail: `the text is not JSON: ${(error as Error).message.slice(0, 200)}` });
  }
  if (!isObject(value))
    throw invalid({
      pointer: '',
      detail: `the pipeline must be an object with the member pipeline; found ${nameOf(value)}`,
    });
  const steps = value['pipeline'];
  if (!Array.isArray(steps))
    throw invalid({ pointer: '/pipeline', detail: `must be a list of steps; found ${nameOf(steps)}` });
  if (steps.length === 0) throw invalid({ pointer: '/pipeline', detail: 'has no steps' });
  return { ...(typeof value['name'] === 'string' ? { name: value['name'] } : {}), steps };
}

export function invalid(...faults: readonly FieldFault[]): InputError {
  const [first] = faults;
  const data = {
    first: first === undefined ? '' : [first.pointer, first.detail].filter((text) => text !== '').join(' '),
    count: faults.length > 1 && faults.length,
  };
  return new InputError('PIPELINE_INVALID', data, faults);
}

/** True for a JSON object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Describes the type of a JSON value for messages. */
export function nameOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `${/^[aeiou]/.test(typeof value) ? 'an' : 'a'} ${typeof value}`;
}
