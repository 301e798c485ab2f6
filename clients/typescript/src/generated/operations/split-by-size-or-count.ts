// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface SplitBySizeOrCountOptions {
  /** 0 by file size, 1 by pages per part, 2 by number of parts. Whole number from 0 to 2. Default: 0. */
  readonly splitType?: number;
  /**
   * For type 0 a size: a number with B, KB, MB, GB or TB (1 KB is 1024 bytes), MB without a unit; for types 1 and 2 a
   * whole number above 0. Default: 10MB.
   */
  readonly splitValue?: string;
}

export interface SplitBySizeOrCount {
  /**
   * Split a PDF by file size, page count or part count.
   *
   * By size, parts are as large as possible without exceeding it, measured on the written files; a single page that
   * is larger becomes its own part. By number of parts, their page counts differ by at most one, and there are never
   * more parts than pages.
   *
   * POST /api/v1/general/split-by-size-or-count
   */
  splitBySizeOrCount(file: Input, options?: SplitBySizeOrCountOptions, call?: CallOptions): Promise<FileResult>;
}
