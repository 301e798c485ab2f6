import type { InputError, JoiRoot, jsonField } from '@quire/registry';

/** Longest text of a parameter's JSON, in characters: forms hold texts of a megabyte. */
const LONGEST = 64_000_000;

/**
 * A parameter with JSON of more shapes than a schema can describe: `read` refuses unknown shapes (INPUT_INVALID with
 * JSON pointers), so that a call is refused before its document is opened. It stays a text; a blank one counts as not
 * sent.
 */
export function jsonText(joi: JoiRoot, read: (text: string) => unknown): ReturnType<typeof jsonField> {
  return joi
    .string()
    .trim()
    .empty('')
    .max(LONGEST)
    .messages({ 'json.invalid': '{#label} {#fault}' })
    .custom((value: string, helpers) => {
      try {
        read(value);
        return value;
      } catch (error) {
        const [fault] = (error as Partial<InputError>).errors ?? [];
        if (fault === undefined) throw error;
        const steps = fault.pointer
          .split('/')
          .slice(2)
          .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
        return helpers.error(
          'json.invalid',
          { fault: fault.detail },
          helpers.state.localize?.([...(helpers.state.path ?? []), ...steps]),
        );
      }
    });
}
