import type Joi from 'joi';
import type { JoiRoot } from '../contract/operation.js';

/** Maximum number of faults reported for one text. */
const MAX_FAULTS = 20;
/** Longest text in characters of which every fault is collected; in a longer one the check ends at the first. */
const MAX_COLLECTED = 50_000;

/**
 * A JSON form field: a text of at most `longest` characters that contains a value of `shape` (`what` names it: "a JSON
 * array"). It stays a text; faults are reported with their pointer inside it (`/comments/0/x`), in a long text only the
 * first. In a pipeline it may be
 * the value itself. Members that the shape does not know are ignored, and nothing is converted.
 */
export function jsonField(
  joi: JoiRoot,
  shape: Joi.Schema,
  { what, longest }: { readonly what: string; readonly longest: number },
): Joi.StringSchema {
  return joi
    .string()
    .meta({ json: true })
    .trim()
    .max(longest)
    .messages({ 'json.invalid': '{#label} {#fault}' })
    .custom((value: string, helpers) => {
      let parsed: unknown;
      try {
        parsed = JSON.parse(value);
      } catch {
        return helpers.error('json.invalid', { fault: `must be ${what}` });
      }
      // Joi checks the items of a list before it counts them.
      const most: unknown = shape.$_getRule('max')?.args?.['limit'];
      if (Array.isArray(parsed) && typeof most === 'number' && parsed.length > most)
        return helpers.error('json.invalid', { fault: `has ${parsed.length} items; at most ${most} are allowed` });
      const faults =
        shape.validate(parsed, {
          abortEarly: value.length > MAX_COLLECTED,
          convert: false,
          allowUnknown: true,
          errors: { label: false },
        }).error?.details ?? [];
      if (faults.length === 0) return value;
      // Joi accepts several reports in an array from `errorsArray`, which its types do not declare.
      const reports = (helpers as typeof helpers & { errorsArray(): unknown[] }).errorsArray();
      for (const { path, message, context } of faults.slice(0, MAX_FAULTS)) {
        reports.push(
          helpers.error(
            'json.invalid',
            // The member, not the whole text; nothing where it is missing.
            { fault: message, value: context?.value as unknown },
            helpers.state.localize?.([...(helpers.state.path ?? []), ...path]),
          ),
        );
      }
      return reports;
    });
}
