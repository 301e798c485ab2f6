import { DocumentError } from '@quire/document';

/** Longest name of a field that a fault repeats. */
const SHOWN = 60;

/**
 * Reads the values that are to be in a form before it is exported (contract/form.yml, form/extract-csv, data): a JSON object of field names and texts; numbers,
 * `true` and `false` are taken as texts, null clears. Texts are trimmed, as those of `form/fill` are. Nothing, or null, are no values.
 * Errors: INPUT_INVALID for what is no JSON, no object, or has another value, with a JSON pointer.
 */
export function readValues(bytes: Uint8Array): [name: string, value: string | null][] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8').replace(/^\ufeff/, '');
  if (text.trim() === '') return [];
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    throw refused('/data', `is no JSON: ${(error as Error).message.slice(0, 100)}`);
  }
  if (data === null) return [];
  if (typeof data !== 'object' || Array.isArray(data)) throw refused('/data', `is ${Array.isArray(data) ? 'a list' : `a ${typeof data}`}; allowed is a JSON object of field names and texts`);
  return Object.entries(data).map(([name, value]: [string, unknown]) => {
    if (value === null) return [name, null];
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return [name, String(value).trim()];
    throw refused(`/data/${name.slice(0, SHOWN).replaceAll('~', '~0').replaceAll('/', '~1')}`, `is ${Array.isArray(value) ? 'a list' : 'an object'}; allowed are texts`);
  });
}

function refused(pointer: string, detail: string): DocumentError {
  return new DocumentError('INPUT_INVALID', { detail: `${pointer} ${detail}` }, [{ pointer, detail }]);
}
