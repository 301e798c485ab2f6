import { DocumentError } from '@quire/document';

/** A fault of JSON that a caller sent: where, and the rest of a sentence that begins with the place. */
export function refusedAt(pointer: string, detail: string): DocumentError {
  return new DocumentError('INPUT_INVALID', { detail: `${pointer} ${detail}` }, [{ pointer, detail }]);
}

/** A step of a JSON pointer (RFC 6901). */
export function pointerStep(name: string | number): string {
  return `/${String(name).slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/**
 * Parses a parameter's JSON. Numbers come as texts, as they were written: values of forms are texts, and an account
 * number has more digits than a number of the language. Gives undefined for nothing at all. Errors: INPUT_INVALID for
 * a text that is not JSON.
 */
export function parseJson(text: string | undefined, pointer: string): unknown {
  const trimmed = (text ?? '').replace(/^\ufeff/, '').trim();
  if (trimmed === '') return undefined;
  try {
    JSON.parse(trimmed);
  } catch (error) {
    throw refusedAt(pointer, `is not JSON: ${(error as Error).message.slice(0, 100)}`);
  }
  // Strings are stepped over whole, so what looks like a number outside of them is one.
  return JSON.parse(
    trimmed.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) => (token.startsWith('"') ? token : `"${token}"`)),
  );
}

/** True for an object that is not an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Names the type of a JSON value for people. */
export function kindOf(value: unknown): string {
  return value === null
    ? 'null'
    : Array.isArray(value)
      ? 'a list'
      : typeof value === 'object'
        ? 'an object'
        : typeof value === 'boolean'
          ? 'true or false'
          : 'a text or a number';
}

/** Converts a scalar to trimmed text; undefined for other values, null and blank text. */
export function nameText(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'boolean') return undefined;
  const text = String(value).trim();
  return text === '' ? undefined : text;
}
