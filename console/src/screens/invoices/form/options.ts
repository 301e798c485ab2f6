import { batch, signal } from '@preact/signals';
import type { ShownField, ShownOperation, ShownPart } from '@quire/registry';
import { FieldValues } from '../../../form/field-values.ts';
import { isShown, parametersOf, type FormValue } from '../../../form/values.ts';
import { language } from '../../../i18n/index.ts';
import type { Beside } from './create.ts';

type Declared = Pick<ShownOperation, 'fields' | 'groups' | 'parts'>;

/** The options of `invoice/create` beside the invoice itself, such as the format, as the operation declares them. */
export class CreateOptions extends FieldValues {
  readonly operation: Pick<ShownOperation, 'fields' | 'groups'>;
  readonly #parts: readonly ShownPart[];
  /** Chosen files by part. */
  readonly files = signal<Readonly<Record<string, File>>>({});

  constructor({ fields, groups, parts }: Declared) {
    super();
    const { values = [] } = fields.find(({ name }) => name === 'language') ?? {};
    // The page is made in the language in which the invoice is written, where the server can.
    if (values.some(({ value }) => value === language.peek())) this.values.value = { language: language.peek() };
    this.operation = { fields: fields.filter(({ widget }: ShownField) => widget !== 'json'), groups };
    // The first part is the invoice.
    this.#parts = parts.slice(1);
  }

  /** What the server said of the last attempt, until the option is changed. */
  readonly refused = signal<Readonly<Record<string, string>>>({});

  override set(name: string, value: FormValue): void {
    super.set(name, value);
    this.#forgive(name);
  }

  /** Chooses the file of a part, or none. */
  choose(field: string, file: File | undefined): void {
    const { [field]: _, ...others } = this.files.value;
    batch(() => {
      this.files.value = file === undefined ? others : { ...others, [field]: file };
      this.#forgive(field);
    });
  }

  #forgive(name: string): void {
    const { [name]: _, ...others } = this.refused.value;
    this.refused.value = others;
  }

  faultOf(name: string): string | undefined {
    return this.refused.value[name] ?? (this.touched.value.has(name) ? this.local.value[name] : undefined);
  }

  /** The file parts that the options ask for. */
  get shownParts(): readonly ShownPart[] {
    return this.#parts.filter((part) => isShown(part, this.typed.value));
  }

  get beside(): Beside {
    const files = this.shownParts.flatMap(({ field }) => {
      const file = this.files.value[field];
      return file === undefined ? [] : [[field, file] as const];
    });
    return { parameters: parametersOf(this.operation, this.values.value), files: Object.fromEntries(files) };
  }
}
