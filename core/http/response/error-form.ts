import type { QuireError } from '@quire/registry';
import type { Problem } from './error-body.js';

/** The form of errors that a protocol prescribes for its addresses. */
export interface ErrorForm {
  /** The addresses, without the context path and without a slash at the end. */
  readonly below: string;
  readonly mediaType: string;
  /** `problem` is what other addresses answer. */
  bodyOf(error: QuireError, problem: Problem): object;
}
