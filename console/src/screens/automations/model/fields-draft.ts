import { batch, signal } from '@preact/signals';
import type { ShownField } from '@quire/registry';
import { FieldValues } from '../../../form/field-values.ts';
import type { FormDraft } from '../../../form/form.tsx';
import { initialValue, parametersOf, toForm, type FormValue } from '../../../form/values.ts';
import type { Options } from './automation.ts';

/** What somebody has entered into a form of these fields. */
export class FieldsDraft extends FieldValues {
  /** What the server says about fields, until they are changed. */
  readonly refused = signal<Readonly<Record<string, string>>>({});
  /** Faults of fields are shown that nobody has touched. */
  readonly attempted = signal(false);

  /** `fieldsNow` is asked each time, so that texts follow the language. */
  constructor(
    private readonly fieldsNow: () => readonly ShownField[],
    stored: Options = {},
  ) {
    super();
    this.values.value = Object.fromEntries(
      fieldsNow().map((field) => {
        const value = stored[field.name];
        return [field.name, value === undefined || value === null ? initialValue(field) : toForm(field, value)];
      }),
    );
  }

  get operation(): FormDraft['operation'] {
    return { fields: this.fieldsNow(), groups: [] };
  }

  /** The values that differ from their defaults. */
  get options(): Record<string, unknown> {
    return parametersOf(this.operation, this.values.value);
  }

  /** Shows all faults; returns whether there are none. */
  check(): boolean {
    this.attempted.value = true;
    return Object.keys(this.local.value).length === 0;
  }

  override set(name: string, value: FormValue): void {
    batch(() => {
      super.set(name, value);
      const { [name]: _, ...rest } = this.refused.value;
      this.refused.value = rest;
    });
  }

  faultOf(name: string): string | undefined {
    const refused = this.refused.value[name];
    if (refused !== undefined) return refused;
    return this.attempted.value || this.touched.value.has(name) ? this.local.value[name] : undefined;
  }
}
