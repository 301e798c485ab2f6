// Generated from the declarations of the operations by `npm run docs`.

import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

/** Answer of `getBasicInfo`. */
export type GetBasicInfoAnswer = {
  /** Number of pages in the page tree */
  readonly pageCount: number;
  /** Version of PDF, the higher of header and catalog */
  readonly pdfVersion: number;
  /** Bytes */
  readonly fileSize: number;
};

export interface GetBasicInfo {
  /**
   * Report page count, version and size of a PDF.
   *
   * `pdfVersion` is a number: the version in the file header, or in the catalog if that is later. `fileSize` is the
   * size of the upload in bytes.
   *
   * POST /api/v1/analysis/basic-info
   */
  getBasicInfo(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<GetBasicInfoAnswer>;
}
