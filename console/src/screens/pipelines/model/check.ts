import { batch, signal } from '@preact/signals';
import { asProblem, callJson, type FieldFault } from '../../../api/index.ts';
import { faultsByField } from '../../../form/faults.ts';
import type { Pipeline } from './pipeline.ts';
import { t } from '../texts.ts';
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

  constructor(private readonly pipeline: Pipeline) {}

  /** Starts a check of the pipeline as it is; returns what stops it. */
  later(): () => void {
    const steps = this.pipeline.enabledSteps.peek();
    const json = JSON.stringify(this.pipeline.sampled.peek());
    if (steps.length === 0) {
      this.result.value = { state: 'empty', general: [], count: 0 };
      return () => undefined;
    }
    this.result.value = { ...this.result.peek(), state: 'checking' };
    const stop = new AbortController();
    const timer = setTimeout(() => void this.#check(json, steps, stop.signal), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }

  async #check(json: string, steps: readonly Step[], signal: AbortSignal): Promise<void> {
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

  #show(faults: readonly FieldFault[], notes: readonly FieldFault[], steps: readonly Step[]): void {
    batch(() => {
      const left = new Set(faults);
      let open = 0;
      const take = (belongs: (pointer: string) => boolean): FieldFault[] => {
        const found = [...left].filter(({ pointer }) => belongs(pointer));
        for (const fault of found) left.delete(fault);
        return found;
      };
      for (const [i, step] of steps.entries()) {
        const base = `/pipeline/${i}`;
        const own = (pointer: string): boolean => pointer === base || pointer.startsWith(`${base}/`);
        const inFields = `${base}/parameters/`;
        const fields: Record<string, string> = faultsByField(
          take((pointer) => pointer.startsWith(inFields)),
          inFields,
        );
        // The server may know a default; the template's author wants an answer.
        for (const name of step.unanswered.filter((each) => !(each in fields))) {
          fields[name] = t('Fill this in: the template leaves it to you.');
          open += 1;
        }
        step.faults.value = { fields, step: take(own).map((fault) => wordsOf(fault, step, base)) };
        step.notes.value = notes.filter(({ pointer }) => own(pointer)).map(({ detail }) => detail);
      }
      for (const step of this.pipeline.steps.peek())
        if (!steps.includes(step)) {
          step.faults.value = { step: [], fields: {} };
          step.notes.value = [];
        }
      this.result.value = {
        state: faults.length + open === 0 ? 'valid' : 'faulty',
        general: [...left].map(({ pointer, detail }) => `${pointer} ${detail}`.trim()),
        count: faults.length + open,
      };
    });
  }
}

/** What is wrong with a step; the place of faults in its branches is named, as they have no form. */
function wordsOf({ pointer, detail }: FieldFault, { branching }: Step, base: string): string {
  return branching === undefined ? detail : `${pointer.slice(base.length)} ${detail}`.trim();
}
