import { DocumentError } from '@quire/document';
import type { FieldOption, FormField } from '@quire/document/forms';

/**
 * Characters of names, values and options in one answer. Many fields may share one long value: a small file could
 * answer gigabytes.
 */
const MAX_CHARACTERS = 64 * 1024 * 1024;

/** Refuses fields whose texts no answer holds. Errors: INPUT_TOO_COMPLEX. */
export function guardAnswer(fields: readonly FormField[]): void {
  const lists = new Map<readonly FieldOption[], number>();
  let characters = 0;
  for (const { name, values, options, alternateName } of fields) {
    let listed = lists.get(options);
    if (listed === undefined)
      lists.set(
        options,
        (listed = options.reduce((sum, { value, shown }) => sum + value.length + shown.length + 8, 0)),
      );
    characters +=
      name.length * 2 +
      (values ?? []).reduce((sum, value) => sum + value.length, 0) * 3 +
      listed * 3 +
      (alternateName?.length ?? 0) * 2 +
      200;
    if (characters > MAX_CHARACTERS * 2)
      throw new DocumentError('INPUT_TOO_COMPLEX', {
        resource: 'characters of field values and options',
        limit: MAX_CHARACTERS,
      });
  }
}
