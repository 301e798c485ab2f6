// Generated from the declarations of the operations by `npm run docs`.

import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

/** Answer of `getFormInfo`. */
export type GetFormInfoAnswer = {
  /** Number of top-level fields */
  readonly fieldCount: number;
  /** The document has an XFA form */
  readonly hasXFA: boolean;
  /** The form says that it contains signatures */
  readonly isSignaturesExist: boolean;
};

export interface GetFormInfo {
  /**
   * Report whether a PDF has a form, and its size.
   *
   * Only top-level fields are counted; a group counts once. `isSignaturesExist` is the flag of the form; signatures
   * are not searched. Without a form: 0, false, false.
   *
   * POST /api/v1/analysis/form-fields
   */
  getFormInfo(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<GetFormInfoAnswer>;
}
