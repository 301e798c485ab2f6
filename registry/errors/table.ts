import { accessErrors } from './table/access.js';
import { accountsErrors } from './table/accounts.js';
import { documentsErrors } from './table/documents.js';
import { featuresErrors } from './table/features.js';
import { inputErrors } from './table/input.js';
import { invoiceErrors } from './table/invoices.js';
import { machineErrors } from './table/machines.js';
import { operationalErrors } from './table/operational.js';
import { passkeyErrors } from './table/passkeys.js';
import { rolesErrors } from './table/roles.js';
import { scimErrors } from './table/scim.js';
import { shareLinkErrors } from './table/share-links.js';
import { signingErrors } from './table/signing.js';
import type { ErrorFamily, ErrorRow } from './table/row.js';

export type { ErrorFamily, ErrorRow } from './table/row.js';

/** Every error the server can raise. `docs/reference/errors.md` is generated from it. */
export const errorTable = {
  ...inputErrors,
  ...documentsErrors,
  ...signingErrors,
  ...invoiceErrors,
  ...accountsErrors,
  ...passkeyErrors,
  ...featuresErrors,
  ...accessErrors,
  ...machineErrors,
  ...rolesErrors,
  ...shareLinkErrors,
  ...scimErrors,
  ...operationalErrors,
} as const satisfies Record<string, ErrorRow>;

/** Any code of the table. */
export type ErrorCode = keyof typeof errorTable;
/** The codes of one family. */
export type CodeOf<F extends ErrorFamily> = {
  [K in ErrorCode]: (typeof errorTable)[K]['family'] extends F ? K : never;
}[ErrorCode];
/** Codes of the caller's faults, which an operation may declare. */
export type InputCode = CodeOf<'input'>;

/** Codes that every operation may refuse with, because core raises them for all. */
export const commonCodes = [
  'INPUT_INVALID',
  'INPUT_FILE_MISSING',
  'INPUT_FILE_EMPTY',
  'INPUT_FILE_COUNT',
  'INPUT_FILE_UNKNOWN',
  'INPUT_KIND',
  'INPUT_MEDIA_TYPE',
  'INPUT_MALFORMED',
  'INPUT_TOO_LARGE',
  'INPUT_TOO_MANY_PARTS',
  'INPUT_TOO_SLOW',
  'INPUT_TOO_COMPLEX',
  'INPUT_TOO_MANY_PAGES',
  'ROLE_PAGES_EXCEEDED',
  'INPUT_ENCODING',
  'DOCUMENT_UNPROCESSABLE',
  'PDF_SIGNED',
  'PDF_ENCRYPTION_PUBLIC_KEY',
  'PDF_OBJECT_TOO_LARGE',
  'PDF_RATIO',
  'PDF_INFLATED_TOTAL',
  'PDF_FILTERS',
  'PDF_NESTING',
  'PDF_ARRAY_TOO_LONG',
  'PDF_STRING_TOO_LONG',
  'PDF_XREF_TOO_LONG',
  'PDF_PAGE_TREE',
  'PDF_TOO_BROKEN',
] as const satisfies readonly InputCode[];

/** The row of a code, with the general type. */
export function errorRow(code: ErrorCode): ErrorRow {
  return errorTable[code];
}
