import type Joi from 'joi';
import type { FieldPresentation } from '../contract/presentation.js';

/**
 * The field with its presentation: label, unit, widget, condition and so on. Members that are set later win over those
 * of a shared field, which brings its widget.
 */
export function shown<S extends Joi.Schema>(field: S, presentation: FieldPresentation): S {
  return field.meta({ shown: presentation }) as S;
}

/** Values and numbers that a field offers to people, although it accepts more or replaces others. */
export interface Offered {
  readonly values?: readonly (string | number)[];
  readonly minimum?: number;
  readonly maximum?: number;
}

/** The field with what it offers to people, where its own rules do not say so. */
export function offering<S extends Joi.Schema>(field: S, offered: Offered): S {
  return field.meta({ offered }) as S;
}
