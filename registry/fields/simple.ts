import type Joi from 'joi';
import type { JoiRoot } from '../contract/operation.js';

/**
 * A form's boolean: true/on/yes/1 and false/off/no/0 in any case (`docs/interface/general.yml`, value conversion);
 * empty counts as not sent.
 */
export function booleanField(joi: JoiRoot, description: string, defaultValue = false): Joi.BooleanSchema {
  return joi
    .boolean()
    .truthy('on', 'yes', '1', 1)
    .falsy('off', 'no', '0', 0)
    .empty('')
    .default(defaultValue)
    .description(description);
}

/** A form's whole number: digits with an optional sign; decimals must be zero ("90.0"); empty counts as not sent. */
export function integerField(joi: JoiRoot, description: string): Joi.NumberSchema {
  return joi.number().integer().custom(plainInteger).empty('').description(description);
}

/** A form's number; empty counts as not sent, NaN and infinities are refused. */
export function numberField(joi: JoiRoot, description: string): Joi.NumberSchema {
  return joi.number().empty('').description(description);
}

/**
 * A form's list: the repeated field, or one comma separated value (`docs/interface/general.yml`, value conversion);
 * empty counts as not sent.
 */
export function listField(joi: JoiRoot, item: Joi.Schema, description: string): Joi.ArraySchema {
  const root = joi.extend({
    type: 'array',
    base: joi.array(),
    coerce: { from: ['string', 'object'], method: (value: unknown) => ({ value: splitAtCommas(value) }) },
  }) as JoiRoot;
  return root.array().items(item).single().empty('').description(description);
}

/** Returns the values of a list that was sent as one text or as several. */
function splitAtCommas(value: unknown): unknown {
  if (typeof value === 'string') return value.trim() === '' ? '' : value.split(',').map((part) => part.trim());
  return Array.isArray(value)
    ? value.flatMap((one: unknown) => (typeof one === 'string' ? one.split(',').map((part) => part.trim()) : [one]))
    : value;
}

/** Joi also accepts "1e1", which is rejected here like every text that is not written as plain digits. */
const plainInteger: Joi.CustomValidator<number> = (value, helpers) => {
  const original: unknown = helpers.original;
  return Number.isInteger(value) && typeof original === 'string' && !/^\s*[+-]?\d+(\.0*)?\s*$/.test(original)
    ? helpers.error('number.integer')
    : value;
};
