/** Whose fault it is: decides logging, retrying and who may raise it. */
export type ErrorFamily = 'input' | 'access' | 'operational' | 'defect' | 'startup';

/** One row of the table. `text` holds `{placeholders}` filled from the error's data. */
export interface ErrorRow {
  readonly family: ErrorFamily;
  /** HTTP status; 0 for faults that never reach a client. */
  readonly status: number;
  /** Relative URI of the problem document (RFC 9457). */
  readonly type: string;
  readonly title: string;
  readonly text: string;
  /** The code that existing clients compare (`docs/interface/platform.yml`). */
  readonly legacy?: string;
  readonly retryable?: boolean;
  /** The `error` member that existing clients compare, beside `message`; `{text}` stands for the filled text (`docs/interface/auth.yml`). */
  readonly error?: string;
  /** What the caller can do about it. */
  readonly hint?: string;
}

const row = <F extends ErrorFamily>(family: F, status: number, type: string, title: string, text: string, more: Partial<ErrorRow> = {}) =>
  ({ family, status, type: `/errors/${type}`, title, text, ...more }) as ErrorRow & { family: F };

/** Every error the server can raise. `docs/reference/errors.md` is generated from it. */
export const errorTable = {
  // The caller's file or parameters.
  INPUT_INVALID: row('input', 400, 'validation', 'Invalid parameter', '{detail}'),
  INPUT_FILE_MISSING: row('input', 400, 'missing-file', 'File missing', 'The file field "{field}" is missing. Send the document as a multipart/form-data file part with this name.', { legacy: 'E032' }),
  INPUT_FILE_EMPTY: row('input', 400, 'pdf-corrupted', 'File empty', 'The file in "{field}" has no content.', { legacy: 'E032' }),
  INPUT_FILE_COUNT: row('input', 400, 'invalid-argument', 'Too many files', '"{field}" was sent {found} times; this operation takes {allowed}.'),
  INPUT_FILE_UNKNOWN: row('input', 400, 'invalid-argument', 'Unknown file id', 'There is no stored file with the id in "{field}", or it has expired.'),
  INPUT_KIND: row('input', 415, 'unsupported-media-type', 'Wrong kind of file', 'The file in "{field}" is {found}; this operation takes {allowed}.'),
  INPUT_EXTENSION: row('input', 400, 'invalid-argument', 'Invalid file extension', 'The file in "{field}" needs a name with an extension of 2 to 4 letters or digits; found "{found}".'),
  INPUT_MEDIA_TYPE: row('input', 415, 'unsupported-media-type', 'Unsupported media type', 'The request body is {found}; this address takes {allowed}.'),
  INPUT_MALFORMED: row('input', 400, 'malformed-request', 'Malformed request body', 'The request body could not be read: {detail}.'),
  INPUT_TOO_LARGE: row('input', 413, 'file-too-large', 'Upload too large', 'The upload is larger than the limit of {limit} bytes.', { hint: 'Send a smaller file, or raise system.fileUploadLimit.' }),
  INPUT_TEXT_TOO_LONG: row('input', 413, 'file-too-large', 'Text too long', 'What would be asked of the language model has {found} characters; the limit is {limit}.', { hint: 'Send a shorter document, or raise aiEngine.limits.maxCharacters.' }),
  INPUT_TOO_MANY_PARTS: row('input', 413, 'file-too-large', 'Too many parts', 'The form has more than {limit} parts.'),
  INPUT_TOO_SLOW: row('input', 408, 'request-timeout', 'Upload too slow', 'No progress was made on the upload for {seconds} seconds.'),
  INPUT_TOO_COMPLEX: row('input', 422, 'too-complex', 'Document too complex', 'The document needs more {resource} than the limit of {limit} allows.'),
  INPUT_TOO_MANY_PAGES: row('input', 413, 'too-many-pages', 'Too many pages', 'The document has {found} pages; the limit is {limit}.'),
  INPUT_ENCODING: row('input', 415, 'unsupported-media-type', 'Unsupported content encoding', 'Content-Encoding "{found}" is not accepted; send the body as it is.'),
  PAGES_INVALID: row('input', 400, 'invalid-argument', 'Invalid page numbers', '"{field}" holds "{found}", which is no page number, range or formula in n. Allowed are for example 1,3,5-9 or 2n+1 or all.'),
  PAGES_OUT_OF_RANGE: row('input', 400, 'invalid-argument', 'No such page', '"{field}" is "{found}", which selects none of the {pages} pages of the document.'),
  PAGES_NONE_LEFT: row('input', 400, 'invalid-argument', 'No page left', '"{field}" is "{found}", which selects every page; a document needs at least one.'),
  PDF_ENCRYPTED: row('input', 400, 'pdf-password', 'PDF needs a password', 'The PDF Document is passworded and either the password was not provided or was incorrect', { legacy: 'E004', hint: 'Send it with its password to /api/v1/security/remove-password first.' }),
  PDF_ENCRYPTION_UNSUPPORTED: row('input', 400, 'pdf-encryption', 'PDF encryption not supported', 'The encryption of the PDF cannot be read: {detail}.', { legacy: 'E003' }),
  PDF_ENCRYPTION_PUBLIC_KEY: row('input', 400, 'pdf-encryption', 'PDF encrypted for certificates', 'The PDF in "{field}" is encrypted for the holders of certain certificates, not with a password, so only their private keys open it.', { legacy: 'E003', hint: 'Open it in a viewer that has the private key, and save it there without encryption or with a password.' }),
  PDF_DAMAGED: row('input', 400, 'pdf-corrupted', 'PDF damaged', 'The file in "{field}" is not a readable PDF: {detail}.', { legacy: 'E001', hint: 'Try /api/v1/misc/repair first.' }),
  PDF_NO_PAGES: row('input', 400, 'pdf-corrupted', 'PDF without pages', 'The PDF in "{field}" has no pages.', { legacy: 'E005' }),
  PDF_WITHOUT_TEXT: row('input', 400, 'invalid-argument', 'PDF without text', 'The PDF in "{field}" has no text that can be read.', { hint: 'Recognise the text of scanned pages with /api/v1/misc/ocr-pdf first.' }),
  TEXT_MISSING: row('input', 422, 'no-text', 'No text', 'The PDF in "{field}" has no text that could be read.', { hint: 'Pages that are pictures have text after /api/v1/misc/ocr-pdf, or with withOcr=true.' }),
  INDEX_FULL: row('input', 413, 'index-full', 'Index full', 'The index would hold {found} characters of text; the limit for one user is {limit}.', { hint: 'Remove documents with DELETE /api/v1/docparse/documents/{documentId}.' }),
  PDF_NO_BOOKMARKS: row('input', 400, 'invalid-argument', 'No bookmarks', 'The PDF in "{field}" has no bookmark that leads to one of its pages.'),
  PDF_OBJECT_TOO_LARGE: row('input', 422, 'pdf-object-too-large', 'PDF object too large', 'An object of the PDF takes more than the limit of {limit} bytes once it is unpacked.'),
  PDF_RATIO: row('input', 422, 'pdf-ratio', 'PDF inflates too far', 'A stream of the PDF inflates to more than {limit} bytes, over {ratio} times its packed size.'),
  PDF_INFLATED_TOTAL: row('input', 422, 'pdf-inflated-total', 'PDF inflates to too much', 'The streams of the PDF inflate to more than the limit of {limit} bytes in all.'),
  PDF_FILTERS: row('input', 422, 'pdf-filters', 'Too many filters', 'A stream of the PDF is packed through {found} filters; the limit is {limit}.'),
  PDF_NESTING: row('input', 422, 'pdf-nesting', 'PDF nested too deeply', 'Arrays and dictionaries of the PDF lie within each other deeper than the limit of {limit}.'),
  PDF_ARRAY_TOO_LONG: row('input', 422, 'pdf-array-too-long', 'PDF array too long', 'The arrays and dictionaries of one object of the PDF hold more than the limit of {limit} values.'),
  PDF_STRING_TOO_LONG: row('input', 422, 'pdf-string-too-long', 'PDF string too long', 'A string of the PDF is {found} bytes long; the limit is {limit}.'),
  PDF_XREF_TOO_LONG: row('input', 422, 'pdf-xref-too-long', 'PDF cross-reference too long', 'The cross-reference of the PDF has {found} {what}; the limit is {limit}.'),
  PDF_PAGE_TREE: row('input', 422, 'pdf-page-tree', 'PDF page tree too large', 'The page tree of the PDF has more than {limit} nodes, counting each as often as it hangs there.'),
  PDF_TOO_BROKEN: row('input', 422, 'pdf-too-broken', 'PDF too broken', 'The PDF is broken in so many places that reading it takes more than the limit of {limit} bytes of searching.', { hint: 'Try /api/v1/misc/repair first.' }),
  PDF_SIGNED: row('input', 409, 'pdf-signed', 'PDF is signed', 'The PDF in "{field}" carries a digital signature that {operation} would break: {reason}.', { hint: 'Remove the signatures first with /api/v1/security/remove-cert-sign. Operators may allow such files with the setting policy.signedInput.' }),
  PDF_NO_FORM: row('input', 400, 'invalid-argument', 'No form', 'The PDF in "{field}" has no form (AcroForm), so there is nothing to fill in.'),
  XFA_DYNAMIC: row('input', 400, 'xfa-dynamic', 'XFA form', 'The form in "{field}" is nothing but an XFA form: it has no fields of its own (ISO 32000-1, 12.7.8), and its pages are made by certain viewers only.', { hint: 'Open it in a viewer of XFA forms and print it to a PDF, or ask its author for a form with AcroForm fields.' }),
  FIELD_LOCKED: row('input', 409, 'field-locked', 'Field locked', 'The field "{found}" is locked by the signature in "{signature}": changing it would make that signature invalid.', { hint: 'Leave the field out, or remove the signatures first with /api/v1/security/remove-cert-sign.' }),
  ATTACHMENT_UNKNOWN: row('input', 400, 'invalid-argument', 'No such attachment', 'The PDF has no attachment named "{found}" in its list; it has {known}.'),
  ATTACHMENT_NAME_TAKEN: row('input', 400, 'invalid-argument', 'Name in use', 'The PDF has another attachment named "{found}"; delete it first, or choose another name.'),
  ATTACHMENTS_NONE: row('input', 400, 'invalid-argument', 'No attachments', 'The PDF in "{field}" has no attachment that can be extracted: {detail}.'),
  ATTACHMENT_TOO_LARGE: row('input', 413, 'file-too-large', 'Attachment too large', '"{found}" in "{field}" is larger than the limit of {limit} bytes for one attachment.'),
  ATTACHMENTS_TOO_LARGE: row('input', 413, 'file-too-large', 'Attachments too large', 'The files in "{field}" are {found} bytes together; the limit is {limit}.'),
  PDFA_IMPOSSIBLE: row('input', 400, 'pdfa', 'Not to be had as PDF/A', 'The PDF in "{field}" cannot be made PDF/A-{part}{level}: {detail}.'),
  IMAGE_UNREADABLE: row('input', 400, 'invalid-argument', 'Image unreadable', 'The image in "{field}" cannot be read: {detail}.', { legacy: 'E034' }),
  IMAGE_TOO_LARGE: row('input', 400, 'out-of-memory-dpi', 'Picture too large', 'A picture of {found} pixels is asked for; the limit is {limit}.', { legacy: 'E081', hint: 'Ask for a lower dpi.' }),
  PHOTOS_NONE: row('input', 400, 'invalid-argument', 'No photo found', 'No photo was found in "{field}": nothing on it differs enough from the background, or what does is too small.', { legacy: 'error.noContent', hint: 'Send a lower tolerance, minArea or minContourArea.' }),
  SPLIT_NO_PARTS: row('input', 422, 'no-parts', 'Nothing to split at', 'By the rule "{rule}" the PDF in "{field}" has no parts: {detail}.'),
  DIVIDERS_ONLY: row('input', 400, 'invalid-argument', 'Only divider pages', 'Every page of the PDF in "{field}" is a divider or follows one; no part is left.'),
  POSTSCRIPT_UNREADABLE: row('input', 400, 'invalid-argument', 'PostScript unreadable', 'The PostScript in "{field}" cannot be drawn: {detail}.'),
  OFFICE_UNREADABLE: row('input', 400, 'invalid-argument', 'Document unreadable', 'The office program could not read the file in "{field}": {detail}.'),
  OFFICE_ENCRYPTED: row('input', 400, 'document-password', 'Document needs a password', 'The document in "{field}" is protected with a password.', { hint: 'Save it without a password in the program that made it, and send that.' }),
  TEMPLATE_INVALID: row('input', 400, 'invalid-argument', 'Template invalid', 'The template in "{field}" cannot be filled: {detail}.'),
  MAIL_UNREADABLE: row('input', 400, 'invalid-argument', 'Mail unreadable', 'The file in "{field}" is not a mail that can be read: {detail}.', { hint: 'Mails are read as .eml (RFC 5322) and as .msg of Outlook.' }),
  BOOK_UNREADABLE: row('input', 400, 'invalid-argument', 'Book unreadable', 'The book in "{field}" cannot be read: {detail}.'),
  BOOK_PROTECTED: row('input', 400, 'invalid-argument', 'Book is protected', 'The book in "{field}" is encrypted for the readers of its seller: {detail}.'),
  ARCHIVE_UNSAFE: row('input', 400, 'invalid-argument', 'Archive refused', 'The archive in "{field}" was refused: {detail}.'),
  PAGE_MISSING: row('input', 400, 'invalid-argument', 'No page to print', 'The file in "{field}" holds no page to print: none of its files ends in {allowed}.', { legacy: 'error.fileFormatRequired' }),
  URL_INVALID: row('input', 400, 'invalid-argument', 'Not a web address', 'The address in "{field}" is none of a web page (error.invalidUrlFormat): {detail}.', { legacy: 'error.invalidUrlFormat' }),
  URL_UNREACHABLE: row('input', 400, 'invalid-argument', 'Page not reached', 'The page in "{field}" cannot be had (error.urlNotReachable): {detail}.', { legacy: 'error.urlNotReachable' }),
  URL_CONTENT_REFUSED: row('input', 400, 'invalid-argument', 'Page refused', 'What is at the address in "{field}" is not printed (error.disallowedUrlContent): {detail}.', { legacy: 'error.disallowedUrlContent' }),
  ARCHIVE_NO_PICTURES: row('input', 400, 'invalid-argument', 'No pictures', 'The archive in "{field}" gives no page: {detail}.', { legacy: 'E016' }),
  OCR_LANGUAGES_UNKNOWN: row('input', 400, 'invalid-argument', 'OCR languages not installed', 'None of the languages {found} is installed for text recognition; installed are {installed}.', { legacy: 'E041', hint: 'GET /api/v1/ui-data/ocr-pdf lists them.' }),
  REPAIR_FAILED: row('input', 400, 'pdf-corrupted', 'PDF beyond repair', 'None of the repair engines could read the file ({detail}).', { legacy: 'E001' }),
  PATTERN_TOO_SLOW: row('input', 422, 'pattern-too-slow', 'Pattern too slow', 'Searching came to no end: it was stopped after {seconds} seconds, at pattern {number}. Nothing is handed out.', { hint: 'Write the pattern without repetitions within repetitions, such as (a+)+.' }),
  REDACTION_INCOMPLETE: row('input', 422, 'redaction-incomplete', 'Redaction incomplete', 'What was to be removed can still be found in the result ({where}), so it is not handed out.'),
  PIPELINE_INVALID: row('input', 400, 'pipeline', 'Pipeline invalid', 'The pipeline has {count} fault(s); nothing was processed.'),
  IDEMPOTENCY_CONFLICT: row('input', 409, 'conflict', 'Conflict', '{detail}'),
  IDEMPOTENCY_KEY_INVALID: row('input', 400, 'invalid-argument', 'Idempotency-Key unreadable', 'The Idempotency-Key {detail}. Send 1 to 255 visible ASCII characters, or the same in double quotes.'),
  IDEMPOTENCY_KEY_REUSED: row('input', 422, 'idempotency-key-reused', 'Idempotency-Key used before', 'This Idempotency-Key came with another request to this address before: the fields or files differ. Use a new key for a new request.'),
  IDEMPOTENCY_IN_PROGRESS: row('input', 409, 'idempotency-in-progress', 'First request still at work', 'The first request with this Idempotency-Key is still at work; ask again in {seconds} seconds.', { retryable: true }),
  JOB_NOT_FINISHED: row('input', 400, 'job-not-finished', 'Job not finished', 'The job is {status}; ask again in {seconds} seconds.'),
  JOB_FAILED: row('input', 400, 'job-failed', 'Job failed', 'Job failed: {detail}'),
  JOB_COMPLETE: row('input', 400, 'job-complete', 'Job already complete', 'The job is already complete and can no longer be cancelled.'),
  BACKUP_UNKNOWN: row('input', 404, 'not-found', 'No such backup', 'There is no backup of this name.', { error: '{text}' }),
  BACKUP_UNFIT: row('input', 400, 'invalid-argument', 'Backup cannot be restored', 'The file cannot be restored: {detail}.', { error: '{text}' }),
  BACKUPS_ELSEWHERE: row('input', 409, 'conflict', 'No backups here', 'This server keeps its data in {store}; it is backed up and restored with the tools of that database.', { error: '{text}' }),
  LICENCE_FILE_INVALID: row('input', 400, 'invalid-argument', 'No licence file', '{detail}.', { error: '{text}' }),
  SETTINGS_REJECTED: row('input', 400, 'validation', 'Settings rejected', '{detail}'),
  KEYSTORE_PASSWORD: row('input', 400, 'invalid-argument', 'Wrong password', 'What is in "{field}" cannot be opened: {detail}.'),
  KEYSTORE_UNREADABLE: row('input', 400, 'invalid-argument', 'Keystore unreadable', 'The keystore in "{field}" cannot be read: {detail}.', { legacy: 'error.invalidArgument', hint: 'PKCS#12 (.p12, .pfx) and the keystores of Java (.jks) are read.' }),
  KEYSTORE_NO_KEY: row('input', 400, 'invalid-argument', 'No private key', 'The keystore in "{field}" has no private key with its certificate: {detail}.', { legacy: 'error.invalidArgument' }),
  KEY_UNREADABLE: row('input', 400, 'invalid-argument', 'Private key unreadable', 'The private key in "{field}" cannot be read: {detail}.', { legacy: 'error.invalidArgument', hint: 'PEM and DER of PKCS#1, SEC 1 and PKCS#8 are read, encrypted or not.' }),
  KEY_UNUSABLE: row('input', 400, 'invalid-argument', 'Key cannot sign', 'The private key in "{field}" cannot be used: {detail}.', { legacy: 'error.invalidArgument' }),
  KEY_MISMATCH: row('input', 400, 'invalid-argument', 'Key and certificate differ', 'The private key in "{keyField}" and the certificate in "{certificateField}" do not belong together.', { legacy: 'error.invalidArgument' }),
  CERTIFICATE_UNREADABLE: row('input', 400, 'invalid-argument', 'Certificate unreadable', 'The certificate in "{field}" cannot be read: {detail}.', { legacy: 'error.invalidFormat', hint: 'X.509 certificates are read as PEM, as DER and from PKCS#7 bundles.' }),
  CERTIFICATE_NOT_VALID: row('input', 400, 'invalid-argument', 'Certificate not valid now', 'The certificate in "{field}" is valid from {from} to {to}, and not now.', { legacy: 'error.invalidArgument' }),
  CERTIFICATE_REVOKED: row('input', 400, 'invalid-argument', 'Certificate revoked', 'A certificate needed for "{field}" was revoked: {detail}', { legacy: 'error.invalidArgument' }),
  VALIDATION_DATA_MISSING: row('input', 422, 'validation-data', 'Revocation data missing', 'What a signature needs to stay verifiable cannot be had: {detail}', { hint: 'The server asks the addresses in certificates only where security.validation.allowAIA is on; roots that it does not know must be in the keystore.' }),
  HARDWARE_SIGNING_DESKTOP_ONLY: row('input', 400, 'invalid-argument', 'No hardware signing', 'certType {found} works only in a desktop build that is called from the same machine; this is a server.', { legacy: 'error.hardwareSigningDesktopOnly', hint: 'Send the certificate with certType PEM, PKCS12 or JKS, or use SERVER.' }),
  SERVER_CERTIFICATE_ABSENT: row('input', 400, 'invalid-argument', 'No server certificate', 'This server keeps no certificate of its own to sign with.', { legacy: 'error.serverCertificateNotAvailable' }),
  SERVER_CERTIFICATE_DISABLED: row('input', 400, 'invalid-argument', 'Server certificate off', 'Signing with the certificate of the server is switched off (system.serverCertificate.enabled).', { legacy: 'error.serverCertificateDisabled' }),
  SERVER_CERTIFICATE_MISSING: row('input', 400, 'invalid-argument', 'No server certificate', 'The server has no certificate to sign with.', { legacy: 'error.serverCertificateNotFound', hint: 'Administrators upload or generate one; it takes effect after a restart.' }),
  SIGNATURES_FULL: row('input', 400, 'invalid-argument', 'Too many saved signatures', 'The saved signatures of this user come to {found}; the limit is {limit}, and saving one again counts as one more.', { hint: 'Delete one first.' }),
  TSA_NOT_ALLOWED: row('input', 400, 'invalid-argument', 'TSA not allowed', 'TSA URL is not in the allowed list: "{found}". Administrators add servers with the setting security.timestamp.customTsaUrls.'),
  ADDRESS_REFUSED: row('input', 400, 'invalid-argument', 'Address refused', 'The address in "{field}" is refused: {detail}.', { hint: 'Operators may allow hosts and networks of their own with the setting outbound.allowed.' }),
  CONNECTION_UNUSABLE: row('input', 400, 'invalid-argument', 'Connection not usable', '"connectionId" cannot be used: {detail}.'),
  CONNECTION_UNKNOWN: row('input', 404, 'not-found', 'No such connection', 'There is no connection with this id.'),
  CONNECTION_IN_USE: row('input', 409, 'conflict', 'Connection in use', 'The connection cannot be deleted: {detail}.', { hint: 'Take it out of them first.' }),
  EDIT_SESSION_GONE: row('input', 410, 'cache-unavailable', 'Editing session gone', 'The document of this editing session is no longer kept. Upload it again.', { error: 'cache_unavailable' }),
  FILE_TYPE_REFUSED: row('input', 400, 'invalid-argument', 'File type refused', 'Files of the type "{found}" in "{field}" are not stored here.'),
  STORAGE_QUOTA: row('input', 413, 'storage-quota', 'Storage quota reached', 'The upload of {found} bytes does not fit: {detail}.'),
  STORAGE_CONFLICT: row('input', 409, 'conflict', 'Changed meanwhile', '{detail}.'),
  SCAN_SESSION_UNKNOWN: row('input', 404, 'not-found', 'No such session', 'There is no session with this id, or it has expired.', { error: '{text}' }),
  RANGE_INVALID: row('input', 416, 'range', 'Range not satisfiable', 'The Range header asks for no byte of the {size} bytes that there are.'),
  NOT_FOUND: row('input', 404, 'not-found', 'Not found', 'There is nothing at this address.'),
  METHOD_NOT_ALLOWED: row('input', 405, 'method-not-allowed', 'Method not allowed', '{method} is not allowed here; use {allowed}.'),
  NOT_ACCEPTABLE: row('input', 406, 'not-acceptable', 'Not acceptable', 'The Accept header names none of the types this address can answer.'),
  HEADERS_TOO_LARGE: row('input', 431, 'headers-too-large', 'Headers too large', 'The address and the headers of the request are larger than {limit} bytes together.', { hint: 'Send long values in the body.' }),
  HEADERS_TOO_SLOW: row('input', 408, 'request-timeout', 'Request too slow', 'The headers of the request did not come in time.'),
  HTTP_REFUSED: row('input', 400, 'malformed-request', 'Request refused', '{detail}'),

  // Accounts (`docs/interface/auth.yml`); the texts name what is wrong, the `error` member is compared literally.
  USERNAME_INVALID: row('input', 400, 'invalid-argument', 'Invalid user name', 'The user name is not valid: {detail}.', { error: 'invalidUsername' }),
  USERNAME_TAKEN: row('input', 409, 'conflict', 'User name taken', 'A user with this name already exists.', { error: 'usernameExists' }),
  REGISTRATION_REFUSED: row('input', 400, 'invalid-argument', 'User name taken', 'A user with this name already exists.', { error: '{text}' }),
  PASSWORD_INVALID: row('input', 400, 'invalid-argument', 'Invalid password', 'The password is not valid: {detail}.', { error: '{text}' }),
  PASSWORD_MISMATCH: row('input', 400, 'invalid-argument', 'Passwords differ', 'The new password and its confirmation differ.', { error: 'passwordMismatch' }),
  PASSWORD_UNCHANGED: row('input', 400, 'invalid-argument', 'Password unchanged', 'The new password is the present one.', { error: 'passwordUnchanged' }),
  PARAMETERS_MISSING: row('input', 400, 'invalid-argument', 'Parameters missing', '{detail}.', { error: 'missingParameters' }),
  ROLE_INVALID: row('input', 400, 'invalid-argument', 'Invalid role', '{detail}.', { error: '{text}' }),
  ACCOUNT_OWN: row('input', 400, 'invalid-argument', 'Own account', 'Administrators cannot {action} their own account.', { error: '{text}' }),
  ACCOUNT_BUILT_IN: row('input', 400, 'invalid-argument', 'Built-in account', 'The account belongs to the server itself and cannot be changed here.', { error: '{text}' }),
  ACCOUNT_LAST_ADMIN: row('input', 400, 'invalid-argument', 'Last administrator', 'This is the last enabled administrator; name another one first.', { error: '{text}' }),
  USER_CAP_REACHED: row('input', 400, 'invalid-argument', 'User limit reached', 'The licence of this server allows {limit} users.', { error: '{text}' }),
  USER_UNKNOWN: row('input', 404, 'not-found', 'No such user', 'There is no such user.', { error: 'userNotFound' }),
  TEAM_UNKNOWN: row('input', 404, 'not-found', 'No such team', 'There is no such team.', { error: '{text}' }),
  TEAM_INVALID: row('input', 400, 'invalid-argument', 'Invalid team', '{detail}.', { error: '{text}' }),
  TEAM_TAKEN: row('input', 409, 'conflict', 'Team name taken', 'A team with this name already exists.', { error: '{text}' }),
  INVITES_OFF: row('input', 400, 'invalid-argument', 'Invites switched off', 'Invites are switched off on this server (mail.enableInvites).', { error: '{text}' }),
  INVITE_INVALID: row('input', 400, 'invalid-argument', 'Invalid invite', '{detail}.', { error: '{text}' }),
  INVITE_TAKEN: row('input', 409, 'conflict', 'Already invited', '{detail}.', { error: '{text}' }),
  INVITE_UNKNOWN: row('input', 404, 'not-found', 'No such invite', 'The invite does not exist, was used, or has expired.', { error: '{text}' }),
  MAIL_UNUSABLE: row('input', 400, 'invalid-argument', 'Mail not usable', '{detail}.', { error: '{text}' }),
  MFA_NOT_STARTED: row('input', 400, 'invalid-argument', 'Enrolment not started', 'Start the enrolment first with GET /api/v1/auth/mfa/setup.', { error: '{text}' }),
  MFA_ALREADY_ON: row('input', 409, 'conflict', 'Second factor is on', 'The second factor is on already.', { error: '{text}' }),

  // Not allowed now.
  KEY_INVALID: row('access', 401, 'unauthorized', 'Unauthorized', 'The API key is missing or invalid. Send it in the X-API-KEY header.'),
  TOKEN_INVALID: row('access', 401, 'unauthorized', 'Unauthorized', 'The session token is not taken: {detail}. Log in again, or send an API key in the X-API-KEY header.'),
  LOGIN_FAILED: row('access', 401, 'unauthorized', 'Login failed', 'Invalid username or password.', { error: '{text}' }),
  LOGIN_LOCKED: row('access', 401, 'unauthorized', 'Account locked', 'This account is locked after too many failed logins. Try again later, or ask an administrator to unlock it.', { error: '{text}' }),
  LOGIN_DISABLED: row('access', 401, 'unauthorized', 'Account disabled', 'This account is disabled. Ask an administrator to enable it.', { error: '{text}' }),
  LOGIN_METHOD_OFF: row('access', 403, 'forbidden', 'Login way switched off', 'Login with a password is switched off on this server (security.loginMethod).', { error: '{text}' }),
  ACCOUNT_DISABLED: row('access', 403, 'forbidden', 'Account disabled', 'This account is disabled or was deleted.', { error: 'Forbidden' }),
  TOO_MANY_ATTEMPTS: row('access', 429, 'too-many-attempts', 'Too many failed attempts', 'Too many wrong keys or passwords came from this address. Wait {seconds} seconds; a right key is taken at any time.', { retryable: true, error: '{text}' }),
  REFRESH_LIMIT: row('access', 429, 'refresh-limit', 'Refreshed too often', 'This expired token was refreshed {attempts} times, which is the most. Log in again.', { error: '{text}' }),
  KEY_LIMIT: row('access', 429, 'key-limit', 'Too many keys', 'There are {limit} active API keys already, which is the most. Revoke one first.', { error: '{text}' }),
  ADMIN_ONLY: row('access', 403, 'forbidden', 'Administrators only', 'This address is for administrators.'),
  SHARED_ADMIN_ONLY: row('access', 403, 'forbidden', 'Administrators only', 'Signatures for everybody are saved and changed by administrators alone.'),
  CONNECTION_REFUSED: row('access', 403, 'forbidden', 'Not allowed for this connection', '{detail}.'),
  JOB_FORBIDDEN: row('access', 403, 'forbidden', 'Not your job', 'You are not authorized to access this job.'),
  OPERATION_DISABLED: row('access', 403, 'endpoint-disabled', 'Operation switched off', '{operation} is switched off on this server.'),
  PASSWORD_WRONG: row('access', 401, 'unauthorized', 'Wrong password', 'The current password is wrong.', { error: 'incorrectPassword' }),
  MFA_CODE_REQUIRED: row('access', 401, 'unauthorized', 'Second factor needed', 'Send the code of the authenticator app as well.', { error: 'mfa_required' }),
  MFA_CODE_INVALID: row('access', 401, 'unauthorized', 'Wrong code', 'The code is wrong or was used before.', { error: 'invalid_mfa_code' }),
  MFA_WEB_ONLY: row('access', 403, 'forbidden', 'No password here', 'This account logs in elsewhere; its second factor is set up there.', { error: '{text}' }),
  ATTEMPTS_USED_UP: row('access', 429, 'too-many-attempts', 'Too many attempts', 'Too many wrong attempts; try again in {seconds} seconds.', { retryable: true, error: '{text}' }),
  DEMO_REFUSED: row('access', 403, 'forbidden', 'Not for demo users', 'Demo users cannot change accounts or keep signatures.', { error: '{text}' }),
  SWITCH_PINNED: row('access', 409, 'conflict', 'Held off by the environment', '{target} is switched off by the environment variable {variable}; change it there and start the server again.'),
  FEATURE_OFF: row('access', 403, 'forbidden', 'Switched off', 'This is switched off on this server: {setting}.'),
  STORED_FILE_FORBIDDEN: row('access', 403, 'forbidden', 'No access to this file', '{detail}.'),
  METRICS_OFF: row('access', 403, 'metrics-off', 'Metrics switched off', 'Metrics are switched off on this server (metrics.enabled).'),
  WEEKLY_USERS_OFF: row('access', 404, 'not-found', 'Not found', 'Weekly users are counted only while login is off.'),
  LICENCE_REQUIRED: row('access', 404, 'not-found', 'Not found', 'There is nothing at this address.'),
  LOGIN_REQUIRED: row('access', 404, 'not-found', 'Not found', 'This address exists only while login is on.'),
  LICENCE_TOO_LOW: row('access', 403, 'forbidden', 'Licence too low', 'This address needs the {licence} licence.'),
  FEATURE_DEGRADED: row('access', 402, 'payment-required', 'Not in the plan', 'The plan of this account does not include this: {gates}.'),
  SIGNUP_REQUIRED: row('access', 401, 'unauthorized', 'Account needed', 'This needs an account. Sign up, or send an API key in the X-API-KEY header.'),
  DAILY_LIMIT_REACHED: row('access', 429, 'daily-limit', 'Daily limit reached', 'The {kind} calls of this account for today are used up; the next are possible in {seconds} seconds.'),
  PAYG_LIMIT_REACHED: row('access', 402, 'payment-required', 'Limit reached', 'The credits or the spend cap are used up.'),
  ACCOUNT_LINK_REQUIRED: row('access', 402, 'payment-required', 'Allowance used up', 'The processing allowance of this server is used up.'),

  // The world failed.
  PROGRAM_MISSING: row('operational', 503, 'program-missing', 'Program missing', 'This operation needs {program}, which is not installed on the server.', { hint: 'On Debian or Ubuntu: sudo sh deploy/install-programs.sh (for veraPDF: --with-verapdf)' }),
  NO_NODE: row('operational', 503, 'no-node', 'No node for this work', 'No running node of this service has all that the job needs: {missing}.', { hint: 'Start a node whose programs and plugin versions fit (cluster.node.role both or worker).' }),
  OCR_FAILED: row('operational', 500, 'ocr-failed', 'Text recognition failed', '{program} could not recognise the text of a page: {detail}.', { legacy: 'E044' }),
  PROGRAM_FAILED: row('operational', 500, 'program-failed', 'Program failed', '{program} failed: {detail}.'),
  WORKER_LOST: row('operational', 500, 'worker-lost', 'Worker process lost', 'The worker process ended while it handled this request.', { retryable: true }),
  TIMEOUT: row('operational', 504, 'timeout', 'Time limit reached', 'The work took longer than the limit of {seconds} seconds and was stopped.'),
  CANCELLED: row('operational', 499, 'cancelled', 'Cancelled', 'The work was cancelled by the user.'),
  CALLBACKS_FULL: row('operational', 429, 'callbacks-full', 'Too many call-backs waiting', '{found} of your call-backs wait for their delivery; the limit is {limit}. Try again in {seconds} seconds.', { retryable: true }),
  QUEUE_FULL: row('operational', 429, 'queue-full', 'Queue full', 'The server is busy and its queue is full; try again in {seconds} seconds.', { retryable: true }),
  SCAN_SESSIONS_FULL: row('operational', 429, 'sessions-full', 'Too many sessions', '{detail}; try again in {seconds} seconds.', { retryable: true }),
  SHUTTING_DOWN: row('operational', 503, 'shutting-down', 'Shutting down', 'The server is shutting down.', { retryable: true }),
  REMOTE_UNREACHABLE: row('operational', 502, 'remote-unreachable', 'Remote server unreachable', '{remote} could not be reached: {detail}.', { retryable: true }),
  REMOTE_TIMEOUT: row('operational', 504, 'remote-timeout', 'Remote server too slow', '{remote} did not answer within {seconds} seconds.', { retryable: true }),
  REMOTE_BUSY: row('operational', 503, 'remote-busy', 'Remote server busy', '{remote} takes no more calls now; try again in {seconds} seconds.', { retryable: true }),
  REMOTE_ANSWER: row('operational', 502, 'remote-answer', 'Unusable answer of a remote server', '{remote} answered {detail}.'),
  MAIL_REFUSED: row('operational', 502, 'mail-refused', 'Mail refused', 'The mail server did not take the message: {detail}.'),
  SERVICE_NOT_SET_UP: row('operational', 503, 'not-set-up', 'Not set up', '{service} is not set up on this server: {detail}.'),
  SETTINGS_FILE_BROKEN: row('operational', 409, 'settings-file', 'Settings file broken', 'The settings file on the server has faults, so it was left as it is: {detail}', { hint: 'Put the file right on the server, then try again.' }),
  SETTINGS_NOT_WRITABLE: row('operational', 503, 'settings-file', 'Settings file not writable', 'The settings file on the server cannot be written ({detail}); nothing was changed.'),
  RESTART_IMPOSSIBLE: row('operational', 503, 'restart', 'Restart not possible', 'Nothing would start this server again: it was not started by npm start. Start it so, or set QUIRE_SUPERVISED=1 under a supervisor that starts it again after exit code 75.'),
  FOLDER_NOT_WRITABLE: row('operational', 503, 'folder-not-writable', 'Folder not writable', 'The folder {folder} on the server cannot be written ({detail}); nothing was changed.'),
  LANGUAGE_FOLDER_CLOSED: row('access', 403, 'forbidden', 'Language folder not writable', 'The folder of OCR language data on the server cannot be written; nothing was downloaded.', { error: '{text}' }),
  LANGUAGE_DATA_MISSED: row('operational', 502, 'remote-answer', 'Nothing downloaded', 'None of the OCR languages could be downloaded: {detail}.'),
  BACKUP_FAILED: row('operational', 500, 'backup-failed', 'Backup failed', 'The backup could not be made or read: {detail}.'),
  STORE_DOWN: row('operational', 503, 'store-down', 'Store unavailable', 'The data store is not available.', { retryable: true }),
  STORAGE_FULL: row('operational', 507, 'storage-full', 'Storage full', 'The server has no space left to work on this request.', { retryable: true }),

  // Our bug.
  INTERNAL: row('defect', 500, 'unexpected', 'Internal error', 'The server made an error. It was logged under the request id.'),
  CONTRACT_BROKEN: row('defect', 500, 'unexpected', 'Internal error', 'The server made an error. It was logged under the request id.'),

  // The operator's settings and plugins; all are shown at once and stop the start.
  SETTINGS_INVALID: row('startup', 0, 'settings', 'Settings invalid', '{where}: {detail}'),
  PLUGIN_NOT_FOUND: row('startup', 0, 'plugin', 'Plugin not found', '{plugin} is named in {where} but cannot be resolved from there. Install it: npm install {plugin}'),
  PLUGIN_API_MISMATCH: row('startup', 0, 'plugin', 'Plugin API mismatch', '{plugin} {version} needs registry API {needs}; this server offers {offers}. {remedy}'),
  PLUGIN_INVALID: row('startup', 0, 'plugin', 'Plugin invalid', '{plugin}: {detail}'),
  OPERATION_DUPLICATE: row('startup', 0, 'plugin', 'Operation declared twice', '{path} is declared by {first} and by {second}.'),
} as const satisfies Record<string, ErrorRow>;

