// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface ExportFormToXlsxOptions {
  /**
   * A file with a JSON object of field names and values, which are filled in before the export, as in form/fill;
   * values that a field does not accept are ignored.
   */
  readonly data?: Input;
}

export interface ExportFormToXlsx {
  /**
   * Export form field names and values as a workbook.
   *
   * One sheet, `Form Fields`, with text cells only, so nothing is treated as a formula or a date. A cell holds at
   * most 32767 characters; `cut` in the report counts longer texts. Fields are in the order of `form/fields`; without
   * a form, only the headings are returned. The values in `data`, which must be a file part, are filled in first, as
   * in `form/fill`: names may be partial, texts are trimmed, null clears. The document itself is not changed.
   * `X-Tool-Report` contains `fields`, and `unknown` and `refused` names (20 at most) that could not be filled in;
   * `xfa` is `hybrid` or `dynamic` for a document with an XFA form.
   *
   * POST /api/v1/form/extract-xlsx
   */
  exportFormToXlsx(file: Input, options?: ExportFormToXlsxOptions, call?: CallOptions): Promise<FileResult>;
}
