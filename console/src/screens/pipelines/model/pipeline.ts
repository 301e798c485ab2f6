import { batch, computed, signal } from '@preact/signals';
import type { Condition } from './condition.ts';
import { API, type PipelineJson, type StepJson } from './definition.ts';
import { flowOf } from './flow.ts';
import { isWithin } from './pointers.ts';
import { withSampleValues } from './sample-values.ts';
import type { SavedInput } from '../saved/saved.ts';
import type { SavedLink, StoredPipeline } from './store.ts';
import { Step, StepList } from './step.ts';

/** A step with its pointer in the definition. */
export type PlacedStep = readonly [Step, string];

/** All lists of steps, the branches of steps, and conditions, as they were. */
type Snapshot = () => void;

/** A pipeline that is edited. */
export class Pipeline {
  readonly name = signal('');
  readonly root = new StepList();
  /** Takes the last change of steps back. */
  readonly before = signal<Snapshot | undefined>(undefined);
  readonly flow = computed(() => flowOf(this.root));
  readonly enabledSteps = computed(() => this.steps.value.filter(({ enabled }) => enabled.value));
  /** The definition without steps that are switched off, as it runs and is exported. */
  readonly json = computed(() => this.#jsonOf(false));
  /** As `json`, with a value for each placeholder: for the check and the trial. */
  readonly sampled = computed(() => withSampleValues(this.json.value, this.link.value?.inputs ?? []));
  /** The pipeline on the server that this is a copy of. */
  readonly link = signal<SavedLink | undefined>(undefined);
  #inputSteps: ReadonlyMap<SavedInput, readonly [Step, string]> = new Map();
  readonly #rest = signal<Readonly<Record<string, unknown>>>({});

  constructor(
    readonly id: string,
    stored: StoredPipeline['json'],
    { off, ask = {}, link }: Pick<StoredPipeline, 'off' | 'ask' | 'link'> = { off: [] },
  ) {
    this.read(stored, off, ask);
    this.setLink(link);
    this.before.value = undefined;
  }

  /** Follows the parameters that inputs of the saved pipeline are for, wherever their steps go. */
  setLink(link: SavedLink | undefined): void {
    const placed = this.placed({ all: true });
    this.#inputSteps = new Map(
      (link?.inputs ?? []).flatMap((input) => {
        const { field } = input;
        // The innermost step that the pointer is in.
        const found = field === undefined ? undefined : placed.findLast(([, place]) => isWithin(field, place));
        return field === undefined || found === undefined ? [] : [[input, [found[0], field.slice(found[1].length)]]];
      }),
    );
    this.link.value = link;
  }

  /** The link, with pointers of inputs into the steps as they are now; `all`: with those that are switched off. */
  linkNow({ all = false } = {}): SavedLink | undefined {
    const link = this.link.value;
    if (link === undefined) return undefined;
    const places = new Map(this.placed({ all }));
    const inputs = link.inputs.flatMap((input) => {
      const [step, rest = ''] = this.#inputSteps.get(input) ?? [];
      if (step === undefined) return [input];
      const place = places.get(step);
      return place === undefined ? [] : [{ ...input, field: `${place}${rest}` }];
    });
    return { ...link, inputs };
  }

  /** The steps that are in no other one. */
  get steps(): StepList['steps'] {
    return this.root.steps;
  }

  /** Replaces everything by a definition. */
  read(json: PipelineJson, off: StoredPipeline['off'] = [], ask: NonNullable<StoredPipeline['ask']> = {}): void {
    this.#keepBefore();
    batch(() => {
      const { name, pipeline, ...rest } = json;
      this.#rest.value = rest;
      this.name.value = typeof name === 'string' ? name : '';
      this.steps.value = pipeline.map((step, i) => new Step(step, true, ask[i]));
      const switchedOff = new Set(off.map((place) => (typeof place === 'number' ? `/pipeline/${place}` : place)));
      for (const [step, pointer] of this.placed({ all: true })) step.enabled.value = !switchedOff.has(pointer);
    });
  }

