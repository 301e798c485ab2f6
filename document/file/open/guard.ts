import { DocumentError } from '../../errors.js';

/**
 * Runs document work and turns the errors that malformed object graphs cause (RangeError, TypeError, pdf-lib's errors)
 * into PDF_DAMAGED. Errors with a code pass through.
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
    const detail =
      error instanceof RangeError ? 'its objects are nested without end' : 'its objects contradict each other';
    throw new DocumentError('PDF_DAMAGED', { field, detail }, [], { cause: error });
  }
}
