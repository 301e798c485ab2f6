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
   * The template is a DOCX, PPTX, ODT or ODP, sent as `templateFile`, or as `fileInput`, so that pipelines may go on
   * with what comes out.
   *
   * - `{{customer.name}}` is replaced by that member of `data`, in the look of the text around it; line feeds and
   * tabs are kept.
   * - `{{#items}} … {{/items}}` comes once for each item of a list. Where it begins and ends in cells of one table
   * row, the row is repeated; where in different rows, these rows; else paragraphs, tables and what else stands
   * between, or the text within one paragraph. Rows and paragraphs with nothing but such a mark are left out. Of a
   * value that is not a list it comes once, and not at all of `false`, `null`, 0, an empty text or list.
   * - `{{^items}} … {{/items}}` comes where the other would not.
   * - Names are looked up in the item, then around it. `{{.}}` is the item, `{{@number}}` its number from 1,
   * `{{@index}}` from 0, `{{@first}}`, `{{@last}}` and `{{@count}}`.
   * - `{{%logo}}` is a picture (PNG, JPEG, GIF) as base64 or data URI; `{{logo}}` is one where the value is
   * `{"image": "…", "width": 120, "height": 40, "alt": "…"}`, lengths in points. Not on slides.
   *
   * Headers, footers, foot- and endnotes, text boxes and the notes of slides are filled too. Nothing is evaluated.
   * Templates with macros, or with parts that lie elsewhere, are refused; links to click stay.
   *
   * POST /api/v1/docparse/fill-template
   */
  fillTemplate(file: Input, options: FillTemplateOptions, call?: CallOptions): Promise<FileResult>;
}
