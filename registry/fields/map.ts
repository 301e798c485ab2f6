import type Joi from 'joi';
import type { JoiRoot } from '../contract/operation.js';

/**
 * A form's named texts: one field with a JSON object, or the texts by themselves as `field[name]` (core gathers those).
 * Numbers and booleans of JSON become text, null is not sent; anything else is refused, and so are names with control
 * characters. Empty counts as not sent.
 */
export function mapField(joi: JoiRoot, description: string): Joi.ObjectSchema<Record<string, string>> {
  const text = joi
    .alternatives(joi.string().allow(''), joi.number().unsafe(), joi.boolean(), joi.valid(null))
    .match('any');
  return joi
    .object<Record<string, string>>()
    .pattern(joi.string(), text)
    .empty('')
    .custom(asTexts)
    .messages({ 'any.invalid': '{#label} has a name with control characters' })
    .description(description);
}

const asTexts: Joi.CustomValidator<Record<string, unknown>, Record<string, string>> = (value, helpers) => {
  if (Object.keys(value).some((name) => /\p{Cc}/u.test(name))) return helpers.error('any.invalid') as never;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => each !== null)
      .map(([name, each]) => [name, String(each)]),
  );
};
