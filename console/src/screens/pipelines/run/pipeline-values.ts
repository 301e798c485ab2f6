import { computed, signal, type ReadonlySignal } from '@preact/signals';
import type { ShownField } from '@quire/registry';
import { localFaults } from '../../../form/checks.ts';
import type { FormDraft } from '../../../form/form.tsx';
import { initialValue, typedValues, type FormValue, type FormValues } from '../../../form/values.ts';
import { isRecord } from '../../../viewers/index.ts';
import type { Pipeline } from '../model/pipeline.ts';
import { hasPlaceholders, placeholdersOf } from '../model/sample-values.ts';
import type { SavedInput } from '../saved/saved.ts';

/** What somebody enters for the placeholders of a pipeline (`{{input.customer}}`) before it runs. */
export class PipelineValues implements FormDraft {
  readonly values = signal<FormValues>({});
  readonly typed: ReadonlySignal<Readonly<Record<string, unknown>>>;
  readonly #attempted = signal(false);
  readonly #fields: ReadonlySignal<readonly ShownField[]>;

  constructor(private readonly pipeline: Pipeline) {
    this.#fields = computed(() => {
      const { json, link } = pipeline;
      const given = json.value['values'];
      return placeholdersOf(json.value).map((name) =>
        fieldOf(
          name,
          link.value?.inputs.find((input) => input.field === undefined && input.name === name),
          isRecord(given) ? given[name] : undefined,
        ),
      );
    });
    this.typed = computed(() => typedValues(this.operation, this.#shown()));
  }

  get operation(): FormDraft['operation'] {
    return { fields: this.#fields.value, groups: [] };
  }

  /** Undefined for a pipeline without placeholders, which has no member `values`. */
  get entered(): Readonly<Record<string, unknown>> | undefined {
    const json = this.pipeline.json.value;
    const given = json['values'];
    if (!hasPlaceholders(json.pipeline)) return isRecord(given) ? given : undefined;
    const typed = Object.entries(this.typed.value).filter(([, value]) => value !== undefined);
    return { ...(isRecord(given) ? given : {}), ...Object.fromEntries(typed) };
  }

  /** Shows what is missing; returns whether nothing is. */
  check(): boolean {
    this.#attempted.value = true;
    return Object.keys(this.#faults()).length === 0;
  }

  set(name: string, value: FormValue): void {
    this.values.value = { ...this.values.value, [name]: value };
  }

  faultOf(name: string): string | undefined {
    return this.#attempted.value ? this.#faults()[name] : undefined;
  }

  #faults(): Readonly<Record<string, string>> {
    return localFaults(this.operation, this.#shown());
  }

  /** What was entered; initial values for the rest. */
  #shown(): FormValues {
    return Object.fromEntries(
      this.#fields.value.map((field) => [field.name, this.values.value[field.name] ?? initialValue(field)]),
    );
  }
}

function fieldOf(name: string, input: SavedInput | undefined, given: unknown): ShownField {
  const { type = 'text', label = name, help, values, minimum, maximum } = input ?? {};
  const usual = given ?? input?.default;
  const widget = values !== undefined ? 'choice' : type === 'boolean' ? 'switch' : type === 'text' ? 'text' : 'number';
  return {
    name,
    label,
    widget,
    type,
    required: type !== 'boolean' && input?.required !== false,
    ...(help === undefined ? {} : { help }),
    ...(usual === undefined ? {} : { default: usual }),
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
    ...(values === undefined
      ? {}
      : { values: values.map((value) => ({ value: value as string, label: String(value) })) }),
  };
}
