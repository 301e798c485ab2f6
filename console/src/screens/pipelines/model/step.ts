import { batch, computed, signal, type ReadonlySignal } from '@preact/signals';
import type { ShownField, ShownOperation } from '@quire/registry';
import { operationOf } from '../../../api/index.ts';
import { localFaults } from '../../../form/checks.ts';
import type { FormDraft } from '../../../form/form.tsx';
import {
  initialValue,
  parametersOf,
  toForm,
  typedValues,
  type FormValue,
  type FormValues,
} from '../../../form/values.ts';
import { isRecord } from '../../../viewers/index.ts';
import { isBranching } from './branches.ts';
import { API, type StepJson } from './definition.ts';

let last = 0;

/** What the server says about a step. */
export interface StepFaults {
  /** About the step as a whole. */
  readonly step: readonly string[];
  /** By field, and by names that are no fields. */
  readonly fields: Readonly<Record<string, string>>;
}

const noFaults: StepFaults = { step: [], fields: {} };

/**
 * A step that is edited. What the form cannot show is kept: members and parameters that nobody knows, and values of
 * another type than the field's. They are written again as they were read.
 */
export class Step {
  readonly id = ++last;
  readonly enabled = signal(true);
  readonly open = signal(false);
  readonly faults = signal<StepFaults>(noFaults);
  /** Notes of the server that are not faults. */
  readonly notes = signal<readonly string[]>([]);
  readonly form: StepForm | undefined;
  readonly #read: StepJson;
  /** Parameters as they were read; undefined where they are not an object. */
  readonly #kept = signal<Readonly<Record<string, unknown>> | undefined>({});

  constructor(
    read: StepJson,
    enabled = true,
    /** Fields that a template leaves to people: without them the step is not complete. */
    readonly ask: readonly string[] = [],
  ) {
    this.#read = read;
    this.enabled.value = enabled;
    const given = read['parameters'] ?? {};
    this.#kept.value = isRecord(given) ? given : undefined;
    const { operation } = this;
    if (operation !== undefined && this.#kept.value !== undefined)
      this.form = new StepForm(operation, this.#kept.value, this.faults);
  }

  /** The step as it was read, if it contains steps. */
  get branching(): StepJson | undefined {
    return isBranching(this.#read) ? this.#read : undefined;
  }

  /** The path of its operation without `/api/v1/`; what was read, if it is not such a path. */
  get path(): string {
    const { operation } = this.#read;
    const text = typeof operation === 'string' ? operation : JSON.stringify(operation ?? null);
    return text.startsWith(API) ? text.slice(API.length) : text;
  }

  /** Undefined for an operation that this server does not have. */
  get operation(): ShownOperation | undefined {
    const { operation } = this.#read;
    return typeof operation === 'string' && operation.startsWith(API) ? operationOf(this.path) : undefined;
  }

  /** Parameters that the form does not show, by name. */
  get extras(): Readonly<Record<string, unknown>> {
    const kept = this.#kept.value;
    if (kept === undefined) return { parameters: this.#read['parameters'] };
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
    const { [name]: _, ...rest } = this.#kept.value ?? {};
    this.#kept.value = rest;
  }

  toJson(): StepJson {
    const kept = this.#kept.value;
    if (kept === undefined) return this.#read;
    const parameters = this.form === undefined ? kept : this.form.parameters(kept);
    const had = 'parameters' in this.#read || Object.keys(parameters).length > 0;
    return { ...this.#read, ...(had ? { parameters } : {}) };
  }
}

/** The form of a step. */
class StepForm implements FormDraft {
  readonly values = signal<FormValues>({});
  readonly typed: ReadonlySignal<Readonly<Record<string, unknown>>>;
  readonly #touched = signal<ReadonlySet<string>>(new Set());
  readonly #read: ReadonlySet<string>;
  readonly #local: ReadonlySignal<Readonly<Record<string, string>>>;

  constructor(
    readonly operation: ShownOperation,
    given: Readonly<Record<string, unknown>>,
    private readonly faults: ReadonlySignal<StepFaults>,
  ) {
    const readable = operation.fields.filter((field) => isReadable(field, given[field.name]));
    this.#read = new Set(readable.map(({ name }) => name));
    this.values.value = Object.fromEntries(
      operation.fields.map((field) => [
        field.name,
        this.#read.has(field.name) ? toForm(field, given[field.name]) : initialValue(field),
      ]),
    );
    this.typed = computed(() => typedValues(operation, this.values.value));
    this.#local = computed(() => localFaults(operation, this.values.value));
  }

  set(name: string, value: FormValue): void {
    batch(() => {
      this.values.value = { ...this.values.value, [name]: value };
      this.#touched.value = new Set([...this.#touched.value, name]);
    });
  }

  faultOf(name: string): string | undefined {
    const local = this.#touched.value.has(name) ? this.#local.value[name] : undefined;
    return local ?? this.faults.value.fields[name];
  }

  /** Whether a parameter with this name is in the form, with the value that it has. */
  shows(name: string): boolean {
    return this.#read.has(name) || this.#touched.value.has(name);
  }

  /** What was read, with what somebody has changed. */
  parameters(kept: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const entered = parametersOf(this.operation, this.values.value);
    const touched = this.#touched.value;
    const names = [...Object.keys(kept), ...Object.keys(entered).filter((name) => !(name in kept))];
    const result: Record<string, unknown> = {};
    for (const name of names) {
      if (name in kept && !touched.has(name)) result[name] = kept[name];
      else if (name in entered) result[name] = entered[name];
    }
    return result;
  }
}

/** Whether the form shows this value as it is. */
function isReadable(field: ShownField, value: unknown): boolean {
  if (value === undefined || value === null) return false;
  switch (field.type) {
    case 'boolean':
      return typeof value === 'boolean' || value === 'true' || value === 'false';
    case 'list':
      return typeof value === 'string' || (Array.isArray(value) && value.every((item) => item !== null));
    case 'map':
      return isRecord(value) && Object.values(value).every((each) => typeof each !== 'object');
    case 'json':
      return true;
    default:
      return typeof value !== 'object';
  }
}
