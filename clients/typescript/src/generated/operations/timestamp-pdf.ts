// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface TimestampPdfOptions {
  /**
   * Time stamp authority: one of the presets, the default or a custom server of the settings (`GET
   * /api/v1/config/app-config` lists them). Blank takes `security.timestamp.defaultTsaUrl`.
   */
  readonly tsaUrl?: string;
}

export interface TimestampPdf {
  /**
   * Add an RFC 3161 document time stamp.
   *
   * Only the SHA-256 digest of the document and a random number are sent to the time stamp authority. Its answer is
   * verified: status, digest, number, signature, and a certificate for time stamps only.
   *
   * The stamp is appended, so signatures that the document has stay valid; certified documents may always be stamped.
   *
   * POST /api/v1/security/timestamp-pdf
   */
  timestampPdf(file: Input, options?: TimestampPdfOptions, call?: CallOptions): Promise<FileResult>;
}
