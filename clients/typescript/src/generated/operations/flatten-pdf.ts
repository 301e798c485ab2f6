// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface FlattenPdfOptions {
  /** Flatten only the form and leave the rest of the pages as it is. Default: false. */
  readonly flattenOnlyForms?: boolean;
  /**
   * Resolution of the page images in dots per inch; limited to 72 up to the server's maximum (system.maxDPI). Whole
   * number.
   */
  readonly renderDpi?: number;
}

export interface FlattenPdf {
  /**
   * Flatten forms, or convert pages to images.
   *
   * With `flattenOnlyForms`, the visible content of the fields becomes page content and the form is removed, XFA
   * included. Text stays text, and other annotations stay. Fields that are hidden or only for printing leave nothing
   * behind. Fields without an appearance are drawn from their values. A document without a form is returned
   * rewritten.
   *
   * Without it, each page becomes one RGB image of what it shows, in the same place and size. Text, form fields,
   * tags, layers and scripts are removed; bookmarks, links, page labels, attachments and metadata stay. Without
   * `renderDpi`, pages are rendered at the highest resolution that the server allows, or lower where the document
   * would get too large.
   *
   * POST /api/v1/misc/flatten
   */
  flattenPdf(file: Input, options?: FlattenPdfOptions, call?: CallOptions): Promise<FileResult>;
}
