import type { Request } from '@hapi/hapi';
import { InputError } from '@quire/registry';
import type { Form } from './read-form.js';

/** What a call asks for beside its parameters. */
export interface CallOptions {
  /** Start a job instead of waiting. */
  readonly async: boolean;
  /** 202 instead of 200 for a started job (`Prefer: respond-async`, RFC 7240). */
  readonly accepted: boolean;
  /** Unknown fields are faults (`Prefer: handling=strict`, RFC 7240). */
  readonly strict: boolean;
}

/** Query parameters bind like form fields (`contract/general.yml`); a form field of the same name wins. */
export function formValues(request: Request, form: Form): Record<string, unknown> {
  const values: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of Object.entries(request.query as Record<string, unknown>)) values[name] = value;
  for (const [name, value] of Object.entries(form.fields)) values[name] = value;
  return values;
}

/** Reads `async` (query or field, any case) and the Prefer header. */
export function callOptions(request: Request, values: Readonly<Record<string, unknown>>): CallOptions {
  const prefer = String(request.headers['prefer'] ?? '').toLowerCase();
  const respondAsync = /(^|[\s,;])respond-async($|[\s,;])/.test(prefer);
  const asked = String(values['async'] ?? '').toLowerCase() === 'true';
  return { async: asked || respondAsync, accepted: respondAsync && !asked, strict: /handling\s*=\s*"?strict/.test(prefer) };
}

/** Refuses text where a file must be: a path, a name or a base64 string in `fileInput` (or another of its names) is a client's mistake. */
export function refuseTextInput(form: Form, names: readonly string[]): void {
  if (names.some((name) => (form.files[name] ?? []).length > 0)) return;
  const field = names.find((name) => form.fields[name] !== undefined);
  if (field === undefined) return;
  throw new InputError('INPUT_FILE_MISSING', { field }, [{ pointer: `/${field}`, detail: `was sent as text; send it as a file part (curl: -F ${field}=@document.pdf)` }]);
}
