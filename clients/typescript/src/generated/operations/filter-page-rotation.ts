// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface FilterPageRotationOptions {
  /** How the document's value must compare with the given one. */
  readonly comparator: 'Greater' | 'Equal' | 'Less';
  /** Rotation in degrees to compare with. Whole number. Default: 0. */
  readonly rotation?: number;
}

export interface FilterPageRotation {
  /**
   * Keep a PDF by the rotation of its first page.
   *
   * The page's rotation is 0, 90, 180 or 270 degrees clockwise; the given value is compared as it is, so 450 equals
   * none.
   *
   * POST /api/v1/filter/filter-page-rotation
   */
  filterPageRotation(
    file: Input,
    options: FilterPageRotationOptions,
    call?: CallOptions,
  ): Promise<FileResult | undefined>;
}
