import { isQuireError } from '@quire/registry/errors';
import { type VerifiedStandard, verifyPdf } from './verify-pdf.js';

/** How a document compares with the standards that it declares, or the reason why it was not checked. */
export interface CheckedStandards {
  readonly standards: readonly VerifiedStandard[] | undefined;
  readonly unchecked?: string;
}

/**
 * Checks a document as `verify-pdf` does, but never rejects: a failed check is reported and is not a reason to refuse
 * the document.
 */
export async function checkStandards(
  path: string,
  validate: Parameters<typeof verifyPdf>[1],
): Promise<CheckedStandards> {
  try {
    return { standards: await verifyPdf(path, validate) };
  } catch (error) {
    const missing = isQuireError(error) && error.code === 'PROGRAM_MISSING';
    return {
      standards: undefined,
      unchecked: missing
        ? 'veraPDF is not installed'
        : `veraPDF could not check the document (${isQuireError(error) ? error.code : 'INTERNAL'})`,
    };
  }
}
