// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input, Json } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface CallExternalApiOptions {
  /** Number of an API connection. Whole number from 1. */
  readonly connectionId: number;
  /** Path below the connection's address; may carry a query. */
  readonly path?: string;
  /** Method of the call. Default: POST. */
  readonly method?: 'POST' | 'PUT' | 'PATCH';
  /** How the file is sent: as a form, in base64 within JSON, or as the body itself. Default: multipart. */
  readonly bodyMode?: 'multipart' | 'json' | 'binary';
  /** Name of the file in the form (multipart). Default: file. */
  readonly fileFieldName?: string;
  /** How the answer is used. Default: report. */
  readonly responseMode?: 'report' | 'replace';
  /** Place of the result URL in the JSON answer. */
  readonly resultUrlPath?: string;
  /** Header of the answer that holds the result URL; wins over resultUrlPath. */
  readonly resultUrlHeader?: string;
  /** Which file of an answered zip is the result: a pattern (*.pdf), or its place from 0 on. */
  readonly responseSelect?: string;
  /** Place in the JSON answer where true must stand. */
  readonly requireTrue?: string;
  /** JSON object of further form fields or JSON members. Default: {}. */
  readonly fields?: Json;
  /** JSON with placeholders that is the whole body. */
  readonly bodyTemplate?: string;
  /** JSON object of further headers. Default: {}. */
  readonly headers?: Json;
  /** Sends what is known of the document along. Default: false. */
  readonly includeContext?: boolean;
  /** Sends the file. Default: true. */
  readonly includeFile?: boolean;
}

export interface CallExternalApi {
  /**
   * Send a file to a saved API connection.
   *
   * In `report` mode the file is returned unchanged, and `X-Tool-Report` contains `status`, `contentType` and, for
   * JSON, the `body` (`bodyTruncated`: the beginning of a long one as text; `bodyParseError`: the text of invalid
   * JSON), otherwise `bodyBytes`. In `replace` mode the answer replaces the file: the answer itself, the content of
   * the result URL in its header or JSON, or the file of a zip that `responseSelect` names.
   *
   * Placeholders in `path` (percent-encoded), `fields`, `headers` and `bodyTemplate`: `{{document.filename}}`, and of
   * `document` also safeFilename, extension, contentType, resolvedContentType, sizeBytes, sha256, base64, pageCount,
   * encrypted, title, author, subject, keywords, creator, producer, created, modified; `{{classification.…}}`;
   * labelId, name, siteId, method, protected of `sensitivityLabel`; policyName, runId, timestamp of `run`. What a
   * document does not say is empty; a name that is not known is refused. With `bodyTemplate`, `fields` and `bodyMode`
   * have no effect.
   *
   * Redirects are not followed, and an answer has at most 64 MiB. A service that cannot be reached, is too slow, or
   * answers anything else than success or something of no use is 502 or 504. Loopback and private addresses are
   * called only with `policies.allowPrivateApiEndpoints`, metadata services of clouds never.
   *
   * POST /api/v1/integration/external-api-call
   */
  callExternalApi(file: Input, options: CallExternalApiOptions, call?: CallOptions): Promise<FileResult>;
}
