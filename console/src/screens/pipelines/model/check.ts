import { batch, signal } from '@preact/signals';
import { asProblem, callJson, type FieldFault } from '../../../api/index.ts';
import { faultsByField } from '../../../form/faults.ts';
import { t } from '../texts.ts';
import { markCondition } from './condition.ts';
import type { Pipeline, PlacedStep } from './pipeline.ts';
import { isWithin } from './pointers.ts';
import { noFaults } from './step-form.ts';
import type { Step } from './step.ts';

const PAUSE_MS = 400;

/** What the server says about a pipeline as it is. */
export interface Check {
  readonly state: 'empty' | 'checking' | 'valid' | 'faulty' | 'unknown';
  /** Faults that belong to no step. */
  readonly general: readonly string[];
  readonly count: number;
}

interface Answer {
  readonly ignored: readonly FieldFault[];
  readonly replaced: readonly FieldFault[];
}

/** Checks a pipeline by the server's own rules, a moment after the last change. */
export class LiveCheck {
  readonly result = signal<Check>({ state: 'empty', general: [], count: 0 });
  #stop: () => void = () => undefined;

  constructor(private readonly pipeline: Pipeline) {}

  /** Starts a check of the pipeline as it is; returns what stops it. */
  later(): () => void {
    const steps = this.pipeline.placed();
    const json = JSON.stringify(this.pipeline.sampled.peek());
    if (steps.length === 0) {
      this.result.value = { state: 'empty', general: [], count: 0 };
      return () => undefined;
    }
    this.result.value = { ...this.result.peek(), state: 'checking' };
    const stop = new AbortController();
    const timer = setTimeout(() => void this.#check(json, steps, stop.signal), PAUSE_MS);
    this.#stop = () => {
      clearTimeout(timer);
      stop.abort();
    };
    return this.#stop;
  }

  /** Shows the faults with which the server has refused to save the steps, until they are changed. */
  refuse(faults: readonly FieldFault[]): void {
    this.#stop();
    this.#show(faults, [], this.pipeline.placed());
  }

  async #check(json: string, steps: readonly PlacedStep[], signal: AbortSignal): Promise<void> {
    const form = new FormData();
    form.append('json', json);
    try {
      const answer = await callJson<Answer>('pipeline/validate', { body: form, signal });
      if (!signal.aborted) this.#show([], [...answer.ignored, ...answer.replaced], steps);
    } catch (error) {
      if (signal.aborted) return;
      const { faults, status } = asProblem(error);
      if (status === 400) this.#show(faults, [], steps);
      else this.result.value = { state: 'unknown', general: [], count: 0 };
    }
  }

  #show(faults: readonly FieldFault[], notes: readonly FieldFault[], placed: readonly PlacedStep[]): void {
    batch(() => {
      const left = new Set(faults);
      let open = 0;
      // The innermost first: what is left belongs to the steps around.
      for (const [step, place] of placed.toReversed()) {
        const own = [...left].filter(({ pointer }) => isWithin(pointer, place));
        for (const fault of own) left.delete(fault);
        open += markStep(step, place, own);
        step.notes.value = notes.filter(({ pointer }) => isOwn(pointer, step, place)).map(({ detail }) => detail);
      }
      const checked = new Set(placed.map(([step]) => step));
      for (const [step] of this.pipeline.placed({ all: true })) if (!checked.has(step)) clear(step);
      this.result.value = {
        state: faults.length + open === 0 ? 'valid' : 'faulty',
        general: [...left].map(({ pointer, detail }) => `${pointer} ${detail}`.trim()),
        count: faults.length + open,
      };
    });
  }
}

/** Puts faults to the places of a step that they are about; returns how many answers it still needs. */
function markStep(step: Step, place: string, faults: readonly FieldFault[]): number {
  const inFields = step.branchForm === undefined ? `${place}/parameters/` : `${place}/`;
  const isAbout = (pointer: string, member: string): boolean => isWithin(pointer, `${place}/${member}`);
  const isOption = ({ pointer }: FieldFault): boolean => isAbout(pointer, 'onError') || isAbout(pointer, 'name');
  const ofCondition = step.condition.value === undefined ? [] : faults.filter(({ pointer }) => isAbout(pointer, 'if'));
  const others = faults.filter((fault) => !isOption(fault) && !ofCondition.includes(fault));
  // A step with branches has no fields, but members that mean nothing.
  const inField = ({ pointer }: FieldFault): boolean =>
    pointer.startsWith(inFields) &&
    (step.branchForm === undefined || pointer.slice(inFields.length).split('/')[0]! in step.extras);
  const fields: Record<string, string> = faultsByField(others.filter(inField), inFields);
  let open = 0;
  // The server may know a default; the template's author wants an answer.
  for (const name of step.unanswered.filter((each) => !(each in fields))) {
    fields[name] = t('Fill this in: the template leaves it to you.');
    open += 1;
  }
  step.faults.value = { fields, step: others.filter((fault) => !inField(fault)).map(({ detail }) => detail) };
  step.optionFaults.value = faultsByField(faults.filter(isOption), `${place}/`);
  if (step.condition.value !== undefined) markCondition(step.condition.value, `${place}/if`, ofCondition);
  return open;
}

/** Whether a pointer is in a step and not in one of its branches. */
function isOwn(pointer: string, step: Step, place: string): boolean {
  return isWithin(pointer, place) && !step.ways.some((way) => isWithin(pointer, `${place}${way}`));
}

/** Nothing is said about steps that are switched off. */
function clear(step: Step): void {
  step.faults.value = noFaults;
  step.optionFaults.value = {};
  step.notes.value = [];
}
