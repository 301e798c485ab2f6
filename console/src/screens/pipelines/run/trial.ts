import { signal } from '@preact/signals';
import { asProblem, upload, type Problem } from '../../../api/index.ts';
import { fileNameOf } from '../../../files/index.ts';
import { formTexts } from '../../../form/values.ts';
import { isRecord } from '../../../viewers/index.ts';
import { filesOfResult } from '../../tool/result-files.ts';
import type { Pipeline } from '../model/pipeline.ts';
import { hasPlaceholders } from '../model/sample-values.ts';
import type { Step } from '../model/step.ts';

/** What a step of a trial has returned so far. */
export interface StepResult {
  readonly state: 'running' | 'done' | 'failed' | 'stopped';
  readonly inputs: readonly File[];
  readonly files: readonly File[];
  /** Readers of the headers of each call. */
  readonly headers: readonly ((name: string) => string | null)[];
  /** Files that a filter drops, or that the step does not take. */
  readonly dropped: number;
  /** Share of the calls that have ended. */
  readonly progress: number;
  readonly ms: number;
  readonly problem?: Problem;
}

/** Runs the steps one by one, each by calls of its own, and keeps what every step returns. */
export class Trial {
  readonly results = signal<ReadonlyMap<Step, StepResult>>(new Map());
  readonly running = signal(false);
  #stop = new AbortController();

  constructor(private readonly pipeline: Pipeline) {}

  start(inputs: readonly File[]): Promise<void> {
    this.results.value = new Map();
    return this.#from(this.pipeline.enabledSteps.value, inputs);
  }

  /** Runs a step again with the files that it had, and those after it. */
  async again(step: Step): Promise<void> {
    const known = this.results.value.get(step);
    const steps = this.pipeline.enabledSteps.value;
    const at = steps.indexOf(step);
    if (known === undefined || at < 0) return;
    const before = steps.slice(0, at);
    this.results.value = new Map([...this.results.value].filter(([each]) => before.includes(each)));
    await this.#from(steps.slice(at), known.inputs);
  }

  stop(): void {
    this.#stop.abort();
  }

  async #from(steps: readonly Step[], inputs: readonly File[]): Promise<void> {
    this.#stop = new AbortController();
    this.running.value = true;
    let files = inputs;
    for (const step of steps) {
      const result = await this.#run(step, files);
      if (result.state !== 'done' || result.files.length === 0) break;
      ({ files } = result);
    }
    this.running.value = false;
  }

  async #run(step: Step, inputs: readonly File[]): Promise<StepResult> {
    const began = performance.now();
    const taken = inputs.filter((file) => takes(step, file));
    let result: StepResult = {
      state: 'running',
      inputs,
      files: [],
      headers: [],
      dropped: inputs.length - taken.length,
      progress: 0,
      ms: 0,
    };
    const show = (next: Partial<StepResult>): void => {
      result = { ...result, ...next, ms: performance.now() - began };
      this.results.value = new Map([...this.results.value, [step, result]]);
    };
    show({});
    const together = step.operation?.files === 'all' || step.branching !== undefined;
    const calls = together ? (taken.length > 0 ? [taken] : []) : taken.map((file) => [file]);
    try {
      for (const [i, call] of calls.entries()) {
        const answer = await this.#call(step, call);
        show({
          headers: [...result.headers, answer.header],
          files: [...result.files, ...answer.files],
          dropped: result.dropped + (answer.files.length === 0 ? call.length : 0),
          progress: (i + 1) / calls.length,
        });
      }
      show({ state: 'done' });
    } catch (error) {
      const problem = asProblem(error);
      show(problem.isAbort ? { state: 'stopped' } : { state: 'failed', problem });
    }
    return result;
  }

  async #call(step: Step, files: readonly File[]): Promise<Pick<StepResult, 'files'> & { header: Header }> {
    const { path, form } = this.#formOf(step, files);
    const { blob, status, header } = await upload(path, () => form, { signal: this.#stop.signal });
    if (status === 204) return { files: [], header };
    const name = fileNameOf(header('content-disposition')) ?? 'result.json';
    const found = await filesOfResult(blob, name, step.operation?.returns.many ?? name === 'output.zip');
    return { files: await Promise.all(found.map((file) => file.read())), header };
  }

  /** A step with placeholders, branches or rules of its own runs as a pipeline of one step, which knows them. */
  #formOf(step: Step, files: readonly File[]): { readonly path: string; readonly form: FormData } {
    const json = step.toJson();
    if (step.branching === undefined && !hasPlaceholders(json) && !('name' in json) && !('onError' in json))
      return { path: step.path, form: formOf(step, files) };
    const form = new FormData();
    const { values } = this.pipeline.sampled.value;
    form.append('json', JSON.stringify({ pipeline: [json], ...(values === undefined ? {} : { values }) }));
    for (const file of files) form.append('fileInput', file, file.name);
    return { path: 'pipeline/handleData', form };
  }
}

type Header = (name: string) => string | null;

/** Pipelines leave out files that a step does not take. */
function takes({ operation }: Step, { name }: File): boolean {
  const extensions = operation?.parts[0]?.extensions ?? [];
  return extensions.length === 0 || extensions.includes(/\.[^.]+$/.exec(name)?.[0].toLowerCase() ?? '');
}

/** The form of one call of a step. */
function formOf(step: Step, files: readonly File[]): FormData {
  const form = new FormData();
  const { parameters } = step.toJson();
  for (const [name, value] of Object.entries(isRecord(parameters) ? parameters : {}))
    if (name !== 'fileInput' && value !== null) for (const text of formTexts(value)) form.append(name, text);
  for (const file of files) form.append('fileInput', file, file.name);
  return form;
}
