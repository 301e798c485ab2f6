import { inputRow } from './row.js';

/** Requests and uploads: the caller's file or parameters. */
export const inputErrors = {
  INPUT_INVALID: inputRow({ status: 400, type: 'validation', title: 'Invalid parameter', text: '{detail}' }),
  INPUT_FILE_MISSING: inputRow({
    status: 400,
    type: 'missing-file',
    title: 'File missing',
    text: 'The file field "{field}" is missing. Send the document as a multipart/form-data file part with this name.',
    textIf: { sent: 'The file field "{field}" is missing; files came in {sent}. Rename the file part to "{field}".' },
    legacy: 'E032',
  }),
  INPUT_FILE_EMPTY: inputRow({
    status: 400,
    type: 'pdf-corrupted',
    title: 'File is empty',
    text: 'The file in "{field}" is empty.',
    legacy: 'E032',
  }),
  INPUT_FILE_COUNT: inputRow({
    status: 400,
    type: 'invalid-argument',
    title: 'Too many files',
    text: '"{field}" was sent {found} times; this operation accepts {allowed}.',
  }),
  INPUT_FILE_UNKNOWN: inputRow({
    status: 400,
    type: 'invalid-argument',
    title: 'Unknown file id',
    text: '"{field}" names a file id that is not stored here: it may have expired or been deleted.',
  }),
  INPUT_KIND: inputRow({
    status: 415,
    type: 'unsupported-media-type',
    title: 'Wrong file type',
    text: 'The file in "{field}" is {found}; this operation accepts {allowed}.',
  }),
  INPUT_EXTENSION: inputRow({
    status: 400,
    type: 'invalid-argument',
    title: 'Invalid file extension',
    text: 'The file name in "{field}" needs an extension of 2 to 4 letters or digits; found "{found}".',
  }),
  INPUT_MEDIA_TYPE: inputRow({
    status: 415,
    type: 'unsupported-media-type',
    title: 'Unsupported media type',
    text: 'The request body is {found}; this endpoint accepts {allowed}.',
  }),
  INPUT_MALFORMED: inputRow({
    status: 400,
    type: 'malformed-request',
    title: 'Malformed request body',
    text: 'The request body could not be read: {detail}.',
  }),
  HOST_INVALID: inputRow({
    status: 400,
    type: 'invalid-host',
    title: 'Host header refused',
    text: 'The request has {count} Host headers; send exactly one.',
  }),
  INPUT_TOO_LARGE: inputRow({
    status: 413,
    type: 'file-too-large',
    title: 'Upload too large',
    text: 'The upload is larger than the limit of {limit} bytes.',
    hint: 'Send a smaller file, or raise system.fileUploadLimit.',
  }),
  INPUT_TEXT_TOO_LONG: inputRow({
    status: 413,
    type: 'file-too-large',
    title: 'Text too long',
    text: 'The text for the language model has {found} characters; the limit is {limit}.',
    hint: 'Send a shorter document, or raise aiEngine.limits.maxCharacters.',
  }),
  INPUT_TOO_MANY_PARTS: inputRow({
    status: 413,
    type: 'file-too-large',
    title: 'Too many parts',
    text: 'The form has more than {limit} parts.',
  }),
  INPUT_TOO_SLOW: inputRow({
    status: 408,
    type: 'request-timeout',
    title: 'Upload too slow',
    text: 'The upload made no progress for {seconds} seconds.',
  }),
  INPUT_TOO_COMPLEX: inputRow({
    status: 422,
    type: 'too-complex',
    title: 'Document too complex',
    text: 'The document needs more {resource} than the limit of {limit} allows.',
  }),
  INPUT_TOO_MANY_PAGES: inputRow({
    status: 413,
    type: 'too-many-pages',
    title: 'Too many pages',
    text: 'The document has {found} pages; the limit is {limit}.',
  }),
  INPUT_ENCODING: inputRow({
    status: 415,
    type: 'unsupported-media-type',
    title: 'Unsupported content encoding',
    text: 'Content-Encoding "{found}" is not supported; send the body uncompressed.',
  }),
  PAGES_INVALID: inputRow({
    status: 400,
    type: 'invalid-argument',
    title: 'Invalid page numbers',
    text:
      '"{field}" is "{found}", which is not a list of page numbers, ranges or formulas in n. Examples: 1,3,5-9 ' +
      'or 2n-1 or all.',
    textIf: { backwards: '"{field}" runs backwards ("{found}"); {backwards}' },
  }),
  PAGES_OUT_OF_RANGE: inputRow({
    status: 400,
    type: 'invalid-argument',
    title: 'No such page',
    text: '"{field}" is "{found}", but the document has {pages} pages.',
  }),
  PAGES_NONE_LEFT: inputRow({
    status: 400,
    type: 'invalid-argument',
    title: 'No page left',
    text: '"{field}" is "{found}", which selects every page; a document must keep at least one.',
  }),
  IDEMPOTENCY_CONFLICT: inputRow({ status: 409, type: 'conflict', title: 'Conflict', text: '{detail}' }),
  IDEMPOTENCY_KEY_INVALID: inputRow({
    status: 400,
    type: 'invalid-argument',
    title: 'Invalid Idempotency-Key',
    text: 'The Idempotency-Key {detail}. Send 1 to 255 visible ASCII characters, or the same in double quotes.',
  }),
  IDEMPOTENCY_KEY_REUSED: inputRow({
    status: 422,
    type: 'idempotency-key-reused',
    title: 'Idempotency-Key already used',
    text:
      'This Idempotency-Key was already used with other fields or files at this endpoint. Use a new key for a ' +
      'new request.',
  }),
  IDEMPOTENCY_IN_PROGRESS: inputRow({
    status: 409,
    type: 'idempotency-in-progress',
    title: 'First request still running',
    text: 'The first request with this Idempotency-Key is still running; try again in {seconds} seconds.',
    retryable: true,
  }),
  RANGE_INVALID: inputRow({
    status: 416,
    type: 'range',
    title: 'Range not satisfiable',
    text: 'The Range header selects no byte of the {size} bytes.',
  }),
  NOT_FOUND: inputRow({
    status: 404,
    type: 'not-found',
    title: 'Not found',
    text: 'There is nothing at this address.',
  }),
  METHOD_NOT_ALLOWED: inputRow({
    status: 405,
    type: 'method-not-allowed',
    title: 'Method not allowed',
    text: '{method} is not allowed here; use {allowed}.',
  }),
  NOT_ACCEPTABLE: inputRow({
    status: 406,
    type: 'not-acceptable',
    title: 'Not acceptable',
    text: 'The Accept header allows none of the media types that this endpoint can return.',
  }),
  HEADERS_TOO_LARGE: inputRow({
    status: 431,
    type: 'headers-too-large',
    title: 'Headers too large',
    text: 'The request line and headers are larger than {limit} bytes in total.',
    hint: 'Send long values in the body.',
  }),
  HEADERS_TOO_SLOW: inputRow({
    status: 408,
    type: 'request-timeout',
    title: 'Request too slow',
    text: 'The request headers did not arrive in time.',
  }),
  HTTP_REFUSED: inputRow({ status: 400, type: 'malformed-request', title: 'Request refused', text: '{detail}' }),
} as const;
