import { OperationalError, isQuireError } from '@quire/registry/errors';
import { isDuplicateRecord } from './records.js';

const fullCodes = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL', '14031']);
/** MongoDB says with these codes that a server is away, stepping down, shutting down, or will not let us in. */
const awayCodes = new Set([6, 7, 13, 18, 89, 91, 189, 262, 8000, 9001, 10107, 11600, 11602, 13388, 13435, 13436]);

/**
 * Gives the coded error for trouble in a store: STORAGE_FULL for a full disk, else STORE_DOWN. Coded errors, clashes
 * and our own faults (a wrong argument, a command that the engine refuses) pass unchanged: retrying does not
 * help against those.
 */
export function asStoreError(error: unknown): unknown {
  if (
    isQuireError(error) ||
    isDuplicateRecord(error) ||
    error instanceof RangeError ||
    error instanceof TypeError ||
    error instanceof SyntaxError
  )
    return error;
  const { code, name, errorLabels } = (error ?? {}) as {
    code?: unknown;
    name?: unknown;
    errorLabels?: readonly string[];
  };
  if (fullCodes.has(String(code)) || /no space left|database or disk is full/i.test(String(error)))
    return new OperationalError('STORAGE_FULL', {}, { cause: error });
  if (code === 'SQLITE_ERROR' || name === 'DamagedBlob') return error;
  if (
    name === 'MongoServerError' &&
    !awayCodes.has(Number(code)) &&
    !errorLabels?.some((label) => label.startsWith('Retryable'))
  )
    return error;
  return new OperationalError('STORE_DOWN', {}, { cause: error });
}

/** Runs work of a store and gives its trouble as coded errors. */
export async function withStoreErrors<R>(work: () => R | Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    throw asStoreError(error);
  }
}