/** Any code of the table. */
export type ErrorCode = keyof typeof errorTable;
/** The codes of one family. */
export type CodeOf<F extends ErrorFamily> = { [K in ErrorCode]: (typeof errorTable)[K]['family'] extends F ? K : never }[ErrorCode];
/** Codes that an operation may declare: the caller's faults. */
export type InputCode = CodeOf<'input'>;

/** Codes that every operation may refuse with, because core raises them for all. */
export const commonCodes = [
  'INPUT_INVALID', 'INPUT_FILE_MISSING', 'INPUT_FILE_EMPTY', 'INPUT_FILE_COUNT', 'INPUT_FILE_UNKNOWN', 'INPUT_KIND', 'INPUT_MEDIA_TYPE', 'INPUT_MALFORMED',
  'INPUT_TOO_LARGE', 'INPUT_TOO_MANY_PARTS', 'INPUT_TOO_SLOW', 'INPUT_TOO_COMPLEX', 'INPUT_TOO_MANY_PAGES', 'INPUT_ENCODING', 'PDF_SIGNED', 'PDF_ENCRYPTION_PUBLIC_KEY',
  'PDF_OBJECT_TOO_LARGE', 'PDF_RATIO', 'PDF_INFLATED_TOTAL', 'PDF_FILTERS', 'PDF_NESTING', 'PDF_ARRAY_TOO_LONG', 'PDF_STRING_TOO_LONG', 'PDF_XREF_TOO_LONG',
  'PDF_PAGE_TREE', 'PDF_TOO_BROKEN',
] as const satisfies readonly InputCode[];

/** The row of a code, typed as the general shape. */
export function errorRow(code: ErrorCode): ErrorRow {
  return errorTable[code];
}
