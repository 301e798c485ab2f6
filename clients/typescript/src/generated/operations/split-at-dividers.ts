// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface SplitAtDividersOptions {
  /** Also remove the page after each divider: the back of the divider sheet. Default: false. */
  readonly duplexMode?: boolean;
}

export interface SplitAtDividers {
  /**
   * Split a PDF at QR code divider pages.
   *
   * A divider is a page with a QR code that contains exactly one of the texts on the printed divider sheets. The code
   * may be rotated, light on dark, small or noisy. Dividers are removed, even on the first page, and so are parts
   * without pages. If there is no divider, the result is a single part with all pages. Bookmarks, links and form
   * fields stay with their pages.
   *
   * POST /api/v1/misc/auto-split-pdf
   */
  splitAtDividers(file: Input, options?: SplitAtDividersOptions, call?: CallOptions): Promise<FileResult>;
}
