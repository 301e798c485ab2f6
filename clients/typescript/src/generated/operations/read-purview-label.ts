// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface ReadPurviewLabelOptions {
  /** Number of a PURVIEW connection. Whole number from 1. */
  readonly connectionId: number;
}

export interface ReadPurviewLabel {
  /**
   * Report the Purview sensitivity labels of a PDF.
   *
   * The file is answered as it came. `X-Tool-Report` holds `labelled`, and of a label of the tenant of the connection
   * `labelId`, `labelName`, `method`, `setDate`, `contentBits` and `protected`; `otherTenantLabels` lists those of
   * others.
   *
   * POST /api/v1/integration/purview-read-label
   */
  readPurviewLabel(file: Input, options: ReadPurviewLabelOptions, call?: CallOptions): Promise<FileResult>;
}
