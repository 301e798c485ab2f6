import type { IncomingMessage } from 'node:http';
import { InputError } from '@quire/registry';
import type { Scratch } from '../../operations/runner/index.js';
import { readForm, refuseDeclaredSize, type Form, type FormLimits } from './read-form.js';
import { MAX_JSON_BYTES, readText } from './read-json.js';

/** Maximum number of fields in one form. */
const MAX_FIELDS = 100;

/**
 * Reads the fields of a small form without files: urlencoded, multipart, or no body at all. At most 1 MiB. Throws
 * INPUT_MEDIA_TYPE, INPUT_TOO_LARGE, INPUT_TOO_MANY_PARTS, INPUT_TOO_SLOW or INPUT_MALFORMED.
 */
export async function readFields(
  request: IncomingMessage,
  scratch: () => Promise<Scratch>,
  limits: FormLimits,
): Promise<Form> {
  const { 'content-type': type = '', 'content-length': length, 'transfer-encoding': chunked } = request.headers;
  if (chunked === undefined && (length === undefined || Number(length) === 0)) return { fields: {}, files: {} };
  if (/^multipart\/form-data\s*;/i.test(type))
    return readForm(request, await scratch(), { ...limits, maxBytes: MAX_JSON_BYTES, maxParts: MAX_FIELDS });
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) {
    const found = type === '' ? 'without a Content-Type' : `"${type.slice(0, 60).replace(/[^\x20-\x7e]/g, '?')}"`;
    throw new InputError('INPUT_MEDIA_TYPE', {
      found,
      allowed: 'application/x-www-form-urlencoded or multipart/form-data',
    });
  }
  refuseDeclaredSize(request, MAX_JSON_BYTES);
  return { fields: urlencodedFields(await readText(request)), files: {} };
}

/** Parses urlencoded text (URL Standard, 5.1); a repeated field becomes a list. The object has no prototype. */
function urlencodedFields(text: string): Form['fields'] {
  const fields: Record<string, string | string[]> = Object.create(null) as Record<string, string>;
  let count = 0;
  for (const [name, value] of new URLSearchParams(text)) {
    if (++count > MAX_FIELDS) throw new InputError('INPUT_TOO_MANY_PARTS', { limit: MAX_FIELDS });
    const before = fields[name];
    fields[name] = before === undefined ? value : [...(Array.isArray(before) ? before : [before]), value];
  }
  return fields;
}
