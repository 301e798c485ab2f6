import type { CatalogOperation } from '@quire/catalog';
import { InputError, type FieldFault } from '@quire/registry';
import { escapePointer, fieldNames, formFields } from '../../operations/runner/index.js';
import { nearestName } from '../../settings/index.js';

/** A file that a call names. */
export interface NamedFile {
  readonly field: string;
  readonly fileId: string;
  /** JSON Pointer of its id in the arguments. */
  readonly pointer: string;
}

/** The arguments of an operation, as its form would have them. */
export interface OperationArguments {
  readonly values: Readonly<Record<string, unknown>>;
  readonly files: readonly NamedFile[];
}

/** Throws INPUT_INVALID with these faults, if there are any. */
export function refuseFaults(faults: readonly FieldFault[]): void {
  if (faults.length === 0) return;
  const shown = faults.slice(0, 50);
  throw new InputError('INPUT_INVALID', { detail: shown.map(({ detail }) => detail).join('; ') }, shown);
}

/**
 * Splits the arguments of an operation into ids of files and fields. Throws INPUT_INVALID with a pointer to every
 * argument that the operation does not have and every value that cannot be one. The values of fields are checked by the
 * runner.
 */
export function readArguments(
  entry: CatalogOperation,
  given: Readonly<Record<string, unknown>>,
  mostFiles: number,
): OperationArguments {
  const { operation } = entry;
  const faults: FieldFault[] = [];
  const fault = (pointer: string, detail: string): void => void faults.push({ pointer, detail });
  const partFields = (operation.parts ?? []).map(({ field }) => field);
  const fileFields = operation.accepts.length === 0 ? partFields : ['fileInput', ...partFields];
  const known = new Set([...fieldNames(entry), ...Object.keys(operation.aliases ?? {}), ...fileFields]);
  const files: NamedFile[] = [];
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    const pointer = `/${escapePointer(name)}`;
    if (fileFields.includes(name)) files.push(...fileIds(name, value, pointer, fault));
    else if (known.has(name)) fields[name] = value;
    else faults.push(unknownArgument(name, known));
  }
  if (files.length > mostFiles)
    fault(`/${files[0]?.field ?? ''}`, `names ${files.length} files; at most ${mostFiles} are allowed`);
  if (operation.accepts.length > 0 && !files.some(({ field }) => field === 'fileInput'))
    fault('/fileInput', 'the fileId of the document is missing; create_upload makes one for a file of the user');
  const values = formFields(entry, fields, '', fault);
  refuseFaults(faults);
  return { values, files };
}

/** The files that the value of an argument names. */
export function fileIds(
  field: string,
  value: unknown,
  pointer: string,
  fault: (pointer: string, detail: string) => void,
): NamedFile[] {
  if (value === null) return [];
  if (typeof value === 'string') return [{ field, fileId: value, pointer }];
  if (!Array.isArray(value)) {
    fault(pointer, 'must be a fileId or a list of them');
    return [];
  }
  return value.flatMap((fileId: unknown, at) => {
    if (typeof fileId === 'string') return [{ field, fileId, pointer: `${pointer}/${at}` }];
    fault(`${pointer}/${at}`, 'must be a fileId, which is text');
    return [];
  });
}

/** The fault of an argument that a tool does not have, with the name that was probably meant. */
export function unknownArgument(name: string, known: ReadonlySet<string>): FieldFault {
  const near = nearestName(name, known);
  const hint = near === undefined ? '' : `; did you mean ${near}?`;
  return {
    pointer: `/${escapePointer(name).slice(0, 200)}`,
    detail: `${name.slice(0, 100)} is not an argument of this tool${hint}`,
  };
}
