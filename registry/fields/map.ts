import type Joi from 'joi';
import type { JoiRoot } from '../contract/operation.js';

/**
 * Named texts in a form: one field with a JSON object, or each text as `field[name]` (core collects those). Numbers and
 * booleans of JSON become text, null counts as absent; anything else is refused, and so are names with control
 * characters. An empty field counts as absent.
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
