import { readFile } from 'node:fs/promises';
import type { Request } from '@hapi/hapi';
import { InputError } from '@quire/registry';
import type { Form } from './read-form.js';

/** Query parameters bind like form fields (`docs/interface/general.yml`); a form field of the same name wins. */
export function formValues(request: Request, form: Form): Record<string, unknown> {
  const values: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of Object.entries(request.query as Record<string, unknown>)) values[name] = value;
  for (const [name, value] of Object.entries(form.fields)) values[name] = value;
  return values;
}

/**
 * Values with the parameters (`names`) that clients sent as files: a form made in a program gives JSON a part of its
 * own media type, and that has a file name. Files longer than `maxBytes` are no parameter. Throws INPUT_INVALID for
 * them.
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
      const detail = `was sent as a file of ${file.size} bytes; at most ${maxBytes} are read as a parameter`;
      throw new InputError('INPUT_INVALID', { detail: `"${name}" ${detail}` }, [{ pointer: `/${name}`, detail }]);
    }
    all[name] = await readFile(file.path, 'utf8');
  }
  return all;
}

/**
 * Refuses text where a file must be: a path, a name or a base64 string in `fileInput` (or another of its names) is a
 * client's mistake.
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
 * Refuses a form without a file in `names` whose files came in fields that nobody reads (neither `names` nor `known`):
 * most probably the field has a wrong name.
 */
export function refuseOtherFields(form: Form, names: readonly string[], known: readonly string[]): void {
  const [field = 'fileInput'] = names;
  const wrong = Object.keys(form.files).filter((name) => !names.includes(name) && !known.includes(name));
  if (wrong.length === 0) return;
  const sent = wrong.map((name) => `"${name.slice(0, 100)}"`).join(', ');
  throw new InputError('INPUT_FILE_MISSING', { field, sent }, [
    { pointer: `/${field}`, detail: `is missing; files came in ${sent}` },
  ]);
}
