import type { PDFContext } from 'pdf-lib';
import { type FieldInput, planValue } from './field-values.js';
import { FieldFinder } from './find-fields.js';
import type { FormModel } from './form-model.js';
import { putValue } from './put-value.js';

/** What became of values that were tried. Names are as they were given. */
export interface TriedValues {
  /** Names that no field has. */
  readonly unknown: readonly string[];
  /** Names of fields that do not take the value, or none at all. */
  readonly refused: readonly string[];
}

/**
 * Puts values into a form, in place, without what it shows: for those who read the form afterwards and do not write the
 * document. By the rules of `fillForm`, but what a field does not take is passed over.
 */
export function tryValues(
  context: PDFContext,
  { fields }: FormModel,
  values: Iterable<readonly [name: string, value: FieldInput]>,
): TriedValues {
  const finder = new FieldFinder(fields);
  const [unknown, refused] = [new Set<string>(), new Set<string>()];
  for (const [name, value] of values) {
    const found = finder.find(name);
    if (found.length === 0) unknown.add(name);
    for (const field of found) {
      const plan = planValue(context, field, value);
      if (
        plan.kind === 'fault' ||
        field.kind === 'button' ||
        field.kind === 'signature' ||
        (plan.kind === 'choice' && plan.dropped.length > 0)
      )
        refused.add(name);
      putValue(field, plan);
    }
  }
  return { unknown: [...unknown], refused: [...refused] };
}
