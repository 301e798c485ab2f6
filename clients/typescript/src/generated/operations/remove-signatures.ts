// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface RemoveSignatures {
  /**
   * Remove digital signatures.
   *
   * Signature fields go and what a visible one shows stays on the page. A PDF without signatures is answered too.
   *
   * POST /api/v1/security/remove-cert-sign
   */
  removeSignatures(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<FileResult>;
}
