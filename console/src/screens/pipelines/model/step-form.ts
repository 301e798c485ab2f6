import type { ReadonlySignal } from '@preact/signals';
import type { ShownField, ShownOperation } from '@quire/registry';
import { FieldValues } from '../../../form/field-values.ts';
import { initialValue, parametersOf, toForm } from '../../../form/values.ts';
import { isRecord } from '../../../viewers/index.ts';

/** What the server says about a step, or about a filter in a condition. */
export interface StepFaults {
  /** About the step as a whole. */
  readonly step: readonly string[];
  /** By field, and by names that are no fields. */
  readonly fields: Readonly<Record<string, string>>;
}

export const noFaults: StepFaults = { step: [], fields: {} };

/** The form of an operation in a pipeline. */
export class StepForm extends FieldValues {
  readonly #read: ReadonlySet<string>;

  constructor(
    readonly operation: ShownOperation,
    given: Readonly<Record<string, unknown>>,
    private readonly faults: ReadonlySignal<StepFaults>,
  ) {
    super();
    const readable = operation.fields.filter((field) => isReadable(field, given[field.name]));
    this.#read = new Set(readable.map(({ name }) => name));
    this.values.value = Object.fromEntries(
      operation.fields.map((field) => [
        field.name,
        this.#read.has(field.name) ? toForm(field, given[field.name]) : initialValue(field),
      ]),
    );
  }

  faultOf(name: string): string | undefined {
    const local = this.touched.value.has(name) ? this.local.value[name] : undefined;
    return local ?? this.faults.value.fields[name];
  }

  /** Whether a parameter with this name is in the form, with the value that it has. */
  shows(name: string): boolean {
    return this.#read.has(name) || this.touched.value.has(name);
  }

  /** What was read, with what somebody has changed. */
  parameters(kept: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const entered = parametersOf(this.operation, this.values.value);
    const touched = this.touched.value;
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
