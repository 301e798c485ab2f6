// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface OverlayPdfsOptions {
  /** Which overlay page each base page gets. */
  readonly overlayMode: 'SequentialOverlay' | 'InterleavedOverlay' | 'FixedRepeatOverlay';
  /**
   * Required for FixedRepeatOverlay, otherwise ignored: how often each overlay file is repeated, one number per file.
   */
  readonly counts?: string | readonly (string | number)[];
  /** 0 puts the overlays over the page content, any other number under it. Whole number. Default: 0. */
  readonly overlayPosition?: number;
  /** One or more PDFs to put over the pages, in order (.pdf). */
  readonly overlayFiles: Input | readonly Input[];
}

export interface OverlayPdfs {
  /**
   * Overlay other PDFs on a PDF, or put them under it.
   *
   * Overlay pages are centred on the base page as the reader sees it (rotated and cropped), upright and unscaled.
   * `SequentialOverlay` gives base page k the k-th page of all overlay files one after another, starting over at the
   * end; `InterleavedOverlay` gives it the first page of each file in turn; `FixedRepeatOverlay` puts the first page
   * of file i on counts[i] times as many base pages as file i has pages, and leaves the rest as they are. Everything
   * in the base document stays: bookmarks, links, form fields, tags. Layers of the overlays are kept; their
   * annotations and form fields are not. A PDF/A or PDF/X declaration stays only if all overlays have the same one.
   *
   * POST /api/v1/general/overlay-pdfs
   */
  overlayPdfs(file: Input, options: OverlayPdfsOptions, call?: CallOptions): Promise<FileResult>;
}
