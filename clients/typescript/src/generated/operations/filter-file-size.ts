// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface FilterFileSizeOptions {
  /** How the document's value must compare with the given one. */
  readonly comparator: 'Greater' | 'Equal' | 'Less';
  /** Size in bytes to compare with. Whole number. Default: 0. */
  readonly fileSize?: number;
}

export interface FilterFileSize {
  /**
   * Keep a file by its size in bytes.
   *
   * The file is not opened, so any file type is accepted, even damaged or locked files.
   *
   * POST /api/v1/filter/filter-file-size
   */
  filterFileSize(file: Input, options: FilterFileSizeOptions, call?: CallOptions): Promise<FileResult | undefined>;
}
