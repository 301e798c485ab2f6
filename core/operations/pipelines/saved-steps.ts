import type { FieldFault, Principal } from '@quire/registry';
import { escapePointer } from '../runner/index.js';
import { isObject, type PipelineDefinition } from './definition.js';
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

/** A step of a saved pipeline in place of the step that names the pipeline. */
export interface InnerStep {
  readonly raw: unknown;
  /** Pointer of the step that names the pipeline. */
  readonly at: string;
  /** Values of the inputs, of the outermost pipeline first; each may have placeholders for those before. */
  readonly scopes: readonly Readonly<Record<string, unknown>>[];
  /** Names of the pipelines that it is in. */
  readonly within: readonly string[];
}

export interface Expanded {
  readonly steps: readonly InnerStep[];
  readonly faults: readonly FieldFault[];
  readonly ignored: readonly FieldFault[];
}

interface Expansion {
  readonly find: FindSaved;
  readonly principal: Principal;
  readonly most: number;
  /** The saved pipeline that this definition is, if any. */
  readonly savedAs: string | undefined;
  readonly faults: FieldFault[];
  readonly ignored: FieldFault[];
  readonly steps: InnerStep[];
}

/** True if a step of this definition is a saved pipeline. */
export function hasSavedSteps({ steps }: PipelineDefinition): boolean {
  return steps.some((step) => toolOf(step) !== undefined);
}

/** Puts the steps of saved pipelines in place of the steps that name them; stops after `most` steps. */
export async function expandSaved(
  { steps, values }: PipelineDefinition,
  given: Pick<Expansion, 'find' | 'principal' | 'most' | 'savedAs'>,
): Promise<Expanded> {
  const expansion: Expansion = { ...given, faults: [], ignored: [], steps: [] };
  const scopes = values === undefined ? [] : [values];
  for (const [index, raw] of steps.entries())
    await expandStep(expansion, { raw, at: `/pipeline/${index}`, scopes, within: [] });
  return expansion;
}

async function expandStep(expansion: Expansion, step: InnerStep): Promise<void> {
  // One more than allowed, so that the check of the limit finds it.
  if (expansion.steps.length > expansion.most) return;
  const tool = toolOf(step.raw);
  if (tool === undefined) {
    expansion.steps.push(step);
    return;
  }
  const { at, scopes, within } = step;
  const fault = (pointer: string, detail: string): void => {
    const place = within.length === 0 ? '' : `${within.join(' → ')}: `;
    expansion.faults.push({ pointer, detail: `${place}${detail}` });
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
  for (const raw of saved.steps)
    await expandStep(expansion, { raw, at, scopes: [...scopes, values], within: [...within, tool.name] });
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
