// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface RepairPdf {
  /**
   * Repair a damaged PDF.
   *
   * Several engines are tried in order until a result opens with all its pages, bookmarks, form fields and
   * attachments and passes a structure check: first Quire's own parser, then PDFium, then libpdf, and finally those
   * of qpdf, mutool and Ghostscript that are installed on the server (none of them is required). Each engine has a
   * time limit (`limits.repairRungSeconds`). A valid PDF is returned rewritten; encryption without a password is
   * kept.
   *
   * `X-Tool-Report` holds `engine`, the engine that produced the result (`quire`, `pdfium`, `libpdf`, `qpdf`,
   * `mutool`, `ghostscript`); `warnings`, what was wrong with the file, if known; and `passedOver`, the engines tried
   * before and why their results were rejected. If none succeeds, the detail of `REPAIR_FAILED` gives the reason of
   * each engine. `X-Warnings` names content that no engine could bring back.
   *
   * POST /api/v1/misc/repair
   */
  repairPdf(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<FileResult>;
}
