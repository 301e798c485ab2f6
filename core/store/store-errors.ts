import { OperationalError, isQuireError } from '@quire/registry/errors';
import { isDuplicateRecord } from './records.js';

const fullCodes = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL']);

/** Gives the coded error for trouble in a store: STORAGE_FULL for a full disk, else STORE_DOWN; coded errors and clashes pass. */
export function asStoreError(error: unknown): unknown {
  if (isQuireError(error) || isDuplicateRecord(error) || error instanceof RangeError || error instanceof TypeError) return error;
  const code = String((error as { code?: unknown } | null)?.code ?? '');
  if (fullCodes.has(code) || /out ?of ?disk|no space left/i.test(String(error))) return new OperationalError('STORAGE_FULL', {}, { cause: error });
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
