import { signal } from '@preact/signals';
import { asProblem, upload, type Problem } from '../../api/index.ts';
import { fileNameOf } from '../../files/index.ts';
import { filesOfResult } from '../tool/result-files.ts';
import { formTexts } from '../../form/values.ts';
import type { PipelineModel, Step } from './pipeline-model.ts';

/** What a step of a trial run has returned so far. */
export interface StepResult {
  readonly state: 'running' | 'done' | 'failed';
  readonly files: readonly File[];
  /** Readers of the headers of each call. */
  readonly headers: readonly ((name: string) => string | null)[];
  /** Files that a filter dropped. */
  readonly dropped: number;
  readonly problem?: Problem;
}

/** Runs the steps one by one, each as a call of its own, and keeps what every step returns. */
export class TrialRun {
  /** Results by the key of the step. */
  readonly results = signal<ReadonlyMap<number, StepResult>>(new Map());
  readonly running = signal(false);
  #stop = new AbortController();

  constructor(private readonly model: PipelineModel) {}

  async start(inputs: readonly File[]): Promise<void> {
    this.#stop = new AbortController();
    this.results.value = new Map();
    this.running.value = true;
    let files = inputs;
    for (const step of this.model.active) {
      const result = await this.#run(step, files);
      if (result.state !== 'done' || result.files.length === 0) break;
      ({ files } = result);
    }
    this.running.value = false;
  }

  stop(): void {
    this.#stop.abort();
  }

  async #run(step: Step, inputs: readonly File[]): Promise<StepResult> {
    let result: StepResult = { state: 'running', files: [], headers: [], dropped: 0 };
    const show = (next: Partial<StepResult>): void => {
      result = { ...result, ...next };
      this.results.value = new Map([...this.results.value, [step.key, result]]);
    };
    show({});
    const calls = step.operation?.files === 'all' ? [inputs] : inputs.map((file) => [file]);
    try {
      for (const call of calls) {
        const { blob, status, header } = await upload(step.operation?.path ?? '', () => formOf(step, call), {
          signal: this.#stop.signal,
        });
        const headers = [...result.headers, header];
        if (status === 204) {
          show({ headers, dropped: result.dropped + call.length });
          continue;
        }
        const name = fileNameOf(header('content-disposition')) ?? 'result.json';
        const found = await filesOfResult(blob, name, step.operation?.returns.many ?? false);
        show({ headers, files: [...result.files, ...(await Promise.all(found.map((file) => file.read())))] });
      }
      show({ state: 'done' });
    } catch (error) {
      show({ state: 'failed', problem: asProblem(error) });
    }
    return result;
  }
}

/** The form of one call of a step. */
function formOf(step: Step, files: readonly File[]): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(step.definition.parameters))
    for (const text of formTexts(value)) form.append(name, text);
  for (const file of files) form.append('fileInput', file, file.name);
  appendSecondFiles(form, [step]);
  return form;
}

/** Second files of steps, such as a picture for a watermark: each field once, as pipelines send them. */
export function appendSecondFiles(form: FormData, steps: readonly Step[]): void {
  for (const { draft } of steps)
    for (const { field } of draft?.shownParts ?? []) {
      if (field === 'fileInput' || form.has(field)) continue;
      for (const { file } of draft?.files.value[field] ?? []) form.append(field, file, file.name);
    }
}
