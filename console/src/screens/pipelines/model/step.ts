import { signal, type Signal } from '@preact/signals';
import type { ShownOperation } from '@quire/registry';
import { operationOf } from '../../../api/index.ts';
import { isRecord } from '../../../viewers/index.ts';
import { conditionJson, newFact, readCondition, type Condition } from './condition.ts';
import { API, type StepJson } from './definition.ts';
import { noFaults, StepForm, type StepFaults } from './step-form.ts';

let last = 0;

/** A list of steps: those of the pipeline, or of a branch. */
export class StepList {
  readonly id = ++last;
  readonly steps: Signal<readonly Step[]>;

  constructor(steps: readonly Step[] = []) {
    this.steps = signal(steps);
  }

  toJson(all: boolean): StepJson[] {
    return this.steps.value.filter(({ enabled }) => all || enabled.value).map((step) => step.toJson(all));
  }
}

/** The forms of steps that contain steps. */
export const branchForms = ['if', 'parallel', 'each'] as const;
export type BranchForm = (typeof branchForms)[number];

/** Members of steps with branches; others are kept until somebody removes them. */
const branchMembers: readonly string[] = ['if', 'then', 'else', 'parallel', 'each', 'onError', 'name'];

/** What a new step with branches begins with. */
export function newBranching(form: BranchForm): StepJson {
  if (form === 'if') return { if: conditionJson(newFact()), then: [], else: [] };
  return form === 'each' ? { each: [] } : { parallel: [[], []] };
}

/**
 * A step that is edited. What the form cannot show is kept: members and parameters that nobody knows, and values of
 * another type than the field's. They are written again as they were read.
 */
export class Step {
  readonly id = ++last;
  readonly enabled = signal(true);
  readonly open = signal(false);
  readonly faults = signal<StepFaults>(noFaults);
  /** About `onError` and `name`. */
  readonly optionFaults = signal<Readonly<Record<string, string>>>({});
  /** Notes of the server that are not faults. */
  readonly notes = signal<readonly string[]>([]);
  readonly form: StepForm | undefined;
  /** Undefined for an operation, and for branches that nobody can read: these are kept. */
  readonly branchForm: BranchForm | undefined;
  /** The lists of steps inside of it: `then` and `else`, each branch, or one for `each`. */
  readonly branches = signal<readonly StepList[]>([]);
  /** Of a step with `if`. */
  readonly condition = signal<Condition | undefined>(undefined);
  /** What happens if it fails; empty as usual, which is to stop. */
  readonly onError = signal('');
  /** Stored files by file field, as they are written. */
  readonly files = signal<Readonly<Record<string, unknown>>>({});
  /** Name of its results; empty for the usual one. */
  readonly resultName = signal('');
  readonly #read: Signal<StepJson>;
  /** Parameters as they were read; undefined where they are not an object. */
  readonly #kept = signal<Readonly<Record<string, unknown>> | undefined>({});

