import type { FormField } from '@quire/document/forms';

/**
 * Returns the value of a field as one text, several choices joined by commas; undefined without a value
 * (docs/interface/form.yml, form/fields).
 */
export function valueText({ values }: FormField): string | undefined {
  return values?.join(',');
}

/**
 * Returns the possible values of a field without repeats: stored and shown values of choices, export values of buttons.
 */
export function optionValues({ kind, options, widgets }: FormField): string[] {
  if (kind === 'combobox' || kind === 'listbox')
    return [...new Set([...options.map(({ value }) => value), ...options.map(({ shown }) => shown)])];
  return [...new Set(widgets.flatMap(({ exportValue }) => exportValue ?? []))];
}

/** Returns the shown texts of a choice field's options in order; an empty list for other fields. */
export function shownValues({ options }: FormField): string[] {
  return options.map(({ shown }) => shown);
}
