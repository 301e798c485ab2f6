import { signal } from '@preact/signals';
import { asProblem, upload, type Problem } from '../../../api/index.ts';
import { fileNameOf } from '../../../files/index.ts';
import { formTexts } from '../../../form/values.ts';
import { isRecord } from '../../../viewers/index.ts';
import { filesOfResult } from '../../tool/result-files.ts';
import { conditionJson } from '../model/condition.ts';
import type { StepJson } from '../model/definition.ts';
import type { Pipeline } from '../model/pipeline.ts';
import { hasMask, hasPlaceholders } from '../model/sample-values.ts';
import type { Step, StepList } from '../model/step.ts';
import { decisionsIn, type Decision } from './decisions.ts';

type Header = (name: string) => string | null;

/** What a step of a trial has returned so far. */
export interface StepResult {
  readonly state: 'running' | 'done' | 'failed' | 'stopped';
  readonly inputs: readonly File[];
  readonly files: readonly File[];
  /** Readers of the headers of each call. */
  readonly headers: readonly Header[];
  /** Files that a filter drops, or that the step does not take. */
  readonly dropped: number;
  /** Share of the calls that have ended. */
  readonly progress: number;
  readonly ms: number;
  /** Which way each file went, for a step with a condition. */
  readonly decisions: readonly Decision[];
  /** A failure after which the pipeline goes on. */
  readonly forgiven?: Problem;
  readonly problem?: Problem;
}

type Show = (next: Partial<StepResult>) => void;

/** Runs the steps one by one, each by calls of its own, and keeps what every step returns. */
export class Trial {
  readonly results = signal<ReadonlyMap<Step, StepResult>>(new Map());
  readonly running = signal(false);
  #stop = new AbortController();
  /** The file that another one was made of. */
  readonly #origin = new WeakMap<File, File>();

  constructor(
    private readonly pipeline: Pipeline,
    /** Values for placeholders; undefined if there are none. */
    private readonly values: () => unknown,
  ) {}

  start(inputs: readonly File[]): Promise<void> {
    this.results.value = new Map();
    return this.#from(this.pipeline.enabledSteps.value, inputs);
  }

  /** Runs a step of the pipeline again with the files that it had, and those after it. */
  async again(step: Step): Promise<void> {
    const known = this.results.value.get(step);
    const steps = this.pipeline.enabledSteps.value;
    const at = steps.indexOf(step);
    if (known === undefined || at < 0) return;
    const kept = new Set(steps.slice(0, at).flatMap(withInner));
    this.results.value = new Map([...this.results.value].filter(([each]) => kept.has(each)));
    await this.#from(steps.slice(at), known.inputs);
  }

  stop(): void {
    this.#stop.abort();
  }

