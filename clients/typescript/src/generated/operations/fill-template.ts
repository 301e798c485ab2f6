// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input, Json } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface FillTemplateOptions {
  /** Values for the names in the template: a JSON object. */
  readonly data: Json;
  /**
   * Names without a value: refuse the template and list them, keep them as written, or leave them empty. Default:
   * error.
   */
  readonly missing?: 'error' | 'keep' | 'empty';
}

export interface FillTemplate {
  /**
   * Fill a document template with data.
   *
   * The template is a DOCX, PPTX, ODT or ODP, sent as `templateFile` or (in pipelines) as `fileInput`.
   *
   * - `{{customer.name}}` is replaced by that member of `data`, in the style of the text around it; line feeds and
   * tabs are kept.
   * - `{{#items}} … {{/items}}` is repeated for each item of a list. If both marks are in cells of one table row,
   * that row is repeated; if they are in different rows, these rows; otherwise everything between them. Rows and
   * paragraphs with nothing but such a mark are removed. If the value is not a list, the content appears once, and
   * not at all for `false`, `null`, 0, an empty text or an empty list.
   * - `{{^items}} … {{/items}}` appears in exactly these cases.
   * - Names are looked up in the item, then in the values around it. `{{.}}` is the item, `{{@number}}` its number
   * from 1, `{{@index}}` from 0; there are also `{{@first}}`, `{{@last}}` and `{{@count}}`.
   * - `{{%logo}}` is a picture (PNG, JPEG, GIF) as base64 or data URI; `{{logo}}` is one if the value is `{"image":
   * "…", "width": 120, "height": 40, "alt": "…"}`, with lengths in points. Slides cannot have pictures.
   *
   * Headers, footers, footnotes, endnotes, text boxes and the notes of slides are filled too. No expressions are
   * evaluated. Templates with macros or with linked parts are rejected; hyperlinks stay.
   *
   * POST /api/v1/docparse/fill-template
   */
  fillTemplate(file: Input, options: FillTemplateOptions, call?: CallOptions): Promise<FileResult>;
}
