/** Codes of document errors; the host's error table has a row for each. */
export type DocumentErrorCode =
  | 'PDF_ENCRYPTED'
  | 'PDF_ENCRYPTION_UNSUPPORTED'
  | 'PDF_ENCRYPTION_PUBLIC_KEY'
  | 'PDF_DAMAGED'
  | 'PDF_NO_PAGES'
  | 'PDF_SIGNED'
  | 'PDF_NO_FORM'
  | 'XFA_DYNAMIC'
  | 'FIELD_LOCKED'
  | 'IMAGE_UNREADABLE'
  | 'IMAGE_TOO_LARGE'
  | 'REPAIR_FAILED'
  | 'PDF_OBJECT_TOO_LARGE'
  | 'PDF_RATIO'
  | 'PDF_INFLATED_TOTAL'
  | 'PDF_FILTERS'
  | 'PDF_NESTING'
  | 'PDF_ARRAY_TOO_LONG'
  | 'PDF_STRING_TOO_LONG'
  | 'PDF_XREF_TOO_LONG'
  | 'PDF_PAGE_TREE'
  | 'PDF_TOO_BROKEN'
  | 'INPUT_TOO_COMPLEX'
  | 'INPUT_TOO_MANY_PAGES'
  | 'PAGES_NONE_LEFT'
  | 'ATTACHMENT_UNKNOWN'
  | 'ATTACHMENT_NAME_TAKEN'
  | 'ATTACHMENTS_NONE'
  | 'PDFA_IMPOSSIBLE'
  | 'INVOICE_NONE'
  | 'INVOICE_UNREADABLE'
  | 'PATTERN_TOO_SLOW'
  | 'REDACTION_INCOMPLETE'
  | 'INPUT_INVALID'
  | 'ARCHIVE_UNSAFE'
  | 'ARCHIVE_NO_PICTURES'
  | 'KEYSTORE_PASSWORD'
  | 'KEYSTORE_UNREADABLE'
  | 'KEYSTORE_NO_KEY'
  | 'KEY_UNREADABLE'
  | 'KEY_UNUSABLE'
  | 'KEY_MISMATCH'
  | 'CERTIFICATE_UNREADABLE';

const brand = Symbol.for('quire.error');

/**
 * An error with a code. The host recognises it by the brand `Symbol.for('quire.error')`, so this package needs no other
 * package of Quire.
 */
export class DocumentError extends Error {
  readonly [brand] = true;
  constructor(
    readonly code: DocumentErrorCode,
    readonly data: Readonly<Record<string, string | number | boolean>> = {},
    readonly errors: readonly { readonly pointer: string; readonly detail: string }[] = [],
    options?: ErrorOptions,
  ) {
    super(`${code}: ${JSON.stringify(data)}`, options);
    this.name = 'DocumentError';
  }
}

const tooComplex: ReadonlySet<string> = new Set<DocumentErrorCode>([
  'INPUT_TOO_COMPLEX',
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
]);

/** True for a document that exceeds a limit on size, depth or work: no other engine should try it. */
export function isTooComplex(error: unknown): error is DocumentError {
  return error instanceof DocumentError && tooComplex.has(error.code);
}

/**
 * What an error without a code says about the document that was read: malformed object graphs cause RangeErrors,
 * TypeErrors and pdf-lib's own. An error of the operating system (a full disk) says nothing about it and is thrown on.
 */
export function damageBehind(error: unknown): string {
  if (typeof (error as NodeJS.ErrnoException | undefined)?.syscall === 'string') throw error;
  return error instanceof RangeError ? 'its objects are nested without end' : 'its objects contradict each other';
}
