import type Joi from 'joi';
import type { JoiRoot } from '../contract/operation.js';
import { shown } from './shown.js';

/** How a filter compares the document's value with the given one. */
export type Comparator = 'Greater' | 'Equal' | 'Less';

/** The shared `comparator` field of the filters (spec 4.3); case matters. */
export function comparatorField(joi: JoiRoot): Joi.StringSchema {
  const field = joi
    .string()
    .valid('Greater', 'Equal', 'Less')
    .required()
    .description("How the document's value must compare with the given one")
    .example('Greater');
  return shown(field, {
    label: 'Comparison',
    options: { Greater: 'Greater than', Equal: 'Equal to', Less: 'Less than' },
  });
}

/** Returns whether `actual <comparator> given`; values closer than `tolerance` are equal. */
export function compares(actual: number, comparator: Comparator, given: number, tolerance = 0): boolean {
  const difference = actual - given;
  if (comparator === 'Equal') return Math.abs(difference) <= tolerance;
  return comparator === 'Greater' ? difference > tolerance : difference < -tolerance;
}
