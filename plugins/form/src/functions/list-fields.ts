import type { FormField, FormModel } from '@quire/document/forms';
import { hasFlag } from '@quire/document/forms';
import { allLabels } from './field-labels.js';
import { guardAnswer } from './answer-size.js';
import { optionValues, valueText } from './field-texts.js';

/** One field of the answer of `form/fields`. */
export interface ListedField {
  readonly name: string;
  readonly label: string;
  readonly type: FormField['kind'];
  readonly value?: string;
  readonly options?: readonly string[];
  readonly required: boolean;
  readonly pageIndex: number;
  readonly multiSelect: boolean;
  readonly tooltip?: string;
  readonly pageOrder: number;
}

/** The answer of `form/fields`. */
export interface FieldList {
  readonly fields: readonly ListedField[];
  /** Field name to value, ready for filling in. */
  readonly template: Readonly<Record<string, string | boolean | readonly string[]>>;
}

/** Values that mean a checked box, in any case (docs/interface/form.yml, form/fields). */
const CHECKED: ReadonlySet<string> = new Set(['true', '1', 'yes', 'on', 'checked']);

/**
 * Lists a form's fields by page and place in the tree, with a template for filling in (docs/interface/form.yml,
 * form/fields). Errors: INPUT_TOO_COMPLEX for more text than an answer holds.
 */
export function listFields(form: FormModel | undefined): FieldList {
  const fields = inPageOrder(form?.fields ?? []);
  guardAnswer(fields.map(({ field }) => field));
  const labels = allLabels(form?.fields ?? []);
  return {
    fields: fields.map(({ field, pageIndex, pageOrder }) => {
      const [value, options, tooltip] = [valueText(field), optionValues(field), tooltipOf(field)];
      return {
        name: field.name,
        label: labels.get(field) ?? field.name,
        type: field.kind,
        ...(value === undefined ? {} : { value }),
        ...(options.length > 0 ? { options } : {}),
        required: hasFlag(field, 'required'),
        pageIndex,
        multiSelect: isMultiSelect(field),
        ...(tooltip === undefined ? {} : { tooltip }),
        pageOrder,
      };
    }),
    template: templateOf(fields.map(({ field }) => field)),
  };
}

/** A field with the page of its first widget and its number among the fields of that page. */
export interface PlacedField {
  readonly field: FormField;
  readonly pageIndex: number;
  readonly pageOrder: number;
}

/** Sorts fields as `form/fields` does: by page, then by position in the tree. */
export function inPageOrder(fields: readonly FormField[]): PlacedField[] {
  const counts = new Map<number, number>();
  const placed = fields.map((field) => {
    const pageIndex = field.widgets[0]?.pageIndex ?? -1;
    const pageOrder = counts.get(pageIndex) ?? 0;
    counts.set(pageIndex, pageOrder + 1);
    return { field, pageIndex, pageOrder };
  });
  return placed.sort((a, b) => a.pageIndex - b.pageIndex || a.pageOrder - b.pageOrder);
}

/** True for a list box that takes several options. */
export function isMultiSelect(field: FormField): boolean {
  return field.kind === 'listbox' && hasFlag(field, 'multiSelect');
}

/** Tooltip of a field: its own, otherwise that of its first widget. */
export function tooltipOf(field: FormField): string | undefined {
  return field.alternateName ?? field.widgets[0]?.tooltip;
}

function templateOf(fields: readonly FormField[]): FieldList['template'] {
  // Names are the document's: `__proto__` is one like others.
  const template = new Map<string, string | boolean | readonly string[]>();
  for (const field of fields) {
    if (field.kind === 'button' || field.kind === 'signature') continue;
    const value = valueText(field) ?? '';
    template.set(
      field.name,
      field.kind === 'checkbox' ? CHECKED.has(value.toLowerCase()) : isMultiSelect(field) ? [] : value,
    );
  }
  return Object.fromEntries(template);
}
