import type { FieldKind, FormField } from '@quire/document/forms';
import { optionValues } from './field-texts.js';

/** Names of fields without a usable name. */
const KIND_WORDS: Readonly<Record<FieldKind, string>> = {
  checkbox: 'Checkbox',
  radio: 'Option',
  combobox: 'Dropdown',
  listbox: 'List',
  text: 'Text field',
  button: 'Field',
  signature: 'Field',
};

/** Generic names that programs assign (docs/interface/form.yml, form/fields, label). */
const GENERIC = [
  /^(?:field|text|checkbox|radio|button|signature|name|value|option|select|choice)\s*\d*$/i,
  /^[a-z]{1,2}\s*\d{1,3}$/i,
  /^\d+$/,
  /^[\da-f]{32,}$/i,
] as const;
/** Longer texts are not labels. */
const MAX_LABEL = 2000;

/**
 * Returns the label of every field: its alternate name, otherwise its widget's, the first choice, its name made
 * readable, or its type with a number.
 */
export function allLabels(fields: readonly FormField[]): Map<FormField, string> {
  const counts = new Map<FieldKind, number>();
  return new Map(
    fields.map((field) => {
      const number = (counts.get(field.kind) ?? 0) + 1;
      counts.set(field.kind, number);
      return [field, labelOf(field) ?? `${KIND_WORDS[field.kind]} ${number}`];
    }),
  );
}

function labelOf(field: FormField): string | undefined {
  const { kind, name, alternateName, widgets } = field;
  const choices = kind === 'combobox' || kind === 'listbox' || kind === 'radio' ? optionValues(field)[0] : undefined;
  for (const candidate of [alternateName, widgets[0]?.tooltip, choices, readableName(name)]) {
    const label = clean(candidate);
    if (label !== '' && !GENERIC.some((pattern) => pattern.test(label))) return label;
  }
  return undefined;
}

function clean(text = ''): string {
  return text
    .slice(0, MAX_LABEL)
    .trim()
    .replace(/[.:\s]+$/, '');
}

/** Brackets, periods, dashes, underscores and the borders of camel case become spaces. */
function readableName(name: string): string {
  return name
    .slice(0, MAX_LABEL)
    .replaceAll(/[[\](){}#._-]+/g, ' ')
    .replaceAll(/(\p{Ll}|\p{N})(?=\p{Lu})/gu, '$1 ')
    .replaceAll(/\s+/g, ' ');
}
