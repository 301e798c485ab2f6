// Generated from the declarations of the operations by `npm run docs`.

import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

/** Answer of `getSecurityInfo`. */
export type GetSecurityInfoAnswer = {
  /** The file is encrypted */
  readonly isEncrypted: boolean;
  /** Bits of the key; only when encrypted */
  readonly keyLength?: number;
  /** Only when encrypted */
  readonly permissions?: {
    /** Printing is forbidden */
    readonly preventPrinting: boolean;
    /** Changing the content is forbidden */
    readonly preventModify: boolean;
    /** Copying text and pictures is forbidden */
    readonly preventExtractContent: boolean;
    /** Commenting and filling in is forbidden */
    readonly preventModifyAnnotations: boolean;
  };
};

export interface GetSecurityInfo {
  /**
   * Report encryption and permissions of a PDF.
   *
   * Flags are true for what is forbidden. Without encryption `isEncrypted` is the only member. A document that needs
   * a password is refused.
   *
   * POST /api/v1/analysis/security-info
   */
  getSecurityInfo(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<GetSecurityInfoAnswer>;
}
