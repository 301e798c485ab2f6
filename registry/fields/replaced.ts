import type Joi from 'joi';
import type { JoiRoot } from '../contract/operation.js';
import { offering, shown } from './shown.js';
import { numberField } from './simple.js';

/** Type of the Joi warning that core turns into the header `X-Replaced-Values`; its context contains `used`. */
export const REPLACED = 'value.replaced';

/**
 * Returns `used` in place of the value that was sent, and has the answer name both. Existing clients rely on the
 * replacement; under `Prefer: handling=strict` core refuses the call. For `custom` of a field.
 */
export function replaced<T>(helpers: Joi.CustomHelpers, used: T): T {
  (helpers as { warn(code: string, local: object): void }).warn(REPLACED, { used });
  return used;
}

/** Value for Joi's `failover`: `used` replaces whatever the field refuses, and the answer names both. */
export function replacement<T>(used: T): (parent: unknown, helpers: Joi.CustomHelpers) => T {
  return (_parent, helpers) => replaced(helpers, used);
}

/**
 * A text that is one of `values`; any other is replaced by the first of them. `anyCase`: upper or lower case does not
 * matter.
 */
export function choiceField<T extends string>(
  joi: JoiRoot,
  values: readonly [T, ...T[]],
  { description, anyCase = false }: { description: string; anyCase?: boolean },
): Joi.StringSchema {
  const folded = (text: string): string => (anyCase ? text.toLowerCase() : text);
  const field = joi
    .string()
    .trim()
    .empty('')
    .max(40)
    .custom(
      (value: string, helpers) => values.find((one) => folded(one) === folded(value)) ?? replaced(helpers, values[0]),
    )
    .default(values[0])
    .description(description)
    .example(values[0]);
  return offering(field, { values });
}

/** The field with numbers outside `least` to `most` replaced by the nearest of the two. */
export function clamped<S extends Joi.NumberSchema>(field: S, least: number, most = Infinity): S {
  const limited = field.custom((value: number, helpers) => {
    const near = Math.min(most, Math.max(least, value));
    return near === value ? value : replaced(helpers, near);
  });
  return offering(limited, {
    ...(Number.isFinite(least) ? { minimum: least } : {}),
    ...(Number.isFinite(most) ? { maximum: most } : {}),
  }) as S;
}

/** A number from 0 (invisible) to 1 (opaque); others are replaced by the nearest of the two. */
export function opacityField(joi: JoiRoot, defaultValue: number): Joi.NumberSchema {
  const description = 'From 0.0 (invisible) to 1.0 (opaque); values outside are limited to that range';
  return shown(clamped(numberField(joi, description), 0, 1).default(defaultValue), { widget: 'opacity' });
}

const hexColour = /^#?(?:[\da-f]{3}|[\da-f]{6})$/i;
const numberColour = /^(?:0x[\da-f]{1,6}|\d{1,8})$/i;

/** True for `#rrggbb` or `#rgb`, the sign optional; with `numbers` also for 0xRRGGBB and 0 to 16777215. */
function isColour(text: string, numbers: boolean): boolean {
  return numbers && numberColour.test(text) ? Number(text) <= 0xffffff : hexColour.test(text);
}

/** A colour; a text that is none is replaced by `fallback`. `numbers`: also 0xRRGGBB and 0 to 16777215. */
export function colourField(
  joi: JoiRoot,
  description: string,
  { fallback, usual = fallback, numbers = false }: { fallback: string; usual?: string; numbers?: boolean },
): Joi.StringSchema {
  const field = joi
    .string()
    .trim()
    .empty('')
    .max(100)
    .custom((value: string, helpers) => (isColour(value, numbers) ? value : replaced(helpers, fallback)))
    .default(usual)
    .description(description)
    .example(usual);
  return shown(field, { label: 'Colour', widget: 'colour' });
}
