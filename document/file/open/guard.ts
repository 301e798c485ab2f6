import { damageBehind, DocumentError } from '../../errors.js';

/**
 * Runs document work and turns the errors that malformed object graphs cause (RangeError, TypeError, pdf-lib's errors)
 * into PDF_DAMAGED. Errors with a code pass through, and those of the operating system. The server answers an error
 * that began in the code of a plugin with 500 all the same (ADR 0155).
 */
export async function guardDocument<T>(field: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (
      typeof error === 'object' &&
      error !== null &&
      (error as Record<symbol, unknown>)[Symbol.for('quire.error')] === true
    )
      throw error;
    throw new DocumentError('PDF_DAMAGED', { field, detail: damageBehind(error) }, [], { cause: error });
  }
}
