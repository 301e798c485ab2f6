// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface ApplyPurviewLabelOptions {
  /** Number of a PURVIEW connection. Whole number from 1. */
  readonly connectionId: number;
  /** GUID of the label. */
  readonly labelId: string;
  /** Name of the label. */
  readonly labelName?: string;
  /** STANDARD: by default or automatically; PRIVILEGED: chosen by a person. Default: STANDARD. */
  readonly method?: 'STANDARD' | 'PRIVILEGED';
  /**
   * Content marking, as a sum: 1 header, 2 footer, 4 watermark, 8 encryption. Whole number from 0 to 15. Default: 0.
   */
  readonly contentBits?: number;
}

export interface ApplyPurviewLabel {
  /**
   * Write a Purview sensitivity label into a PDF.
   *
   * Writes the properties `MSIP_Label_<labelId>_…` into the information dictionary, with the tenant of the
   * connection. Another label of the same tenant is replaced, those of other tenants stay. Nothing is asked of
   * Microsoft, and nothing is encrypted.
   *
   * POST /api/v1/integration/purview-apply-label
   */
  applyPurviewLabel(file: Input, options: ApplyPurviewLabelOptions, call?: CallOptions): Promise<FileResult>;
}
