import { InputError } from '@quire/registry';
import type { WireFile } from '../../operations/workers/index.js';
import type { HttpDeps } from '../deps.js';
import { callerOf } from '../request/caller.js';
import { formValues, refuseOtherFields, refuseTextInput, withTextFiles } from '../request/form-values.js';
import { readForm, type Form } from '../request/read-form.js';
import { storedFile } from '../request/stored-file.js';
import { captureFiles } from './audit-captures.js';
import type { CallContext } from './handle-call.js';

export interface CallForm {
  readonly form: Form;
  /** Fields and query parameters, as they were sent. */
  readonly values: Record<string, unknown>;
}

/**
 * Streams the multipart form of a call into its private folder. `textNames` returns the fields whose text may come as a
 * file part.
 */
export async function readCallForm(
  deps: HttpDeps,
  { request, life, digests }: CallContext,
  maxBytes: number,
  textNames: (form: Form) => readonly string[],
): Promise<CallForm> {
  const most = Math.min(deps.formLimits.maxBytes, maxBytes, request.app.mostBytes ?? Infinity);
  const limits = { ...deps.formLimits, maxBytes: most };
  const form = await readForm(request.raw.req, await life.scratch(), limits, digests);
  await captureFiles(request, deps.audit?.captures, form.files, {
    digests,
    authorsOf: (files) => deps.authorsOf(files, life.signal),
  });
  const values = await withTextFiles(formValues(request, form), form, textNames(form), deps.formLimits.maxFieldBytes);
  return { form, values };
}

/**
 * Returns the files that were sent in the first of these fields that has any, else the stored file that `fileId` names,
 * else none. Throws INPUT_FILE_MISSING if a field holds text or the files came in fields that are neither these nor
 * `otherFields`, and INPUT_FILE_UNKNOWN for an unknown id.
 */
export async function sentOrStored(
  deps: HttpDeps,
  { request, life }: CallContext,
  { form, values }: CallForm,
  fields: readonly string[],
  otherFields: readonly string[],
): Promise<readonly WireFile[]> {
  const sent = fields.map((field) => form.files[field] ?? []).find((files) => files.length > 0);
  if (sent !== undefined) return sent;
  const { fileId } = values;
  if (fileId === undefined || fileId === '') {
    refuseTextInput(form, fields);
    refuseOtherFields(form, fields, otherFields);
    return [];
  }
  if (typeof fileId !== 'string')
    throw new InputError('INPUT_FILE_COUNT', { field: 'fileId', found: 'several', allowed: 'one' });
  return [await storedFile(deps, fileId, callerOf(request), await life.scratch())];
}
