// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface FillFormOptions {
  /** Values by field name, as JSON; nothing is filled in without. */
  readonly data?: string;
  /** Make the filled fields page content and remove the form. Default: false. */
  readonly flatten?: boolean;
}

export interface FillForm {
  /**
   * Fill in form fields.
   *
   * `data` is JSON, as a field, a part of its own media type or a file: an object of field names and values; the
   * answer of `form/fields` (its `template` counts); an object with `fields`, or a list, of objects with `name` and
   * `value`. Names are full ones (`person.name`), else partial ones (`name`). Texts are trimmed.
   *
   * Texts: a value that is longer than the field allows is refused, null clears. Check boxes: true, 1, yes, on,
   * checked or the name of the state checks, anything else unchecks. Radio buttons: an export value; null and blank
   * keep the selection. Choices: stored or shown values in any case, several as a list or separated by commas;
   * unknown options are dropped, except in editable combo boxes; an empty rest clears. Push buttons and signatures
   * are skipped. Read-only fields are filled in as well.
   *
   * Changed fields are redrawn, in every script that the built-in fonts support, and nothing is left to viewers. No
   * script runs: `X-Tool-Report` names fields that scripts would have calculated (`notCalculated`) or formatted
   * (`notFormatted`), and `unknown` names, `ignored` buttons and `dropped` values; `X-Warnings` names unknown fields
   * too. An XFA form is removed (`xfa: removed`), because XFA viewers would show the old values; a form that has only
   * XFA is refused.
   *
   * A signed document keeps its signatures: the changes are appended, and what a signature locks is refused. With
   * `flatten`, the filled fields become page content and the form goes.
   *
   * POST /api/v1/form/fill
   */
  fillForm(file: Input, options?: FillFormOptions, call?: CallOptions): Promise<FileResult>;
}
