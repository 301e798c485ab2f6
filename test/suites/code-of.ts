import { isQuireError } from '@quire/registry';

/** The code that a call is refused with; `none` when it is not. Rethrows what has no code. */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'none';
  } catch (error) {
    if (isQuireError(error)) return error.code;
    throw error;
  }
}
