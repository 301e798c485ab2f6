import { readFile } from 'node:fs/promises';
import type { Request } from '@hapi/hapi';
import { InputError } from '@quire/registry';
import type { Form } from './read-form.js';

/** Merges query parameters and form fields (`docs/interface/general.yml`); a form field of the same name wins. */
export function formValues(request: Request, form: Form): Record<string, unknown> {
  const values: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of Object.entries(request.query as Record<string, unknown>)) values[name] = value;
  for (const [name, value] of Object.entries(form.fields)) values[name] = value;
  return values;
}

/**
 * Adds the parameters (`names`) that clients sent as file parts: some HTTP clients send JSON with its own media type
 * and a file name. Throws INPUT_INVALID for files longer than `maxBytes`.
 */
export async function withTextFiles(
  values: Readonly<Record<string, unknown>>,
  form: Form,
  names: readonly string[],
  maxBytes: number,
): Promise<Record<string, unknown>> {
  const all: Record<string, unknown> = Object.assign(Object.create(null) as Record<string, unknown>, values);
  for (const name of names) {
    const [file, ...others] = form.files[name] ?? [];
    if (file === undefined || others.length > 0 || all[name] !== undefined) continue;
    if (file.size > maxBytes) {
      const detail = `was sent as a file of ${file.size} bytes; a parameter may have at most ${maxBytes}`;
      throw new InputError('INPUT_INVALID', { detail: `"${name}" ${detail}` }, [{ pointer: `/${name}`, detail }]);
    }
    all[name] = await readFile(file.path, 'utf8');
  }
  return all;
}

/**
 * Rejects text in a file field: a path, a name or a base64 string in `fileInput` (or one of its aliases) is a mistake
 * of the client.
 */
export function refuseTextInput(form: Form, names: readonly string[]): void {
  if (names.some((name) => (form.files[name] ?? []).length > 0)) return;
  const field = names.find((name) => form.fields[name] !== undefined);
  if (field === undefined) return;
  throw new InputError('INPUT_FILE_MISSING', { field }, [
    { pointer: `/${field}`, detail: `was sent as text; send it as a file part (curl: -F ${field}=@document.pdf)` },
  ]);
}

/**
 * Rejects a form without a file in `names` if its files came in unknown fields (neither `names` nor `known`): the field
 * is probably misspelt.
 */
export function refuseOtherFields(form: Form, names: readonly string[], known: readonly string[]): void {
  const [field = 'fileInput'] = names;
  const wrong = Object.keys(form.files).filter((name) => !names.includes(name) && !known.includes(name));
  if (wrong.length === 0) return;
  const sent = wrong.map((name) => `"${name.slice(0, 100)}"`).join(', ');
  throw new InputError('INPUT_FILE_MISSING', { field, sent }, [
    { pointer: `/${field}`, detail: `is missing; the files were sent in ${sent}` },
  ]);
}
