// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface OcrPdfOptions {
  /**
   * Languages of the text, most important first, named as in GET /api/v1/ui-data/ocr-pdf; repeat the field, or
   * separate them by commas or +.
   */
  readonly languages: string | readonly (string | number)[];
  /** Also return the text, in a zip with the document. Default: false. */
  readonly sidecar?: boolean;
  /** Straighten skewed pages. Default: false. */
  readonly deskew?: boolean;
  /** Clean the page images for recognition. Default: false. */
  readonly clean?: boolean;
  /** Show the cleaned page images in the result. Default: false. */
  readonly cleanFinal?: boolean;
  /** Which pages to recognise: those without text, or all; Normal means skip-text. Default: skip-text. */
  readonly ocrType?: 'skip-text' | 'force-ocr';
  /** How the text layer is created. Default: hocr. */
  readonly ocrRenderType?: 'hocr' | 'sandwich';
  /** Remove all images from the result. Default: false. */
  readonly removeImagesAfter?: boolean;
}

export interface OcrPdf {
  /**
   * Make scanned pages searchable (OCR).
   *
   * Recognises the text of scanned pages and places it invisibly over the words, so that it can be searched and
   * copied. Uses Tesseract if the server has it, otherwise an engine from npm; several pages are recognised in
   * parallel.
   *
   * `skip-text` (also the meaning of `Normal` and of no value): pages with text are left alone; the others keep
   * everything they show and get a text layer. `force-ocr`: all pages are recognised. If the text of a page is
   * invisible, for example from earlier OCR, it is replaced by a new layer; a page with visible text becomes an image
   * with a text layer. Links, form fields, annotations, bookmarks, page labels and attachments always stay; tags stay
   * where the page content does.
   *
   * `hocr` stretches each word over its place along the baseline; `sandwich` uses the text layer that the OCR engine
   * writes. Both are invisible.
   *
   * `deskew` straightens pages that are skewed by 0.1 to 7 degrees, without changing their images. `clean` whitens
   * the paper and removes specks for recognition only; `cleanFinal` also shows the cleaned pages in the result, as
   * images. `removeImagesAfter` removes all images, so that a scan looks blank and only its text remains.
   *
   * Pages that were scanned sideways or upside down are recognised too: where little of a page can be read, it is
   * tried in the other directions, and its text is laid over the words as they stand (`readTurned` in `X-Tool-Report`
   * counts these pages). The page itself is not turned; rotate-pdf does that. If a page can be read in no direction,
   * `X-Warnings` names it, and it has whatever was recognised.
   *
   * A text layer adds a few kilobytes per page. If pages become images, the result has at most one and a half times
   * the size of the document plus 100 KB per page: black and white pages are encoded as CCITT fax, others as JPEG
   * with the best quality that fits.
   *
   * Languages that are not installed are skipped and reported (`dropped` in `X-Tool-Report`, next to `languages`,
   * `engine`, `read`, `withText` and `words`); if none is left, the call fails with 400. With `sidecar` the result is
   * a zip with the document and its text, with a form feed between pages; pages that were left alone contribute the
   * text they already had.
   *
   * POST /api/v1/misc/ocr-pdf
   */
  ocrPdf(file: Input, options: OcrPdfOptions, call?: CallOptions): Promise<FileResult>;
}
