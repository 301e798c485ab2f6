import { isQuireError } from '@quire/registry';

/** Returns the code that a call is refused with, or `none` when it succeeds. Rethrows errors without a code. */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'none';
  } catch (error) {
    if (isQuireError(error)) return error.code;
    throw error;
  }
}
