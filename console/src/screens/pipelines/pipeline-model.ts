import { computed, signal, type ReadonlySignal } from '@preact/signals';
import type { ShownOperation } from '@quire/registry';
import { operationOf } from '../../api/index.ts';
import { Draft } from '../tool/draft.ts';
import { parametersOf, toForm } from '../../form/values.ts';
import { definitionOf, PREFIX } from './definition.ts';
import type { SavedPipeline, StepDefinition } from './pipeline-store.ts';

let last = 0;

/** A step that is edited. One whose operation this server does not have keeps its parameters as they are. */
export class Step {
  readonly key = ++last;
  readonly operation: ShownOperation | undefined;
  readonly draft: Draft | undefined;
  readonly off = signal(false);
  readonly #given: StepDefinition;
  /** Parameters that the form does not have. */
  readonly extra: Readonly<Record<string, unknown>>;

  constructor(given: StepDefinition & { readonly off?: true }) {
    this.#given = given;
    this.off.value = given.off === true;
    this.operation = given.operation.startsWith(PREFIX)
      ? operationOf(given.operation.slice(PREFIX.length))
      : operationOf(given.operation);
    const fields = new Map(this.operation?.fields.map((field) => [field.name, field]));
    const known = Object.entries(given.parameters).filter(([name]) => fields.has(name));
    this.extra = Object.fromEntries(Object.entries(given.parameters).filter(([name]) => !fields.has(name)));
    if (this.operation === undefined) return;
    this.draft = new Draft(this.operation);
    this.draft.reset(Object.fromEntries(known.map(([name, value]) => [name, toForm(fields.get(name)!, value)])));
  }

  /** The step as it is now. */
  get definition(): StepDefinition & { readonly off?: true } {
    const off = this.off.value ? { off: true as const } : {};
    if (this.draft === undefined || this.operation === undefined) return { ...this.#given, ...off };
    const parameters = { ...this.extra, ...parametersOf(this.operation, this.draft.values.value) };
    return { operation: `${PREFIX}${this.operation.path}`, parameters, ...off };
  }
}

/** A pipeline that is edited. */
export class PipelineModel {
  readonly id: string;
  readonly name = signal('');
  readonly outputFileName = signal('');
  readonly steps = signal<readonly Step[]>([]);
  readonly extra: Readonly<Record<string, unknown>>;
  /** The interface's JSON; its text changes when anything changes that matters. */
  readonly json: ReadonlySignal<string>;

  constructor(saved: SavedPipeline) {
    this.id = saved.id;
    this.name.value = saved.name;
    this.outputFileName.value = saved.outputFileName;
    this.steps.value = saved.steps.map((step) => new Step(step));
    this.extra = saved.extra;
    this.json = computed(() => JSON.stringify(definitionOf(this.saved), undefined, 2));
  }

  get saved(): SavedPipeline {
    return {
      id: this.id,
      name: this.name.value,
      outputFileName: this.outputFileName.value,
      steps: this.steps.value.map(({ definition }) => definition),
      extra: this.extra,
      changedAt: Date.now(),
    };
  }

  /** The steps that run. */
  get active(): readonly Step[] {
    return this.steps.value.filter(({ off }) => !off.value);
  }

  add(path: string): void {
    this.steps.value = [...this.steps.value, new Step({ operation: `${PREFIX}${path}`, parameters: {} })];
  }

  move(from: number, to: number): void {
    const next = [...this.steps.value];
    if (to < 0 || to >= next.length) return;
    next.splice(to, 0, ...next.splice(from, 1));
    this.steps.value = next;
  }

  copy(index: number): void {
    const step = this.steps.value[index];
    if (step !== undefined) this.steps.value = this.steps.value.toSpliced(index + 1, 0, new Step(step.definition));
  }

  remove(index: number): void {
    this.steps.value = this.steps.value.toSpliced(index, 1);
  }
}

/** Kinds of files that reach each step, and that leave the last; `any` where nothing is known. */
export function kindsBetween(steps: readonly Step[]): readonly (readonly string[])[] {
  const first = steps[0]?.operation?.parts.find(({ field }) => field === 'fileInput')?.kinds ?? ['any'];
  let current: readonly string[] = first;
  return [
    current,
    ...steps.map(({ operation }) => {
      if (operation === undefined) return (current = ['any']);
      const { kinds } = operation.returns;
      return (current = [...new Set(kinds.flatMap((kind) => (kind === 'same' ? current : [kind])))]);
    }),
  ];
}
