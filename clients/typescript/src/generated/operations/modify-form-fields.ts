// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface ModifyFormFieldsOptions {
  /** Changes, as JSON. */
  readonly updates: string;
}

export interface ModifyFormFields {
  /**
   * Change properties of form fields.
   *
   * `updates` is a JSON list of objects, sent as a field, a part with its own media type, or a file. Each has
   * `targetName` (the full name, or else a partial one) and the changes: `name` (a partial name; if it is taken,
   * `_1`, `_2` is appended), `label`, `tooltip` (blank removes it), `required`, `multiSelect` (for list boxes),
   * `options` (for choices), `defaultValue` (becomes the value of the field; blank clears it) and `type`. Members
   * that are missing or null are not changed.
   *
   * Another `type` (`text`, `checkbox`, `combobox`, `listbox`; `radio`, `button` and `signature` become `text`)
   * creates a new field in the place of the first widget, with its frame, tags, label and, if possible, its value.
   * Unknown targets, fields that no page shows and unknown types are ignored: `X-Tool-Report` holds `unknown` and
   * `skipped`, and `renamed` for names that got a number.
   *
   * Changed fields are redrawn; field names in actions, scripts and locks follow. An XFA form is removed (`xfa:
   * removed`). A document without a form is returned unchanged.
   *
   * POST /api/v1/form/modify-fields
   */
  modifyFormFields(file: Input, options: ModifyFormFieldsOptions, call?: CallOptions): Promise<FileResult>;
}
