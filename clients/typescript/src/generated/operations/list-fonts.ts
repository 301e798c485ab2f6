// Generated from the declarations of the operations by `npm run docs`.

import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

/** Answer of `listFonts`. */
export type ListFontsAnswer = {
  /** Length of `fonts` */
  readonly fontCount: number;
  /** Resource names, each once */
  readonly fonts: readonly string[];
};

export interface ListFonts {
  /**
   * List the font resource names of a PDF.
   *
   * Names are resource names (`F1`, `TT0`), not font families; the same name on two pages counts once. Inherited
   * resources count; those of forms and annotations do not.
   *
   * POST /api/v1/analysis/font-info
   */
  listFonts(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<ListFontsAnswer>;
}
