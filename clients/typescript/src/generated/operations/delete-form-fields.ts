// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface DeleteFormFieldsOptions {
  /** Names of fields, as JSON. */
  readonly names: string;
}

export interface DeleteFormFields {
  /**
   * Remove form fields.
   *
   * `names` is JSON, as a field, a part of its own media type or a file: a list of names, or of objects with `name`,
   * `targetName` or `fieldName`; an object with such a list as `fields`; one such object; one text. Names are full
   * ones (`person.name`), else partial ones; that of a group (`person`) is that of all its fields.
   *
   * Fields are removed with all their widgets, tags, and entries in the calculation order and in action lists;
   * nothing of them stays in the file. Unknown names are skipped: `X-Tool-Report` counts what was `deleted` and
   * contains `deletedNames` and `unknown`. An XFA form is removed (`xfa: removed`).
   *
   * POST /api/v1/form/delete-fields
   */
  deleteFormFields(file: Input, options: DeleteFormFieldsOptions, call?: CallOptions): Promise<FileResult>;
}
