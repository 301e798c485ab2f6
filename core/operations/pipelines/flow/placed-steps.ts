import { escapePointer } from '../../runner/index.js';
import { isObject, nameOf } from '../definition.js';

/** Most levels of steps inside of steps. */
const MAX_NESTING = 8;

/** Where a step stands, and what its placeholders stand for. */
export interface Place {
  /** Its pointer; inside of a saved pipeline, that of the step that names the pipeline. */
  readonly at: string;
  /** Values of the inputs, of the outermost pipeline first; each may have placeholders for those before. */
  readonly scopes: readonly Readonly<Record<string, unknown>>[];
  /** Names of the saved pipelines that it is in. */
  readonly within: readonly string[];
  /** How many steps it is inside of. */
  readonly depth: number;
}

/** A step as written, with the steps inside of it. */
export interface PlacedStep extends Place {
  readonly raw: unknown;
  readonly inner?: InnerSteps;
}

/** The steps inside of a step that branches, or of a saved pipeline in its place. */
export type InnerSteps =
  | { readonly form: 'if'; readonly then: readonly PlacedStep[]; readonly else: readonly PlacedStep[] }
  | { readonly form: 'parallel'; readonly branches: readonly (readonly PlacedStep[])[] }
  | { readonly form: 'each' | 'saved'; readonly steps: readonly PlacedStep[] };

/** Called with the place of a step, a pointer and what is wrong there. */
export type PlacedFault = (place: Place, pointer: string, detail: string) => void;

const forms = ['operation', 'if', 'parallel', 'each'] as const;
/** The members of steps without an operation; others are refused, because `esle` would drop a branch. */
const members: Readonly<Record<string, readonly string[]>> = {
  if: ['if', 'then', 'else', 'onError'],
  parallel: ['parallel', 'onError'],
  each: ['each', 'onError', 'name'],
};

/** Finds the place of each step and the steps inside of it. Reports steps whose form is wrong. */
export function placeSteps(
  steps: readonly unknown[],
  pointer: string,
  context: Omit<Place, 'at'>,
  fault: PlacedFault,
): readonly PlacedStep[] {
  // The steps of a saved pipeline all stand where it is named.
  const at = (index: number): string => (context.within.length === 0 ? `${pointer}/${index}` : pointer);
  return steps.map((raw, index) => placeStep(raw, { ...context, at: at(index) }, fault));
}

/** The number of steps, of which those that only stand for a saved pipeline are none. */
export function countSteps(steps: readonly PlacedStep[]): number {
  let count = 0;
  for (const { inner } of steps) {
    if (inner?.form !== 'saved') count++;
    for (const list of listsIn(inner)) count += countSteps(list);
  }
  return count;
}

/** The lists of steps inside of a step. */
export function listsIn(inner: InnerSteps | undefined): readonly (readonly PlacedStep[])[] {
  if (inner === undefined) return [];
  switch (inner.form) {
    case 'if':
      return [inner.then, inner.else];
    case 'parallel':
      return inner.branches;
    default:
      return [inner.steps];
  }
}

function placeStep(raw: unknown, place: Place, fault: PlacedFault): PlacedStep {
  const found = isObject(raw) ? forms.filter((form) => Object.hasOwn(raw, form)) : [];
  const [form, ...more] = found;
  if (more.length > 0) {
    fault(place, place.at, `has ${found.join(' and ')}; a step has one of ${forms.join(', ')}`);
    return { ...place, raw, inner: { form: 'each', steps: [] } };
  }
  if (!isObject(raw) || form === undefined || form === 'operation') return { ...place, raw };
  const known = members[form] ?? [];
  for (const name of Object.keys(raw).filter((member) => !known.includes(member)))
    fault(
      place,
      `${place.at}/${escapePointer(name)}`,
      `is not a member of a step with ${form}; it has ${known.join(', ')}`,
    );
  if (place.depth >= MAX_NESTING) {
    fault(place, place.at, `is nested deeper than ${MAX_NESTING} levels`);
    return { ...place, raw, inner: { form: 'each', steps: [] } };
  }
  return { ...place, raw, inner: innerOf(form, raw, place, fault) };
}

function innerOf(
  form: 'if' | 'parallel' | 'each',
  raw: Readonly<Record<string, unknown>>,
  place: Place,
  fault: PlacedFault,
): InnerSteps {
  const { at, ...rest } = place;
  const context = { ...rest, depth: rest.depth + 1 };
  const list = (value: unknown, member: string, { mayBeEmpty }: { mayBeEmpty: boolean }): readonly PlacedStep[] => {
    const pointer = `${at}${member}`;
    if (!Array.isArray(value)) fault(place, pointer, `must be a list of steps; found ${nameOf(value)}`);
    else if (value.length > 0 || mayBeEmpty)
      return placeSteps(value, context.within.length === 0 ? pointer : at, context, fault);
    else fault(place, pointer, 'has no steps');
    return [];
  };
  if (form === 'each') return { form, steps: list(raw['each'], '/each', { mayBeEmpty: false }) };
  if (form === 'if') {
    const then = list(raw['then'], '/then', { mayBeEmpty: true });
    const otherwise = raw['else'] === undefined ? [] : list(raw['else'], '/else', { mayBeEmpty: true });
    return { form, then, else: otherwise };
  }
  const { parallel } = raw;
  if (!Array.isArray(parallel) || parallel.length === 0) {
    fault(place, `${at}/parallel`, `must be a list of branches, each a list of steps; found ${foundIn(parallel)}`);
    return { form, branches: [] };
  }
  return { form, branches: parallel.map((branch, i) => list(branch, `/parallel/${i}`, { mayBeEmpty: true })) };
}

function foundIn(value: unknown): string {
  return Array.isArray(value) ? 'an empty list' : nameOf(value);
}
