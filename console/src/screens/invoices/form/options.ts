import { signal } from '@preact/signals';
import type { ShownField, ShownOperation } from '@quire/registry';
import { FieldValues } from '../../../form/field-values.ts';
import { parametersOf, type FormValue } from '../../../form/values.ts';
import { language } from '../../../i18n/index.ts';

/** The options of `invoice/create` beside the invoice itself, such as the format, as the operation declares them. */
export class CreateOptions extends FieldValues {
  readonly operation: Pick<ShownOperation, 'fields' | 'groups'>;

  constructor({ fields, groups }: Pick<ShownOperation, 'fields' | 'groups'>) {
    super();
    const { values = [] } = fields.find(({ name }) => name === 'language') ?? {};
    // The page is made in the language in which the invoice is written, where the server can.
    if (values.some(({ value }) => value === language.peek())) this.values.value = { language: language.peek() };
    this.operation = { fields: fields.filter(({ widget }: ShownField) => widget !== 'json'), groups };
  }

  /** What the server said of the last attempt, until the option is changed. */
  readonly refused = signal<Readonly<Record<string, string>>>({});

  override set(name: string, value: FormValue): void {
    super.set(name, value);
    const { [name]: _, ...others } = this.refused.value;
    this.refused.value = others;
  }

  faultOf(name: string): string | undefined {
    return this.refused.value[name] ?? (this.touched.value.has(name) ? this.local.value[name] : undefined);
  }

  get parameters(): Readonly<Record<string, unknown>> {
    return parametersOf(this.operation, this.values.value);
  }
}
