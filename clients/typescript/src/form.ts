import { isFile, openInput, type Input } from './inputs.js';
import type { OperationRow } from './operation-table.js';
import type { Platform } from './platform.js';

/** Options of a call by field. */
export type Options = Readonly<Record<string, unknown>>;

/** Form field of the documents. */
const DOCUMENTS = 'fileInput';

/** Returns the form of a call: documents, files and fields. Options that are undefined are left out. */
export async function formOf(
  documents: readonly Input[],
  options: Options,
  platform: Platform,
  row?: Pick<OperationRow, 'parts' | 'documents'>,
): Promise<FormData> {
  const form = new FormData();
  for (const input of documents) await append(form, DOCUMENTS, input, platform);
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || value === null) continue;
    const files = filesOf(name, value, row);
    if (files !== undefined) for (const file of files) await append(form, name, file, platform);
    else for (const text of textsOf(value, row?.documents.includes(name) === true)) form.append(name, text);
  }
  return form;
}

/** The files of an option; undefined for an option that is no file. */
export function filesOf(
  name: string,
  value: unknown,
  row: Pick<OperationRow, 'parts'> | undefined,
): Input[] | undefined {
  if (isFile(value)) return [value];
  const isPart = row?.parts.includes(name) === true;
  if (isPart && typeof value === 'string') return [value];
  return Array.isArray(value) && value.length > 0 && (isPart || value.every(isFile)) ? (value as Input[]) : undefined;
}

async function append(form: FormData, field: string, input: Input, platform: Platform): Promise<void> {
  const part = await openInput(input, platform);
  if ('fileId' in part) form.append(field === DOCUMENTS ? 'fileId' : field, part.fileId);
  else form.append(field, part.blob, part.name);
}

/** A list is sent as one field for each item, any other structure as JSON. */
function textsOf(value: unknown, isJson: boolean): string[] {
  if (typeof value !== 'object') return [String(value)];
  if (value instanceof Date) return [value.toISOString()];
  if (!isJson && Array.isArray(value) && value.every((item) => typeof item !== 'object')) return value.map(String);
  return [JSON.stringify(value)];
}
