import { batch, computed, signal, type ReadonlySignal } from '@preact/signals';
import { localFaults } from './checks.ts';
import type { FormDraft } from './form.tsx';
import { typedValues, type FormValue, type FormValues } from './values.ts';

/** What somebody enters into a form, with the fields that they have changed and the faults that can be seen here. */
export abstract class FieldValues implements FormDraft {
  readonly values = signal<FormValues>({});
  readonly typed: ReadonlySignal<Readonly<Record<string, unknown>>>;
  protected readonly touched = signal<ReadonlySet<string>>(new Set());
  protected readonly local: ReadonlySignal<Readonly<Record<string, string>>>;

  constructor() {
    this.typed = computed(() => typedValues(this.operation, this.values.value));
    this.local = computed(() => localFaults(this.operation, this.values.value));
  }

  abstract readonly operation: FormDraft['operation'];

  abstract faultOf(name: string): string | undefined;

  set(name: string, value: FormValue): void {
    batch(() => {
      this.values.value = { ...this.values.value, [name]: value };
      this.touched.value = new Set([...this.touched.value, name]);
    });
  }
}
