import { DocumentError } from '@quire/document';
import { errorTable } from '@quire/registry';
import { isQuireError } from '@quire/registry/errors';

/** Something that reads bytes of strangers. */
export interface FuzzTarget {
  /** Ending of the files in which inputs are kept. */
  readonly extension: string;
  /** Valid inputs to mutate, the same in every process; those of a corpus too when its folder is not empty. */
  seeds(corpus: string): Promise<readonly Buffer[]>;
  /** Treats an input as the server does. Returns `read` or how it was refused; throws for every fault of ours. */
  exercise(bytes: Buffer): Promise<string> | string;
  /** Outcomes of seeds, which are valid; `read` followed by what was read if absent. */
  readonly understood?: RegExp;
  /** Ends what the exercises started. */
  stop?(): Promise<void>;
}

/** Returns the error's code from the error table; throws any other error again. */
export function codeOf(error: unknown): string {
  if ((error instanceof DocumentError || isQuireError(error)) && error.code in errorTable) return error.code;
  throw error;
}
