import { errorRow, errorTable, type CodeOf, type ErrorCode, type ErrorRow } from './table.js';

const brand = Symbol.for('quire.error');

/** Values for the placeholders of an error's text. Never put file contents or secrets in. */
export type ErrorData = Readonly<Record<string, string | number | boolean>>;

/** One faulty field: a JSON Pointer (RFC 6901) into the form or the pipeline, and what is wrong. */
export interface FieldFault {
  readonly pointer: string;
  readonly detail: string;
}

/** An error as it crosses processes and lies in job records. */
export interface SerialisedError {
  readonly code: ErrorCode;
  readonly data: ErrorData;
  readonly errors?: readonly FieldFault[];
}

/**
 * The base of all coded errors. Known by brand, never by `instanceof`: a plugin may carry its own copy of this package.
 */
export class QuireError extends Error {
  readonly [brand] = true;
  constructor(
    readonly code: ErrorCode,
    readonly data: ErrorData = {},
    readonly errors: readonly FieldFault[] = [],
    options?: ErrorOptions,
  ) {
    super(fillText(errorRow(code).text, data), options);
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

/** Not allowed now. */
export class AccessError extends QuireError {
  constructor(code: CodeOf<'access'>, data: ErrorData = {}, options?: ErrorOptions) {
    super(code, data, [], options);
    this.name = 'AccessError';
  }
}

/** The world failed: a program, a remote server, the store, time. */
export class OperationalError extends QuireError {
  constructor(code: CodeOf<'operational'>, data: ErrorData = {}, options?: ErrorOptions) {
    super(code, data, [], options);
    this.name = 'OperationalError';
  }
}

/** Our own bug. */
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

/** Fills `{name}` placeholders; unknown ones stay as they are. */
export function fillText(text: string, data: ErrorData): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => (name in data ? String(data[name]) : whole));
}

/** True for a coded error made by any copy of this package. */
export function isQuireError(error: unknown): error is QuireError {
  return (
    typeof error === 'object' &&
    error !== null &&
    (error as Record<symbol, unknown>)[brand] === true &&
    String((error as { code?: unknown }).code) in errorTable
  );
}

/** The error as data, for another process or a record. Uncoded errors become INTERNAL. */
export function serialiseError(error: unknown): SerialisedError {
  if (!isQuireError(error)) return { code: 'INTERNAL', data: {} };
  return error.errors.length > 0
    ? { code: error.code, data: error.data, errors: error.errors }
    : { code: error.code, data: error.data };
}

/** The error again, from data. */
export function reviveError(data: SerialisedError): QuireError {
  return new QuireError(data.code in errorTable ? data.code : 'INTERNAL', data.data, data.errors ?? []);
}
