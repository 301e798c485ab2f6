import { holds, InputError, kindName, type ConcreteKind } from '@quire/registry';
import type { WireFile } from '../workers/wire-file.js';
import { fileAmong } from './blame-input.js';
import type { CheckedRun } from './checked-run.js';

/** True if a list of accepted file types includes this one. */
export function accepts(kinds: readonly string[], kind: string): boolean {
  return kinds.includes('any') || kinds.includes(kind);
}

/** Describes file types for people: `a PDF (.pdf), a PNG image (.png)`. */
export function kindList(kinds: readonly string[]): string {
  return kinds.map((kind) => (kind === 'any' ? 'any file' : kindName(kind as ConcreteKind))).join(', ');
}

/** Throws the error of the first file of a call that its operation cannot take. */
export function checkFiles(
  { operation, params, files: sent, parts }: Pick<CheckedRun, 'operation' | 'params' | 'files' | 'parts'>,
  maxBytes: number,
): void {
  const check = (
    files: readonly WireFile[],
    kinds: readonly string[],
    field: string,
    many: boolean,
    mayBeEmpty = false,
  ): void => {
    if (!many && files.length > 1) throw fieldError('INPUT_FILE_COUNT', { field, found: files.length, allowed: 'one' });
    files.forEach((file, at) => {
      const which = files.length > 1 ? fileAmong(files, at) : undefined;
      if (file.size === 0 && !mayBeEmpty) throw fieldError('INPUT_FILE_EMPTY', { field }, which);
      if (file.size === 0) return;
      if (file.size > maxBytes) throw fieldError('INPUT_TOO_LARGE', { field, limit: maxBytes }, which);
      if (!accepts(kinds, file.kind))
        throw fieldError(
          'INPUT_KIND',
          {
            field,
            found: file.kind === 'bin' ? 'of an unknown type' : kindName(file.kind),
            allowed: kindList(kinds),
          },
          which,
        );
    });
  };
  if (sent.length === 0 && operation.accepts.length > 0) throw fieldError('INPUT_FILE_MISSING', { field: 'fileInput' });
  check(sent, operation.accepts, 'fileInput', true);
  for (const part of operation.parts ?? []) {
    // A second file that these parameters do not use is not checked: existing clients send unused files.
    if (part.requiredWhen === undefined || holds(part.requiredWhen, params))
      check(parts[part.field] ?? [], part.kinds, part.field, part.many === true, part.mayBeEmpty);
  }
}

function fieldError(
  code: 'INPUT_FILE_COUNT' | 'INPUT_FILE_EMPTY' | 'INPUT_TOO_LARGE' | 'INPUT_KIND' | 'INPUT_FILE_MISSING',
  data: Record<string, string | number>,
  which?: string,
): InputError {
  const { message } = new InputError(code, data);
  return new InputError(code, data, [
    { pointer: `/${String(data['field'])}`, detail: which === undefined ? message : `${which}: ${message}` },
  ]);
}
