// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { CallOptions } from '../../transport.js';

export interface ConvertUrlToPdfOptions {
  /** Address of the page, with http:// or https://. */
  readonly urlInput: string;
}

export interface ConvertUrlToPdf {
  /**
   * Convert a web page to PDF.
   *
   * Off until `system.enableUrlToPDF` is set. The server loads the page and its style sheets, images and fonts from
   * the public internet only; up to five redirects are followed, and each address is checked. The printing browser
   * has no network and runs no scripts, so pages built by scripts stay empty. Parts of the page that cannot be loaded
   * are left out; at most 300 files and 96 MiB are loaded. Pages that refer to `file:` addresses are refused.
   * Otherwise as in `convert/html/pdf`.
   *
   * POST /api/v1/convert/url/pdf
   */
  convertUrlToPdf(options: ConvertUrlToPdfOptions, call?: CallOptions): Promise<FileResult>;
}
