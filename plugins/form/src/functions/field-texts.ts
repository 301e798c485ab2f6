import type { FormField } from '@quire/document/forms';

/**
 * Gives what a field holds as one text, several choices joined by commas; undefined for none (docs/interface/form.yml,
 * form/fields).
 */
export function valueText({ values }: FormField): string | undefined {
  return values?.join(',');
}

/**
 * Gives the values that a field can take, without repeats: of choices what is stored and then what is shown, of buttons
 * with states the export values.
 */
export function optionValues({ kind, options, widgets }: FormField): string[] {
  if (kind === 'combobox' || kind === 'listbox')
    return [...new Set([...options.map(({ value }) => value), ...options.map(({ shown }) => shown)])];
  return [...new Set(widgets.flatMap(({ exportValue }) => exportValue ?? []))];
}

/** Gives what is shown of a choice field's options, in order; an empty list for other fields. */
export function shownValues({ options }: FormField): string[] {
  return options.map(({ shown }) => shown);
}
