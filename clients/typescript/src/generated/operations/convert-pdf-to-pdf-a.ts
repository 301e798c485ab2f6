// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface ConvertPdfToPdfAOptions {
  /**
   * pdfa and pdfa-2 mean 2b, pdfa-1 means 1b, pdfa-3 means 3b; values that start with pdfx mean PDF/X; case does not
   * matter, and anything else means pdfa-2b. Default: pdfa-2b.
   */
  readonly outputFormat?: 'pdfa-1b' | 'pdfa-2b' | 'pdfa-2u' | 'pdfa-3b' | 'pdfa-3u' | 'pdfx';
  /** Refuses a document that cannot be made fully compliant; PDF/A only. Default: false. */
  readonly strict?: boolean;
}

export interface ConvertPdfToPdfA {
  /**
   * Convert a PDF to PDF/A or PDF/X.
   *
   * A result claims PDF/A only if veraPDF confirms it. The server tries, in this order: the document unchanged;
   * repaired in place (tags, bookmarks, links, fields, layers and files stay as far as the standard allows); with its
   * pages redrawn by Ghostscript (tags and layers are lost); redrawn completely (form fields are lost too). Where
   * Ghostscript fails on the document, its pages become images, and `X-Warnings` says so. `X-Tool-Report` says which
   * `way` was used, whether the result was `checked` and is `compliant`, what it `claims`, and what was lost.
   *
   * If no way gives a compliant result, the one with the fewest violations is returned **without the claim**, and the
   * report lists rules; with `strict` it is refused instead. If only the rules of level U are violated, level B is
   * claimed. Without veraPDF, Ghostscript's own check counts and `checked` is false; `strict` needs veraPDF.
   *
   * Part 1 allows no transparency, layers or embedded files; part 2 results have no embedded files; part 3 keeps
   * them. Scripts and other actions are removed, and signatures become invalid and are removed (their appearance
   * stays).
   *
   * PDF/X is PDF/X-4: RGB with an output intent, fonts embedded, images at most 300 dpi (1200 for 1-bit images),
   * annotations flattened. There is no free validator for it: the claim rests on rules that the server checks itself
   * (`docs/guides/pdf-a.md`).
   *
   * POST /api/v1/convert/pdf/pdfa
   */
  convertPdfToPdfA(file: Input, options?: ConvertPdfToPdfAOptions, call?: CallOptions): Promise<FileResult>;
}