  async #from(steps: readonly Step[], inputs: readonly File[]): Promise<void> {
    this.#stop = new AbortController();
    this.running.value = true;
    // A failure is shown at its step.
    await this.#through(steps, inputs).catch(() => undefined);
    this.running.value = false;
  }

  /** Throws the problem of the step that failed. */
  async #through(steps: readonly Step[], inputs: readonly File[]): Promise<readonly File[]> {
    let files = inputs;
    for (const step of steps) {
      if (files.length === 0) break;
      files = await this.#run(step, files);
    }
    return files;
  }

  async #run(step: Step, inputs: readonly File[]): Promise<readonly File[]> {
    const began = performance.now();
    // In `each`, a step runs several times: what it has returned before stays.
    const before = this.results.value.get(step);
    let result: StepResult = {
      headers: [],
      decisions: [],
      dropped: 0,
      ...before,
      state: 'running',
      inputs: [...(before?.inputs ?? []), ...inputs],
      files: before?.files ?? [],
      progress: 0,
      ms: before?.ms ?? 0,
    };
    let returned: readonly File[] = [];
    const show: Show = (next) => {
      const ms = (before?.ms ?? 0) + performance.now() - began;
      result = { ...result, ...next, files: [...(before?.files ?? []), ...(next.files ?? returned)], ms };
      returned = next.files ?? returned;
      this.results.value = new Map([...this.results.value, [step, result]]);
    };
    show({});
    try {
      if (step.branchForm === undefined) await this.#runCalls(step, inputs, show);
      else show({ files: await this.#runBranches(step, inputs, show) });
      show({ state: 'done', progress: 1 });
    } catch (error) {
      const problem = asProblem(error);
      if (problem.isAbort) {
        show({ state: 'stopped' });
        throw error;
      }
      const reaction = step.onError.value;
      if (step.branchForm === undefined || (reaction !== 'skip' && reaction !== 'continue')) {
        show({ state: 'failed', problem });
        throw error;
      }
      show({ state: 'done', forgiven: problem, files: reaction === 'continue' ? inputs : [] });
    }
    return returned;
  }

  async #runCalls(step: Step, inputs: readonly File[], show: Show): Promise<void> {
    const taken = inputs.filter((file) => takes(step, file));
    const before = this.results.value.get(step);
    const headers = [...(before?.headers ?? [])];
    let dropped = (before?.dropped ?? 0) + inputs.length - taken.length;
    show({ dropped });
    const together = step.operation?.files === 'all' || step.isBranching;
    const calls = together ? (taken.length > 0 ? [taken] : []) : taken.map((file) => [file]);
    const files: File[] = [];
    for (const [i, call] of calls.entries()) {
      const answer = await this.#call(step, call);
      for (const file of answer.files) this.#origin.set(file, call[0]!);
      files.push(...answer.files);
      headers.push(answer.header);
      if (answer.files.length === 0) dropped += call.length;
      show({ headers: [...headers], files: [...files], dropped, progress: (i + 1) / calls.length });
    }
  }

  async #runBranches(step: Step, inputs: readonly File[], show: Show): Promise<readonly File[]> {
    const [first, second] = step.branches.value;
    const stepsOf = (list: StepList | undefined): readonly Step[] =>
      list?.steps.value.filter(({ enabled }) => enabled.value) ?? [];
    const files: File[] = [];
    if (step.branchForm === 'each')
      for (const input of inputs) files.push(...(await this.#through(stepsOf(first), [input])));
    if (step.branchForm === 'parallel')
      for (const branch of step.branches.value) files.push(...(await this.#through(stepsOf(branch), inputs)));
    if (step.branchForm !== 'if') return files;
    const ways: Record<Decision['taken'], File[]> = { then: [], else: [] };
    const decisions = [...(this.results.value.get(step)?.decisions ?? [])];
    for (const input of inputs) {
      const decision = await this.#decide(step, input);
      decisions.push(decision);
      ways[decision.taken].push(input);
      show({ decisions: [...decisions], files: [] });
    }
    files.push(...(await this.#through(stepsOf(first), ways.then)));
    files.push(...(await this.#through(stepsOf(second), ways.else)));
    return this.#inOrder(files, inputs);
  }

  /** The server answers which way a file goes, and what it has found. */
  async #decide(step: Step, file: File): Promise<Decision> {
    const condition = step.condition.value;
    const json = { if: condition === undefined ? undefined : conditionJson(condition), then: [], else: [] };
    const form = this.#formWith([json], [file]);
    const { header } = await upload('pipeline/handleData', () => form, { signal: this.#stop.signal });
    const [decision] = decisionsIn(header('x-pipeline-report'));
    if (decision === undefined) throw new Error('The server has not reported which way the file goes.');
    return decision;
  }

  /** Results of branches in the order of the files that they were made of. */
  #inOrder(files: readonly File[], inputs: readonly File[]): readonly File[] {
    const placeOf = (file: File): number => {
      for (let at: File | undefined = file; at !== undefined; at = this.#origin.get(at)) {
        const place = inputs.indexOf(at);
        if (place >= 0) return place;
      }
      return inputs.length;
    };
    return files.toSorted((a, b) => placeOf(a) - placeOf(b));
  }

  async #call(step: Step, files: readonly File[]): Promise<Pick<StepResult, 'files'> & { header: Header }> {
    const { path, form, isDirect } = this.#formOf(step, files);
    const { blob, status, header } = await upload(path, () => form, { signal: this.#stop.signal });
    if (status === 204) return { files: [], header };
    const given = fileNameOf(header('content-disposition')) ?? 'result.json';
    // Pipelines keep the names of files, where a call of the tool itself adds to them.
    const name = isDirect && !/\.zip$/i.test(given) ? withExtensionOf(files[0]!.name, given) : given;
    const found = await filesOfResult(blob, name, step.operation?.returns.many ?? name === 'output.zip');
    return { files: await Promise.all(found.map((file) => file.read())), header };
  }

  /**
   * A step with placeholders or rules of its own runs as a pipeline of one step, which knows them; one with the mask of
   * a stored secret as a trial of the saved pipeline.
   */
  #formOf(
    step: Step,
    files: readonly File[],
  ): { readonly path: string; readonly form: FormData; readonly isDirect: boolean } {
    const json = step.toJson(false);
    const { name } = this.pipeline.link.value ?? {};
    if (name !== undefined && hasMask(json))
      return { path: `pipelines/${encodeURIComponent(name)}/try`, form: this.#savedOf(step, files), isDirect: false };
    if (!step.isBranching && !hasMask(json) && !hasPlaceholders(json) && !('name' in json) && !('onError' in json))
      return { path: step.path, form: formOf(json, files), isDirect: true };
    return { path: 'pipeline/handleData', form: this.#formWith([json], files), isDirect: false };
  }

  /** The server puts the stored secrets in place of their masks, for which it needs all steps. */
  #savedOf(step: Step, files: readonly File[]): FormData {
    const form = this.#formWith(this.pipeline.json.value.pipeline, files);
    form.append('step', this.pipeline.placed().find(([each]) => each === step)?.[1] ?? '');
    return form;
  }

  #formWith(pipeline: readonly StepJson[], files: readonly File[]): FormData {
    const form = new FormData();
    const values = this.values();
    form.append('json', JSON.stringify({ pipeline, ...(values === undefined ? {} : { values }) }));
    for (const file of files) form.append('fileInput', file, file.name);
    return form;
  }
}

/** A step and all in it. */
function withInner(step: Step): readonly Step[] {
  return [step, ...step.branches.value.flatMap(({ steps }) => steps.value.flatMap(withInner))];
}

/** A file name with the extension of another one. */
function withExtensionOf(name: string, other: string): string {
  return `${name.replace(/\.[^.]+$/, '')}${/\.[^.]+$/.exec(other)?.[0] ?? ''}`;
}

/** Pipelines leave out files that a step does not take. */
function takes({ operation }: Step, { name }: File): boolean {
  const extensions = operation?.parts[0]?.extensions ?? [];
  return extensions.length === 0 || extensions.includes(/\.[^.]+$/.exec(name)?.[0].toLowerCase() ?? '');
}

/** The form of one call of a step. */
function formOf({ parameters }: StepJson, files: readonly File[]): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(isRecord(parameters) ? parameters : {}))
    if (name !== 'fileInput' && value !== null) for (const text of formTexts(value)) form.append(name, text);
  for (const file of files) form.append('fileInput', file, file.name);
  return form;
}
