// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input, Json } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface AssemblePagesOptions {
  /** JSON array of the pages in order: file, page and rotate, or blank, width and height. */
  readonly pages: Json;
}

export interface AssemblePages {
  /**
   * Put a document together from pages of several files.
   *
   * `pages` lists the pages of the result in order. `{"file": 2, "page": 5, "rotate": 90}` is the fifth page of the
   * second file, turned clockwise by 90 degrees in addition to its own rotation; `file` is 1 and `rotate` is 0 when
   * absent. `{"blank": true, "width": 595, "height": 842}` is an empty page with its size in points, A4 when absent.
   * A page may be listed several times; every copy is a page of its own with its own annotations, while a form field
   * on it remains one field with one value.
   *
   * Bookmarks, links, named destinations, form fields, page labels, layers, tags and attachments are kept as in
   * `general/merge-pdfs` and `general/rearrange-pages`: pages that are not listed are removed with everything that
   * only they used, and a file of which no page is listed is ignored. Pages of several files lose their signature
   * fields, whose appearance stays.
   *
   * POST /api/v1/general/assemble-pages
   */
  assemblePages(
    files: Input | readonly Input[],
    options: AssemblePagesOptions,
    call?: CallOptions,
  ): Promise<FileResult>;
}