  /** As it is kept in the browser: with the steps that are switched off. */
  get stored(): Pick<StoredPipeline, 'json' | 'off' | 'ask' | 'link'> {
    const off = this.placed({ all: true }).flatMap(([{ enabled }, pointer]) => (enabled.value ? [] : [pointer]));
    const asked = this.steps.value.flatMap(({ ask }, i) => (ask.length === 0 ? [] : [[i, ask] as const]));
    const ask = asked.length === 0 ? {} : { ask: Object.fromEntries(asked) };
    const linked = this.linkNow({ all: true });
    const link = linked === undefined ? {} : { link: linked };
    return { json: this.#jsonOf(true), off, ...ask, ...link };
  }

  /** Every step with its pointer, those inside of others too; `all`: with those that are switched off. */
  placed({ all = false } = {}): readonly PlacedStep[] {
    const within = (list: StepList, base: string): PlacedStep[] =>
      list.steps.value
        .filter(({ enabled }) => all || enabled.value)
        .flatMap((step, i) => [
          [step, `${base}/${i}`] as const,
          ...step.branches.value.flatMap((branch, way) => within(branch, `${base}/${i}${step.ways[way]}`)),
        ]);
    return within(this.root, '/pipeline');
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

  add(read: StepJson, list: StepList, at: number): Step {
    const step = new Step(read);
    step.open.value = true;
    insert(list, step, at);
    return step;
  }

  duplicate(step: Step): void {
    const list = this.listWith(step);
    if (list === undefined) return;
    const copy = new Step(step.toJson(), step.enabled.value, step.ask);
    copy.open.value = step.open.value;
    insert(list, copy, list.steps.value.indexOf(step) + 1);
  }

  remove(step: Step): void {
    const list = this.listWith(step);
    if (list === undefined) return;
    this.#keepBefore();
    list.steps.value = list.steps.value.filter((each) => each !== step);
  }

  removeBranch(step: Step, branch: StepList): void {
    this.#keepBefore();
    step.branches.value = step.branches.value.filter((each) => each !== branch);
  }

  /** Moves a step to a place of its list or of another one; not into itself. */
  move(step: Step, to: StepList, at: number): void {
    const from = this.listWith(step);
    if (from === undefined || contains(step, to)) return;
    batch(() => {
      from.steps.value = from.steps.value.filter((each) => each !== step);
      insert(to, step, at);
    });
  }

  /** The list that a step is in. */
  listWith(step: Step): StepList | undefined {
    return this.#lists().find(({ steps }) => steps.value.includes(step));
  }

  /** The step that a list is a branch of; undefined for the list of the pipeline. */
  ownerOf(list: StepList): Step | undefined {
    return this.placed({ all: true }).find(([{ branches }]) => branches.value.includes(list))?.[0];
  }

  undo(): void {
    const { before } = this;
    batch(() => {
      before.value?.();
      before.value = undefined;
    });
  }

  #lists(): readonly StepList[] {
    return [this.root, ...this.placed({ all: true }).flatMap(([{ branches }]) => branches.value)];
  }

  #keepBefore(): void {
    const lists = this.#lists().map((list) => [list.steps, list.steps.value] as const);
    const inner = this.placed({ all: true }).map(
      ([step]): readonly [Step, readonly StepList[], Condition | undefined] => [
        step,
        step.branches.value,
        step.condition.value,
      ],
    );
    this.before.value = () => {
      for (const [steps, were] of lists) steps.value = were;
      for (const [step, branches, condition] of inner) {
        step.branches.value = branches;
        step.condition.value = condition;
      }
    };
  }

  #jsonOf(all: boolean): PipelineJson {
    const name = this.name.value.trim();
    return {
      ...this.#rest.value,
      ...(name === '' ? {} : { name }),
      pipeline: this.root.toJson(all),
    };
  }
}

/** The definition of a step that uses a tool. */
export function stepWith(path: string): StepJson {
  return { operation: `${API}${path}`, parameters: {} };
}

/** Whether a list is inside of a step. */
function contains(step: Step, list: StepList): boolean {
  return step.branches.value.some(
    (branch) => branch === list || branch.steps.value.some((inner) => contains(inner, list)),
  );
}

function insert(list: StepList, step: Step, at: number): void {
  const steps = list.steps.value;
  list.steps.value = [...steps.slice(0, at), step, ...steps.slice(at)];
}
