// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface RemovePasswordOptions {
  /** User or owner password; empty if the document opens without one. */
  readonly password?: string;
}

export interface RemovePassword {
  /**
   * Remove the password from a PDF.
   *
   * Accepts the user password or the owner password, exactly as it is, spaces included; an empty password opens
   * documents that need none. All restrictions are removed together with the encryption. A document that is not
   * encrypted is rewritten. Encryption for certificates, which has no password, cannot be removed.
   *
   * POST /api/v1/security/remove-password
   */
  removePassword(file: Input, options?: RemovePasswordOptions, call?: CallOptions): Promise<FileResult>;
}
