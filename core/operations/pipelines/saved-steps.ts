import type { FieldFault, Principal } from '@quire/registry';
import { escapePointer } from '../runner/index.js';
import { isObject, type PipelineDefinition } from './definition.js';
import { listsIn, placeSteps, type InnerSteps, type PlacedStep } from './flow/placed-steps.js';
import { hasTemplates, templateFaults } from './templates.js';

/** Where saved pipelines run, and how a step names one. */
const TOOLS = '/api/v1/tools/';
/** Name and version of a saved pipeline, as addresses have it: `stamp`, `stamp@3`. */
export const TOOL = /^([a-z][a-z0-9-]{0,62})(?:@([1-9]\d{0,8}))?$/;

/** A saved pipeline as a step of another one. */
export interface SavedStepPipeline {
  readonly name: string;
  /** With a placeholder for each of its inputs. */
  readonly steps: readonly unknown[];
  /** Returns the values of its inputs for these parameters; `open`: those with placeholders, which are not checked. */
  read(parameters: Readonly<Record<string, unknown>>, open: ReadonlySet<string>): StepValues;
}

export interface StepValues {
  readonly values: Readonly<Record<string, unknown>>;
  readonly faults: readonly FieldFault[];
  readonly ignored: readonly string[];
}

/** Finds a saved pipeline that the caller may run; undefined if there is none. */
export type FindSaved = (
  name: string,
  version: number | undefined,
  principal: Principal,
) => Promise<SavedStepPipeline | undefined>;

/** The steps of a definition, with those of saved pipelines in place of the steps that name them. */
export interface Expanded {
  readonly steps: readonly PlacedStep[];
  readonly faults: readonly FieldFault[];
  readonly ignored: readonly FieldFault[];
}

interface Expansion {
  readonly find: FindSaved;
  readonly principal: Principal;
  /** How many steps may still be added; further ones are not looked up. */
  left: number;
  /** The saved pipeline that this definition is, if any. */
  readonly savedAs: string | undefined;
  readonly faults: FieldFault[];
  readonly ignored: FieldFault[];
}

/** The steps of a definition as they are written. */
export function asWritten({ steps, values }: PipelineDefinition): Expanded {
  const faults: FieldFault[] = [];
  const context = { scopes: values === undefined ? [] : [values], within: [], depth: 0 };
  const placed = placeSteps(steps, '/pipeline', context, (_, pointer, detail) => faults.push({ pointer, detail }));
  return { steps: placed, faults, ignored: [] };
}

/** True if one of these steps, or of those inside of them, is a saved pipeline. */
export function hasSavedSteps(steps: readonly PlacedStep[]): boolean {
  return steps.some(({ raw, inner }) => toolOf(raw) !== undefined || listsIn(inner).some(hasSavedSteps));
}

/** Puts the steps of saved pipelines in place of the steps that name them; stops after `most` steps. */
export async function expandSaved(
  { steps, faults, ignored }: Expanded,
  { most, ...given }: Pick<Expansion, 'find' | 'principal' | 'savedAs'> & { readonly most: number },
): Promise<Expanded> {
  const expansion: Expansion = { ...given, left: most, faults: [...faults], ignored: [...ignored] };
  return { ...expansion, steps: await expandAll(expansion, steps) };
}

async function expandAll(expansion: Expansion, steps: readonly PlacedStep[]): Promise<PlacedStep[]> {
  const expanded: PlacedStep[] = [];
  for (const step of steps) {
    // One more than allowed, so that the check of the limit finds it.
    if (expansion.left < 0) break;
    const inner = await (step.inner === undefined ? expandStep(expansion, step) : expandInner(expansion, step.inner));
    if (inner?.form !== 'saved') expansion.left--;
    expanded.push(inner === undefined ? step : { ...step, inner });
  }
  return expanded;
}

async function expandInner(expansion: Expansion, inner: InnerSteps): Promise<InnerSteps> {
  switch (inner.form) {
    case 'if':
      return {
        ...inner,
        then: await expandAll(expansion, inner.then),
        else: await expandAll(expansion, inner.else),
      };
    case 'parallel': {
      const branches: PlacedStep[][] = [];
      for (const branch of inner.branches) branches.push(await expandAll(expansion, branch));
      return { ...inner, branches };
    }
    default:
      return { ...inner, steps: await expandAll(expansion, inner.steps) };
  }
}

/** Returns the steps of the saved pipeline that a step names; undefined for an operation. */
async function expandStep(expansion: Expansion, step: PlacedStep): Promise<InnerSteps | undefined> {
  const tool = toolOf(step.raw);
  if (tool === undefined) return undefined;
  const { at, scopes, within } = step;
  const none: InnerSteps = { form: 'saved', steps: [] };
  const fault = (pointer: string, detail: string): InnerSteps => {
    const place = within.length === 0 ? '' : `${within.join(' → ')}: `;
    expansion.faults.push({ pointer, detail: `${place}${detail}` });
    return none;
  };
  const outside = [...(expansion.savedAs === undefined ? [] : [expansion.savedAs]), ...within];
  if (outside.includes(tool.name))
    return fault(`${at}/operation`, `${tool.name} would run itself (${[...outside, tool.name].join(' → ')})`);
  const saved = await expansion.find(tool.name, tool.version, expansion.principal);
  if (saved === undefined)
    return fault(`${at}/operation`, `there is no saved pipeline ${tool.text}, or it is not shared with you`);
  const given = (step.raw as { readonly parameters?: unknown }).parameters ?? {};
  if (!isObject(given)) return fault(`${at}/parameters`, 'must be an object with the inputs of the saved pipeline');
  const outer = scopes.at(-1);
  for (const { pointer, detail } of outer === undefined ? [] : templateFaults(given, `${at}/parameters`, outer))
    fault(pointer, detail);
  const open = outer === undefined ? [] : Object.keys(given).filter((name) => hasTemplates(given[name]));
  const { values, faults, ignored } = saved.read(given, new Set(open));
  for (const { pointer, detail } of faults) fault(`${at}/parameters${within.length === 0 ? pointer : ''}`, detail);
  for (const name of ignored)
    expansion.ignored.push({
      pointer: `${at}/parameters/${escapePointer(name)}`,
      detail: `${name.slice(0, 200)} is not an input of ${tool.name} and is ignored`,
    });
  const context = { scopes: [...scopes, values], within: [...within, tool.name], depth: step.depth };
  const steps = placeSteps(saved.steps, at, context, (place, _, detail) =>
    expansion.faults.push({ pointer: at, detail: `${place.within.join(' → ')}: ${detail}` }),
  );
  return { form: 'saved', steps: await expandAll(expansion, steps) };
}

function toolOf(
  step: unknown,
): { readonly text: string; readonly name: string; readonly version: number | undefined } | undefined {
  const path = isObject(step) ? step['operation'] : undefined;
  if (typeof path !== 'string' || !path.startsWith(TOOLS)) return undefined;
  const text = path.slice(TOOLS.length);
  const [, name, version] = TOOL.exec(text) ?? [];
  return {
    text: text.slice(0, 100),
    name: name ?? text.slice(0, 100),
    version: version === undefined ? undefined : Number(version),
  };
}
