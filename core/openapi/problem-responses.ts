import { createHash } from 'node:crypto';
import { errorRow, fillText, type ErrorCode } from '@quire/registry';
import { codesByStatus, describeCodes } from './operation-docs.js';

/** Answers and examples that many calls share, by their names in the components of the document. */
export interface SharedProblems {
  readonly responses: Readonly<Record<string, object>>;
  readonly examples: Readonly<Record<string, object>>;
}

/** Sample values for the placeholders in the error table. */
const samples: Readonly<Record<string, string | number>> = {
  action: 'open',
  allowed: 'application/pdf',
  attempts: 3,
  certificateField: 'certFile',
  count: 3,
  detail: 'what is wrong and what is allowed',
  documentId: 'report-2026',
  field: 'fileInput',
  first: 'a.pdf',
  folder: '/usr/share/tessdata',
  found: 'image/png',
  from: '2026-01-01T00:00:00Z',
  gates: 'the first step',
  installed: 'eng',
  keyField: 'privateKeyFile',
  kind: 'PDF',
  known: 'letter.txt',
  level: 'PDF/A-1b',
  licence: 'team',
  limit: 100,
  method: 'PUT',
  minutes: 15,
  missing: 'a table',
  needs: 'team',
  number: 1,
  offers: 'application/pdf',
  operation: 'general/rotate-pdf',
  pages: 3,
  part: 'a picture',
  path: '/api/v1/general/rotate-pdf',
  placeholders: 'name',
  plugin: 'general',
  profile: 'XRechnung',
  program: 'gs',
  ratio: 200,
  reason: 'the document is rewritten',
  remedy: 'Change the setting.',
  remote: 'https://example.com',
  resource: 'memory',
  rule: 'sections',
  second: 'b.pdf',
  seconds: 30,
  service: 'Mail',
  setting: 'mail.enabled',
  signature: 'Signature1',
  size: 1000,
  status: 404,
  store: 'MongoDB',
  target: 'PDF',
  to: '2027-01-01T00:00:00Z',
  type: 'image',
  variable: 'SERVER_PORT',
  version: '2.1.0',
  what: 'entries',
  where: 'page 2',
};
/** Sample values of errors whose placeholders are not file types. */
const others: Readonly<Partial<Record<ErrorCode, Readonly<Record<string, string | number>>>>> = {
  ATTACHMENTS_TOO_LARGE: { found: 200 },
  ATTACHMENT_NAME_TAKEN: { found: 'letter.txt' },
  ATTACHMENT_TOO_LARGE: { found: 'letter.txt' },
  ATTACHMENT_UNKNOWN: { found: 'notes.txt' },
  CALLBACKS_FULL: { found: 100 },
  FIELD_LOCKED: { found: 'person.name' },
  HARDWARE_SIGNING_DESKTOP_ONLY: { found: 'PKCS11' },
  IMAGE_TOO_LARGE: { found: 200 },
  INDEX_FULL: { found: 200 },
  INPUT_ENCODING: { found: 'gzip' },
  INPUT_EXTENSION: { found: 'document' },
  INPUT_FILE_COUNT: { found: 2, allowed: 'one' },
  INPUT_TEXT_TOO_LONG: { found: 200 },
  INPUT_MEDIA_TYPE: { found: 'text/plain', allowed: 'multipart/form-data' },
  INPUT_TOO_MANY_PAGES: { found: 200 },
  USER_CAP_REACHED: { limit: 5, who: ' who log in with a password; those of login providers are not counted' },
  ROLE_PAGES_EXCEEDED: { file: 'report.pdf', found: 200, role: 'ROLE_FRONT_DESK', title: 'Front desk' },
  INPUT_INVALID: { detail: '"count" must be a number' },
  INPUT_MALFORMED: { detail: 'it is not JSON' },
  WATCHED_FOLDER_UNKNOWN: { id: '3f9a1c7be2d84056a1b2c3d4' },
  WATCHED_FOLDER_UNREACHABLE: {
    folder: 'invoices',
    detail: 'the folder is not on this node. Mount it there under the path of the settings.',
  },
  FAILED_FILE_UNKNOWN: { id: 'mx0actpwc0065958cbd0-0' },
  FAILED_FILE_GONE: { name: 'scan.pdf', place: 'failed/scan.pdf' },
  JOB_FILE_LOST: { name: 'report.pdf' },
  JOB_UNKNOWN: { what: 'job', id: '5c0f9b1e-8d2a-4f3e-9a67-2b1c4d5e6f70', minutes: 30 },
  METHOD_NOT_ALLOWED: { allowed: 'GET, POST' },
  PIPELINE_INVALID: { first: '/pipeline/0/parameters/angle "angle" must be a number' },
  OCR_LANGUAGES_UNKNOWN: { found: 'xyz' },
  PAGES_INVALID: { field: 'pageNumbers', found: '1-x' },
  PAGES_NONE_LEFT: { field: 'pageNumbers', found: 'all' },
  PAGES_OUT_OF_RANGE: { field: 'pageNumbers', found: '7' },
  PAGE_MISSING: { allowed: '.html' },
  PDF_FILTERS: { found: 200 },
  PDF_STRING_TOO_LONG: { found: 200 },
  PDF_XREF_TOO_LONG: { found: 200 },
  RIGHTS_EXCEEDED: { action: 'Giving the role ROLE_ADMIN', detail: 'those of a full administrator' },
  RIGHTS_MISSING: { role: 'ROLE_FRONT_DESK', title: 'Front desk', what: 'the tool misc/ocr-pdf' },
  ROLE_UNKNOWN: { name: 'ROLE_FRONT_DESK' },
  ROLE_TAKEN: { name: 'ROLE_FRONT_DESK' },
  ROLE_CHANGED: { name: 'ROLE_FRONT_DESK', version: 3, sent: 2 },
  ROLE_FIXED: { name: 'ROLE_ADMIN', action: 'changed', detail: 'full administrators keep every right' },
  ROLE_IN_USE: { name: 'ROLE_FRONT_DESK', detail: '12 accounts and open invites have it' },
  GRANT_UNKNOWN: { id: 7 },
  SIGNATURES_FULL: { found: 200 },
  STORAGE_QUOTA: { found: 200 },
  TSA_NOT_ALLOWED: { found: 'https://tsa.example.com' },
};

