// Generated from the declarations of the operations by `npm run docs`.

import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

/** Answer of `countAnnotations`. */
export type CountAnnotationsAnswer = {
  /** Annotations of all pages */
  readonly totalCount: number;
  /** Count by `/Subtype`; empty if there are none */
  readonly typeBreakdown: Readonly<Record<string, number>>;
};

export interface CountAnnotations {
  /**
   * Count annotations by type.
   *
   * All annotations of all pages are counted, form widgets and pop-ups among them. Keys are names of the standard
   * (`Link`, `Text`, `Widget`, `Highlight`); annotations that do not say what they are count as `Unknown`.
   *
   * POST /api/v1/analysis/annotation-info
   */
  countAnnotations(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<CountAnnotationsAnswer>;
}
