/** A place of a field on a page, as `form/fields-with-coordinates` reports it. */
export interface FieldWidget {
  readonly pageIndex: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly exportValue?: string;
  readonly fontSize?: number;
  readonly alignment?: 'left' | 'center' | 'right';
  readonly rotation?: number;
  readonly caption?: string;
  readonly hidden?: true;
  readonly tabOrder: number;
}

/** A field, as `form/fields-with-coordinates` reports it. */
export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly type: 'text' | 'checkbox' | 'combobox' | 'listbox' | 'radio' | 'button' | 'signature';
  readonly value?: string;
  readonly values?: readonly string[];
  readonly choices?: readonly Choice[];
  readonly required: boolean;
  readonly readOnly: boolean;
  readonly multiSelect: boolean;
  readonly multiline: boolean;
  readonly password: boolean;
  readonly comb: boolean;
  readonly editable: boolean;
  readonly maxLength?: number;
  readonly signed?: boolean;
  readonly lockedBy?: string;
  readonly tooltip?: string;
  readonly widgets?: readonly FieldWidget[];
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** What people enter: a text, an export value, or nothing (`''`); a list for list boxes that take several. */
export type Value = string | readonly string[];

/** Sent for a check box without an export value; `form/fill` checks it. */
const CHECKED = 'true';
const letters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The value that the document has. */
export function documentValue(field: FormField): Value {
  const { type, value = '', values = [], multiSelect } = field;
  if (multiSelect) return values.map((one) => storedValue(field, one));
  if (type === 'checkbox') return value === 'Off' ? '' : value;
  if (type === 'combobox' || type === 'listbox') return storedValue(field, value);
  return value.replaceAll(/\r\n?/g, '\n');
}

/** Some writers store the label of a choice instead of its value. */
function storedValue({ choices = [] }: FormField, value: string): string {
  if (choices.some((choice) => choice.value === value)) return value;
  return choices.find(({ label }) => label === value)?.value ?? value;
}

export function isEmpty(value: Value): boolean {
  return value.length === 0 || (typeof value === 'string' && value.trim() === '');
}

export function sameValue(a: Value, b: Value): boolean {
  if (typeof a === 'string' || typeof b === 'string') return a === b;
  return a.length === b.length && a.every((one) => b.includes(one));
}

/** Whether people can change the field here. */
export function isOpen({ type, readOnly, lockedBy }: FormField): boolean {
  return !readOnly && lockedBy === undefined && type !== 'button' && type !== 'signature';
}

/** The value that selecting this check box or radio button gives. */
export function valueOfButton({ exportValue = '' }: FieldWidget): string {
  return exportValue.trim() === '' ? CHECKED : exportValue;
}

/** The choices of a check box or of radio buttons, each once. */
export function buttonValues({ widgets = [] }: FormField): readonly string[] {
  return [...new Set(widgets.map(valueOfButton))];
}

/** The choices of a combo or list box, and the current value if it is not among them. */
export function choicesOf({ choices = [] }: FormField, value: Value): readonly Choice[] {
  const known = new Set(choices.map((choice) => choice.value));
  const others = (typeof value === 'string' ? [value] : value).filter((one) => one !== '' && !known.has(one));
  return [...choices, ...others.map((one) => ({ value: one, label: one }))];
}

/** A stored value as people read it. */
export function labelOfChoice({ choices = [] }: FormField, value: string): string {
  return choices.find((choice) => choice.value === value)?.label ?? value;
}

/** The name of a field for people: its tooltip, else its name; the server also makes labels of options and numbers. */
export function titleOf({ label, name, tooltip }: FormField): string {
  return tooltip === undefined && bare(label) !== bare(name) ? name : label;
}

/** Distinguishes fields with the same title; undefined if the title is unique. */
export function detailOf(field: FormField): string | undefined {
  const title = bare(titleOf(field));
  return [field.tooltip, field.name].find((text) => text !== undefined && bare(text) !== title);
}

function bare(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

/** Characters as people count them, which is how the server does. */
export function lengthOf(text: string): number {
  return text.length < 2 ? text.length : [...letters.segment(text)].length;
}

/** Cuts a text at the most characters that its field takes. */
export function limited(text: string, { maxLength }: FormField): string {
  if (maxLength === undefined || text.length <= maxLength) return text;
  return [...letters.segment(text)]
    .slice(0, maxLength)
    .map(({ segment }) => segment)
    .join('');
}

/** Fields of one name have one value: they become one field with all widgets. */
export function joinNames(fields: readonly FormField[]): readonly FormField[] {
  const byName = new Map<string, FormField>();
  for (const field of fields) {
    const known = byName.get(field.name);
    byName.set(
      field.name,
      known === undefined ? field : { ...known, widgets: [...(known.widgets ?? []), ...(field.widgets ?? [])] },
    );
  }
  return [...byName.values()];
}