/** Returns a sample problem document for a code; its address and request id are made up. */
function problemExample(code: ErrorCode): Readonly<Record<string, unknown>> {
  const { type, title, status, text, legacy, hint } = errorRow(code);
  return {
    type,
    title,
    status,
    detail: fillText(text, { ...samples, ...others[code] }),
    instance: '/api/v1/…',
    code,
    requestId: '5c0f9b1e-8d2a-4f3e-9a67-2b1c4d5e6f70',
    ...(legacy === undefined ? {} : { errorCode: legacy }),
    ...(hint === undefined ? {} : { hints: [hint] }),
  };
}

/**
 * Collects the error answers of all calls: each list of codes of a status is described once, and each code has one
 * example.
 */
export class ProblemResponses implements SharedProblems {
  readonly responses: Record<string, object> = {};
  readonly examples: Record<string, object> = {};

  /** Returns references by status to the answers with these codes. */
  of(codes: readonly ErrorCode[]): Record<string, { readonly $ref: string }> {
    return Object.fromEntries(
      [...codesByStatus(codes)].map(([status, list]) => [
        String(status),
        { $ref: `#/components/responses/${this.#shared(status, list)}` },
      ]),
    );
  }

  #shared(status: number, codes: readonly ErrorCode[]): string {
    const [first] = codes;
    // The name is derived from the content, so that a new code changes only the names of the lists that contain it.
    const name =
      first !== undefined && codes.length === 1
        ? first
        : `Problem${status}-${createHash('sha256').update(codes.join()).digest('hex').slice(0, 8)}`;
    if (name in this.responses) return name;
    for (const code of codes)
      this.examples[code] ??= { summary: `${code}: ${errorRow(code).title}`, value: problemExample(code) };
    const examples = Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
    this.responses[name] = {
      description: describeCodes(codes),
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' }, examples } },
    };
    return name;
  }
}
