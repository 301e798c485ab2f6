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
   * `updates` is a JSON list, as a field, a part of its own media type or a file, of objects with `targetName` (a
   * full name, else a partial one, as the document has it) and what is to change: `name` (a partial one; where
   * another field has it, `_1`, `_2` follows), `label`, `tooltip` (blank takes them away), `required`, `multiSelect`
   * (of list boxes), `options` (of choices), `defaultValue` (the value that the field has from now on, blank clears
   * it) and `type`. What is missing or null stays.
   *
   * Another `type` (`text`, `checkbox`, `combobox`, `listbox`; `radio`, `button` and `signature` become `text`) makes
   * a new field in the place of the first widget, with its frame, tags, label and, where it can be held, value.
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
