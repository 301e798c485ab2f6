// Generated from the declarations of the operations by `npm run docs`.

import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

/** Answer of `getPageDimensions`. */
export type GetPageDimensionsAnswer = readonly {
  /** Points */
  readonly width: number;
  /** Points */
  readonly height: number;
}[];

export interface GetPageDimensions {
  /**
   * Report the size of every page.
   *
   * The size of the crop box within the media box, in page units: rotation and `UserUnit` are not applied. Numbers
   * have single precision.
   *
   * POST /api/v1/analysis/page-dimensions
   */
  getPageDimensions(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<GetPageDimensionsAnswer>;
}
