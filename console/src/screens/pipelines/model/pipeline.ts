import { computed, signal } from '@preact/signals';
import { API, type PipelineJson } from './definition.ts';
import { flowOf } from './flow.ts';
import { withSampleValues } from './sample-values.ts';
import type { SavedLink, StoredPipeline } from './store.ts';
import { Step } from './step.ts';

/** A pipeline that is edited. */
export class Pipeline {
  readonly name = signal('');
  readonly steps = signal<readonly Step[]>([]);
  /** What the last change of the list of steps can be taken back to. */
  readonly before = signal<readonly Step[] | undefined>(undefined);
  readonly flow = computed(() => flowOf(this.steps.value));
  readonly enabledSteps = computed(() => this.steps.value.filter(({ enabled }) => enabled.value));
  /** The definition without steps that are switched off, as it runs and is exported. */
  readonly json = computed(() => this.#jsonOf(this.enabledSteps.value));
  /** As `json`, with a value for each placeholder: for the check and the trial. */
  readonly sampled = computed(() => withSampleValues(this.json.value, this.link.value?.inputs ?? []));
  /** The pipeline on the server that this is a copy of. */
  readonly link = signal<SavedLink | undefined>(undefined);
  readonly #rest = signal<Readonly<Record<string, unknown>>>({});

  constructor(
    readonly id: string,
    stored: StoredPipeline['json'],
    { off, ask = {}, link }: Pick<StoredPipeline, 'off' | 'ask' | 'link'> = { off: [] },
  ) {
    this.link.value = link;
    this.read(stored, off, ask);
    this.before.value = undefined;
  }

  /** Replaces everything by a definition. */
  read(json: PipelineJson, off: readonly number[] = [], ask: NonNullable<StoredPipeline['ask']> = {}): void {
    const { name, pipeline, ...rest } = json;
    this.#rest.value = rest;
    this.name.value = typeof name === 'string' ? name : '';
    this.#change(pipeline.map((step, i) => new Step(step, !off.includes(i), ask[i])));
  }

  /** As it is kept in the browser: with the steps that are switched off. */
  get stored(): Pick<StoredPipeline, 'json' | 'off' | 'ask' | 'link'> {
    const off = this.steps.value.flatMap(({ enabled }, i) => (enabled.value ? [] : [i]));
    const asked = this.steps.value.flatMap(({ ask }, i) => (ask.length === 0 ? [] : [[i, ask] as const]));
    const ask = asked.length === 0 ? {} : { ask: Object.fromEntries(asked) };
    const link = this.link.value === undefined ? {} : { link: this.link.value };
    return { json: this.#jsonOf(this.steps.value), off, ...ask, ...link };
  }

  /** Members beside name and steps: they are kept. */
  get otherMembers(): readonly string[] {
    return Object.keys(this.#rest.value);
  }

  /** A member beside name and steps, such as `outputFileName`; empty if it is not a text. */
  member(name: string): string {
    const value = this.#rest.value[name];
    return typeof value === 'string' ? value : '';
  }

  setMember(name: string, text: string): void {
    const { [name]: _, ...rest } = this.#rest.value;
    this.#rest.value = text === '' ? rest : { ...rest, [name]: text };
  }

  add(path: string, at: number): Step {
    const step = new Step({ operation: `${API}${path}`, parameters: {} });
    step.open.value = true;
    this.#insert(step, at);
    return step;
  }

  duplicate(step: Step): void {
    const copy = new Step(step.toJson(), step.enabled.value, step.ask);
    copy.open.value = step.open.value;
    this.#insert(copy, this.steps.value.indexOf(step) + 1);
  }

  remove(step: Step): void {
    this.#change(this.steps.value.filter((each) => each !== step));
  }

  move(step: Step, to: number): void {
    const rest = this.steps.value.filter((each) => each !== step);
    this.steps.value = [...rest.slice(0, to), step, ...rest.slice(to)];
  }

  undo(): void {
    const before = this.before.value;
    if (before !== undefined) this.steps.value = before;
    this.before.value = undefined;
  }

  #insert(step: Step, at: number): void {
    const steps = this.steps.value;
    this.steps.value = [...steps.slice(0, at), step, ...steps.slice(at)];
  }

  #change(steps: readonly Step[]): void {
    this.before.value = this.steps.value;
    this.steps.value = steps;
  }

  #jsonOf(steps: readonly Step[]): PipelineJson {
    const name = this.name.value.trim();
    return {
      ...this.#rest.value,
      ...(name === '' ? {} : { name }),
      pipeline: steps.map((step) => step.toJson()),
    };
  }
}
