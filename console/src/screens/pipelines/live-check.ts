import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { asProblem, callJson, type FieldFault, type Problem } from '../../api/index.ts';
import { faultsByField } from '../../form/faults.ts';
import type { PipelineModel } from './pipeline-model.ts';

const PAUSE_MS = 300;

/** What the server says about a pipeline as it is. */
export interface Check {
  /** Undefined while it is asked. */
  readonly valid: boolean | undefined;
  /** Faults of the pipeline itself. */
  readonly whole: readonly string[];
  /** Faults of each active step that belong to none of its fields. */
  readonly steps: readonly (readonly string[])[];
  readonly ignored: readonly FieldFault[];
  /** It could not be asked. */
  readonly problem?: Problem;
}

const unknown: Check = { valid: undefined, whole: [], steps: [], ignored: [] };

/** Asks the server a moment after each change; faults of fields are put to the forms of the steps. */
export function useLiveCheck(model: PipelineModel) {
  const check = signalOf(model);
  const json = model.json.value;
  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(() => {
      void ask(json, stop.signal).then((result) => {
        if (stop.signal.aborted) return;
        check.value = toCheck(model, result);
      });
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [json]);
  return check.value;
}

const checks = new WeakMap<PipelineModel, ReturnType<typeof signal<Check>>>();

function signalOf(model: PipelineModel) {
  const known = checks.get(model) ?? signal<Check>(unknown);
  checks.set(model, known);
  return known as { value: Check };
}

interface Answer {
  readonly faults: readonly FieldFault[];
  readonly ignored: readonly FieldFault[];
  readonly problem?: Problem;
}

async function ask(json: string, signal: AbortSignal): Promise<Answer> {
  const form = new FormData();
  form.append('json', json);
  try {
    const { ignored } = await callJson<{ ignored: readonly FieldFault[] }>('pipeline/validate', { body: form, signal });
    return { faults: [], ignored };
  } catch (error) {
    const problem = asProblem(error);
    if (problem.code === 'PIPELINE_INVALID') return { faults: problem.faults, ignored: [] };
    return { faults: [], ignored: [], problem };
  }
}

function toCheck(model: PipelineModel, { faults, ignored, problem }: Answer): Check {
  const { active } = model;
  for (const [i, { draft }] of active.entries())
    if (draft !== undefined) draft.refused.value = faultsByField(faults, `/pipeline/${i}/parameters/`);
  const ofStep = (i: number): string[] =>
    faults
      .filter(({ pointer }) => {
        const inStep = pointer === `/pipeline/${i}` || pointer.startsWith(`/pipeline/${i}/`);
        const field = pointer.split('/')[4];
        return inStep && !(active[i]?.operation?.fields.some(({ name }) => name === field) ?? false);
      })
      .map(({ detail }) => detail);
  return {
    valid: problem === undefined && faults.length === 0,
    whole: faults.filter(({ pointer }) => !/^\/pipeline\/\d/.test(pointer)).map(({ detail }) => detail),
    steps: active.map((_step, i) => ofStep(i)),
    ignored,
    ...(problem === undefined ? {} : { problem }),
  };
}
