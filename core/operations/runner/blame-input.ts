import {
  InputError,
  QuireError,
  errorRow,
  errorText,
  isQuireError,
  passwordsOf,
  type AnyOperation,
} from '@quire/registry';

/**
 * Converts an accidental exception of a parser (cyclic trees, wrong types) to an input error; errors with a code are
 * returned unchanged.
 */
export function blameInput(error: unknown, field: string): unknown {
  if (isQuireError(error)) {
    // Document code does not know in which field a file was sent.
    return 'field' in error.data || !/\{field\}/.test(errorRow(error.code).text)
      ? error
      : new QuireError(error.code, { ...error.data, field }, error.errors, { cause: error });
  }
  if (
    error instanceof RangeError &&
    /call stack|Invalid (typed )?array length|Array buffer allocation/i.test(error.message)
  ) {
    return new InputError('INPUT_TOO_COMPLEX', { field, resource: 'memory or nesting', limit: 'this server' }, [], {
      cause: error,
    });
  }
  return error;
}

/** Returns the error of one file of a field, naming the file if there are several. */
export function inFile(
  error: unknown,
  field: string,
  files: readonly { readonly name: string }[],
  at: number,
): unknown {
  const blamed = blameInput(error, field);
  if (!isQuireError(blamed) || blamed.errors.length > 0 || files.length < 2) return blamed;
  const detail = `${fileAmong(files, at)}: ${errorText(blamed.code, blamed.data)}`;
  return new QuireError(blamed.code, blamed.data, [{ pointer: `/${field}`, detail }], { cause: error });
}

/** Names one of several files, for example `"b.pdf" (file 2 of 3)`. */
export function fileAmong(files: readonly { readonly name: string }[], at: number): string {
  return `"${files[at]?.name ?? ''}" (file ${at + 1} of ${files.length})`;
}

/** Reports a document that does not open with its password as a fault of the password field. */
export function blamePassword(
  error: unknown,
  operation: Pick<AnyOperation, 'passwords'>,
  params: Readonly<Record<string, unknown>>,
): unknown {
  const field = operation.passwords?.input;
  if (field === undefined || !isQuireError(error) || error.code !== 'PDF_ENCRYPTED') return error;
  const detail =
    passwordsOf(operation, params).input === undefined
      ? 'is missing or empty, and the document needs a password'
      : 'does not open the document';
  const faults = [...error.errors, { pointer: `/${field}`, detail }];
  return new QuireError(error.code, { ...error.data, passwordField: field }, faults, { cause: error });
}
