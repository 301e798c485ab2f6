import { errorRow, errorTable, type CodeOf, type ErrorCode, type ErrorRow } from './table.js';

const brand = Symbol.for('quire.error');

/** Values for the placeholders of an error's text. Never include file contents or secrets. */
export type ErrorData = Readonly<Record<string, string | number | boolean>>;

/** One faulty field: a JSON Pointer (RFC 6901) into the form or the pipeline, and a description of the fault. */
export interface FieldFault {
  readonly pointer: string;
  readonly detail: string;
}

/** An error as it is sent between processes and stored in job records. */
export interface SerialisedError {
  readonly code: ErrorCode;
  readonly data: ErrorData;
  readonly errors?: readonly FieldFault[];
}

/**
 * The base of all coded errors. Recognised by brand, never by `instanceof`: a plugin may have its own copy of this
 * package.
 */
export class QuireError extends Error {
  readonly [brand] = true;
  constructor(
    readonly code: ErrorCode,
    readonly data: ErrorData = {},
    readonly errors: readonly FieldFault[] = [],
    options?: ErrorOptions,
  ) {
    super(errorText(code, data), options);
    this.name = 'QuireError';
  }
  get row(): ErrorRow {
    return errorRow(this.code);
  }
}

/** The caller's file or parameter is at fault. */
export class InputError extends QuireError {
  constructor(code: CodeOf<'input'>, data: ErrorData = {}, errors: readonly FieldFault[] = [], options?: ErrorOptions) {
    super(code, data, errors, options);
    this.name = 'InputError';
  }
}

/** The caller may not do this now. */
export class AccessError extends QuireError {
  constructor(code: CodeOf<'access'>, data: ErrorData = {}, options?: ErrorOptions) {
    super(code, data, [], options);
    this.name = 'AccessError';
  }
}

/** External failure: a program, a remote server, the store, or a timeout. */
export class OperationalError extends QuireError {
  constructor(code: CodeOf<'operational'>, data: ErrorData = {}, options?: ErrorOptions) {
    super(code, data, [], options);
    this.name = 'OperationalError';
  }
}

/** A bug in this software. */
export class DefectError extends QuireError {
  constructor(code: CodeOf<'defect'>, data: ErrorData = {}, options?: ErrorOptions) {
    super(code, data, [], options);
    this.name = 'DefectError';
  }
}

/** The operator's settings or plugins are at fault; the server does not start. */
export class StartupError extends QuireError {
  constructor(code: CodeOf<'startup'>, data: ErrorData = {}, options?: ErrorOptions) {
    super(code, data, [], options);
    this.name = 'StartupError';
  }
}

/** Returns the text of a code for this data. */
export function errorText(code: ErrorCode, data: ErrorData): string {
  const { text, textIf = {} } = errorRow(code);
  const member = Object.keys(textIf).find((name) => data[name] !== undefined && data[name] !== false);
  return fillText(member === undefined ? text : (textIf[member] ?? text), data);
}

/** Replaces `{name}` placeholders; unknown ones stay unchanged. */
export function fillText(text: string, data: ErrorData): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => (name in data ? String(data[name]) : whole));
}

/** Returns whether the error is a coded error created by any copy of this package. */
export function isQuireError(error: unknown): error is QuireError {
  return (
    typeof error === 'object' &&
    error !== null &&
    (error as Record<symbol, unknown>)[brand] === true &&
    String((error as { code?: unknown }).code) in errorTable
  );
}

/**
 * The error as data, for another process or a record. Without a code, that of a full disk becomes STORAGE_FULL, any
 * other INTERNAL.
 */
export function serialiseError(error: unknown): SerialisedError {
  if (!isQuireError(error)) return { code: isFullDisk(error) ? 'STORAGE_FULL' : 'INTERNAL', data: {} };
  return error.errors.length > 0
    ? { code: error.code, data: error.data, errors: error.errors }
    : { code: error.code, data: error.data };
}

/** True for the error of a disk that is full, or of which this user may not have more. */
export function isFullDisk(error: unknown): boolean {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/** Restores an error from its data. */
export function reviveError(data: SerialisedError): QuireError {
  return new QuireError(data.code in errorTable ? data.code : 'INTERNAL', data.data, data.errors ?? []);
}