  constructor(
    read: StepJson,
    enabled = true,
    /** Fields that a template leaves to people: without them the step is not complete. */
    readonly ask: readonly string[] = [],
  ) {
    this.#read = signal(read);
    this.enabled.value = enabled;
    this.onError.value = textOf(read['onError']);
    this.resultName.value = textOf(read['name']);
    const files = read['fileParameters'];
    if (isRecord(files)) this.files.value = files;
    const given = read['parameters'] ?? {};
    this.#kept.value = isRecord(given) ? given : undefined;
    this.branchForm = branchFormOf(read);
    if (this.branchForm !== undefined) {
      this.branches.value = listsOf(read, this.branchForm).map(
        (steps) => new StepList(steps.map((inner) => new Step(inner))),
      );
      // A pipeline is read with its branches.
      this.open.value = true;
      if (this.branchForm === 'if') this.condition.value = readCondition(read['if']);
      return;
    }
    const { operation } = this;
    if (operation !== undefined && this.#kept.value !== undefined)
      this.form = new StepForm(operation, this.#kept.value, this.faults);
  }

  /** Whether it says that it contains steps, in whatever way. */
  get isBranching(): boolean {
    return branchForms.some((form) => form in this.#read.value);
  }

  /** The path of its operation without `/api/v1/`; what was read, if it is not such a path. */
  get path(): string {
    const { operation } = this.#read.value;
    const text = typeof operation === 'string' ? operation : JSON.stringify(operation ?? null);
    return text.startsWith(API) ? text.slice(API.length) : text;
  }

  /** Undefined for an operation that this server does not have. */
  get operation(): ShownOperation | undefined {
    const { operation } = this.#read.value;
    return typeof operation === 'string' && operation.startsWith(API) ? operationOf(this.path) : undefined;
  }

  /** Parameters that the form does not show, by name; members of a step with branches that mean nothing. */
  get extras(): Readonly<Record<string, unknown>> {
    if (this.branchForm !== undefined)
      return Object.fromEntries(Object.entries(this.#read.value).filter(([name]) => !branchMembers.includes(name)));
    const kept = this.#kept.value;
    if (kept === undefined) return { parameters: this.#read.value['parameters'] };
    const { form } = this;
    if (form === undefined) return kept;
    return Object.fromEntries(Object.entries(kept).filter(([name]) => !form.shows(name)));
  }

  /** Fields that are asked for and still empty. */
  get unanswered(): readonly string[] {
    const typed = this.form?.typed.value ?? {};
    return this.ask.filter((name) => typed[name] === undefined && !(name in this.extras));
  }

  removeExtra(name: string): void {
    const without = (members: StepJson): StepJson => {
      const { [name]: _, ...rest } = members;
      return rest;
    };
    if (this.branchForm !== undefined) this.#read.value = without(this.#read.value);
    else this.#kept.value = without(this.#kept.value ?? {});
  }

  /** Pointers of its branches, relative to its own. */
  get ways(): readonly string[] {
    if (this.branchForm === 'if') return ['/then', '/else'];
    return this.branches.value.map((_, i) => (this.branchForm === 'each' ? '/each' : `/parallel/${i}`));
  }

  /** `all`: with the steps that are switched off. */
  toJson(all = true): StepJson {
    const read = this.#read.value;
    if (this.branchForm !== undefined) return { ...this.#optioned(read), ...this.#branchesJson(all) };
    const kept = this.#kept.value;
    if (kept === undefined) return this.#optioned(read);
    const parameters = this.form === undefined ? kept : this.form.parameters(kept);
    const had = 'parameters' in read || Object.keys(parameters).length > 0;
    return { ...this.#optioned(read), ...(had ? { parameters } : {}) };
  }

  #branchesJson(all: boolean): StepJson {
    const lists = this.branches.value.map((list) => list.toJson(all));
    if (this.branchForm === 'parallel') return { parallel: lists };
    if (this.branchForm === 'each') return { each: lists[0] };
    const [then = [], otherwise = []] = lists;
    const condition = this.condition.value;
    const hasElse = 'else' in this.#read.value || otherwise.length > 0;
    return {
      if: condition === undefined ? undefined : conditionJson(condition),
      then,
      ...(hasElse ? { else: otherwise } : {}),
    };
  }

  /** With files, `onError` and `name` as they are now; what cannot be shown stays as it was read. */
  #optioned(read: StepJson): StepJson {
    const json: Record<string, unknown> = { ...read };
    const files = this.files.value;
    if (Object.keys(files).length > 0) json['fileParameters'] = files;
    else if (isRecord(read['fileParameters'])) delete json['fileParameters'];
    for (const [name, value] of [
      ['onError', this.onError.value],
      ['name', this.resultName.value],
    ] as const) {
      if (value !== '') json[name] = value;
      else if (typeof read[name] === 'string' && read[name] !== '') delete json[name];
    }
    return json;
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function branchFormOf(read: StepJson): BranchForm | undefined {
  const found = branchForms.filter((form) => form in read);
  const [form, ...more] = found;
  if (form === undefined || more.length > 0 || 'operation' in read) return undefined;
  const written =
    form === 'if'
      ? [read['then'] ?? [], read['else'] ?? []]
      : form === 'each'
        ? [read['each']]
        : Array.isArray(read['parallel'])
          ? (read['parallel'] as unknown[])
          : [undefined];
  return written.every((list) => Array.isArray(list) && list.every(isRecord)) ? form : undefined;
}

function listsOf(read: StepJson, form: BranchForm): readonly (readonly StepJson[])[] {
  const lists =
    form === 'if' ? [read['then'] ?? [], read['else'] ?? []] : form === 'each' ? [read['each']] : read[form];
  return lists as readonly (readonly StepJson[])[];
}
