import { InputError, type FieldFault } from '@quire/registry';
import { nearestName } from '../../settings/index.js';
import { escapePointer } from '../runner/index.js';

// Longest definition in characters. It is parsed in the server's own process, so it must stay small.
const MAX_TEXT = 1024 * 1024;
// Deeper values would exhaust the stack of whatever walks through them.
const MAX_DEPTH = 100;

/** Members of a pipeline (docs/interface/pipeline.yml). Descriptions, icons and what folders need are not used here. */
const MEMBERS = ['name', 'pipeline', 'values', 'description', 'icon', '_examples', 'outputDir', 'outputFileName'];

/** A pipeline as sent. */
export interface PipelineDefinition {
  readonly name?: string;
  readonly steps: readonly unknown[];
  /** The member `values`. With it, placeholders in parameters (`{{input.customer}}`, `{{file.base}}`) are replaced. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** Members that a pipeline does not have. */
  readonly ignored?: readonly FieldFault[];
}

/**
 * Parses the `json` field. Throws PIPELINE_INVALID if it is not a pipeline; `verifyPipeline` finds faults inside steps.
 */
export function parseDefinition(text: unknown): PipelineDefinition {
  if (typeof text !== 'string' || text.trim() === '')
    throw invalid([
      { pointer: '/json', detail: 'the field json is missing; send the pipeline definition as JSON text' },
    ]);
  if (text.length > MAX_TEXT) throw invalid([{ pointer: '/json', detail: `is longer than ${MAX_TEXT} characters` }]);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalid([{ pointer: '/json', detail: `the text is not JSON: ${(error as Error).message.slice(0, 200)}` }]);
  }
  if (isDeeper(value, MAX_DEPTH))
    throw invalid([{ pointer: '/json', detail: `is nested more than ${MAX_DEPTH} levels deep` }]);
  if (!isObject(value))
    throw invalid([
      {
        pointer: '',
        detail: `the pipeline must be an object with the member pipeline; found ${nameOf(value)}`,
      },
    ]);
  const steps = value['pipeline'];
  if (!Array.isArray(steps))
    throw invalid([{ pointer: '/pipeline', detail: `must be a list of steps; found ${nameOf(steps)}` }]);
  if (steps.length === 0) throw invalid([{ pointer: '/pipeline', detail: 'has no steps' }]);
  const { name, values } = value;
  if (values !== undefined && !isObject(values))
    throw invalid([{ pointer: '/values', detail: `must be an object of values by name; found ${nameOf(values)}` }]);
  return {
    ...(typeof name === 'string' ? { name } : {}),
    steps,
    ...(values === undefined ? {} : { values }),
    ignored: unknownMembers(value, MEMBERS, '', 'a pipeline'),
  };
}

/** Reports members that `owner` (such as `a step`) does not have, with the name that was probably meant. */
export function unknownMembers(
  value: Readonly<Record<string, unknown>>,
  known: readonly string[],
  at: string,
  owner: string,
): FieldFault[] {
  return Object.keys(value)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const near = nearestName(name, known);
      const hint = near === undefined ? '' : `; did you mean ${near}?`;
      const detail = `${name.slice(0, 200)} is not a member of ${owner} and is ignored${hint}`;
      return { pointer: `${at}/${escapePointer(name)}`, detail };
    });
}

/** Returns PIPELINE_INVALID with these faults; `count` is their number, with those that are not listed. */
export function invalid(faults: readonly FieldFault[], count = faults.length): InputError {
  const [first] = faults;
  const data = {
    first: first === undefined ? '' : [first.pointer, first.detail].filter((text) => text !== '').join(' '),
    count: count > 1 && count,
  };
  return new InputError('PIPELINE_INVALID', data, faults);
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((item) => isDeeper(item, levels - 1));
  for (const name in value) if (isDeeper((value as Record<string, unknown>)[name], levels - 1)) return true;
  return false;
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
