import type { ShownField, ShownOperation } from '@quire/registry';
import { FieldValues } from '../../../form/field-values.ts';
import { parametersOf } from '../../../form/values.ts';
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

  faultOf(name: string): string | undefined {
    return this.touched.value.has(name) ? this.local.value[name] : undefined;
  }

  get parameters(): Readonly<Record<string, unknown>> {
    return parametersOf(this.operation, this.values.value);
  }
}
