// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface ConvertPdfToEpubOptions {
  /** Starts a new file and a table-of-contents entry at each chapter. Default: true. */
  readonly detectChapters?: boolean;
  /** KINDLE_EINK_TEXT: greyscale images scaled for e-ink screens. Default: TABLET_PHONE_IMAGES. */
  readonly targetDevice?: 'TABLET_PHONE_IMAGES' | 'KINDLE_EINK_TEXT';
  /** Format of the e-book. Default: EPUB. */
  readonly outputFormat?: 'EPUB' | 'AZW3';
}

export interface ConvertPdfToEpub {
  /**
   * Convert a PDF to EPUB or AZW3.
   *
   * Reflowable text: chapters, headings, lists, tables, images, links, footnotes, the first page as cover, a table of
   * contents and the PDF pages as page list (EPUB 3, with EPUB 2 navigation). Chapters start at the top-level
   * bookmarks, otherwise at the largest headings and at headings that look like chapter titles. Running headers, page
   * numbers, colours and fonts are left out. `AZW3` is converted from the EPUB by Calibre.
   *
   * POST /api/v1/convert/pdf/epub
   */
  convertPdfToEpub(file: Input, options?: ConvertPdfToEpubOptions, call?: CallOptions): Promise<FileResult>;
}
