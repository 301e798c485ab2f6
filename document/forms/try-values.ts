import type { PDFContext } from 'pdf-lib';
import { type FieldInput, planValue } from './field-values.js';
import { FieldFinder } from './find-fields.js';
import type { FormModel } from './form-model.js';
import { putValue } from './put-value.js';

/** Result of trying values. Names are those that the caller gave. */
export interface TriedValues {
  /** Names that no field has. */
  readonly unknown: readonly string[];
  /** Names of fields that do not accept the value, or any value. */
  readonly refused: readonly string[];
}

/**
 * Sets values in a form, in place, without updating appearances: for callers that only read the form afterwards and do
 * not save the document. Follows the rules of `fillForm`, but skips values that a field does not accept.
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
