import { randomUUID } from 'node:crypto';
import {
  DefectError,
  InputError,
  OperationalError,
  isQuireError,
  reviveError,
  serialiseError,
  type QuireError,
} from '@quire/registry';

/**
 * A problem document (RFC 9457) with the additional members that existing clients read (`docs/interface/platform.yml`,
 * error body).
 */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly code: string;
  readonly requestId: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
  readonly [member: string]: unknown;
}

/**
 * Converts any thrown value to an error with a code: full disks, Hapi's own errors, and bugs. `nearest` is a similar
 * address for a 404.
 */
export function asQuireError(
  error: unknown,
  request: { method: string; path: string; allowed?: readonly string[]; nearest?: string },
): QuireError {
  // Coded errors of document code lack the row of the error table.
  if (isQuireError(error)) return 'row' in error ? error : reviveError(serialiseError(error));
  const known = serialiseError(error);
  if (known.code !== 'INTERNAL') return reviveError(known);
  const { output, name } = (error ?? {}) as { name?: string; output?: { statusCode: number } };
  if (name === 'AbortError') return new OperationalError('CANCELLED', {}, { cause: error });
  const status = output?.statusCode;
  if (status === 404 && (request.allowed?.length ?? 0) > 0)
    return new InputError('METHOD_NOT_ALLOWED', {
      method: request.method.toUpperCase(),
      allowed: request.allowed!.join(', '),
    });
  if (status === 404)
    return new InputError('NOT_FOUND', request.nearest === undefined ? {} : { nearest: request.nearest });
  if (status === 413) return new InputError('INPUT_TOO_LARGE', { limit: 'this address' });
  if (status === 415)
    return new InputError('INPUT_MEDIA_TYPE', { found: 'of another type', allowed: 'multipart/form-data' });
  if (status !== undefined && status >= 400 && status < 500)
    return new InputError('HTTP_REFUSED', { detail: (error as Error).message });
  return new DefectError('INTERNAL', {}, { cause: error });
}

/** Converts an error to its HTTP form; no other code does this. */
export function problemOf(
  error: QuireError,
  request: { path: string; id: string; method: string; now: Date },
): { status: number; body: Problem; headers: Record<string, string> } {
  const { row, code, data } = error;
  const status = row.status === 0 ? 500 : row.status;
  const headers: Record<string, string> = {};
  if (row.retryable === true || code === 'JOB_NOT_FINISHED')
    headers['retry-after'] = String(typeof data['seconds'] === 'number' ? data['seconds'] : 1);
  if (code === 'DAILY_LIMIT_REACHED')
    headers['retry-after'] = headers['x-rate-limit-retry-after-seconds'] = String(data['seconds']);
  if (code === 'RANGE_INVALID') headers['content-range'] = `bytes */${String(data['size'])}`;
  if (code === 'METHOD_NOT_ALLOWED') headers['allow'] = String(data['allowed']);
  const body: Problem = {
    type: row.type,
    title: row.title,
    status,
    detail: error.message,
    instance: request.path,
    code,
    requestId: request.id,
    timestamp: request.now.toISOString(),
    path: request.path,
    ...faultsOf(error),
    ...(row.legacy === undefined ? {} : { errorCode: row.legacy }),
    ...hintsOf(error, request.path),
    ...causeOf(error, request),
    ...(code === 'INPUT_FILE_MISSING' ? { partName: data['field'] } : {}),
    ...(code === 'INPUT_TOO_LARGE' && typeof data['limit'] === 'number'
      ? { maxSizeBytes: data['limit'], maxSizeMB: Math.floor(data['limit'] / 1024 / 1024) }
      : {}),
    ...(code === 'METHOD_NOT_ALLOWED'
      ? { method: data['method'], supportedMethods: String(data['allowed']).split(', ') }
      : {}),
    ...(data['stepIndex'] === undefined
      ? {}
      : { step: { index: data['stepIndex'], operation: data['stepOperation'] }, file: data['stepFile'] }),
    ...(code === 'PROGRAM_MISSING' ? { program: data['program'] } : {}),
    ...(row.error === undefined
      ? {}
      : { error: row.error === '{text}' ? error.message : row.error, message: error.message }),
    ...legacyMembers(error, request.path),
  };
  return { status, body, headers };
}

/**
 * Lists the faults by field; an error that names a field without a list is one fault. A pipeline step has its own
 * pointer.
 */
function faultsOf({ errors, data, row, message }: QuireError): Pick<Problem, 'errors'> {
  if (errors.length > 0) return { errors };
  const { field } = data;
  return row.family === 'input' && typeof field === 'string' && data['stepIndex'] === undefined
    ? { errors: [{ pointer: `/${field}`, detail: message }] }
    : {};
}

/** Returns the problem that the call would have answered with if it had not been a job, with the text of the job. */
function causeOf({ code, cause, data }: QuireError, request: Parameters<typeof problemOf>[1]): { cause?: Problem } {
  if (code !== 'JOB_FAILED' || !isQuireError(cause)) return {};
  return { cause: { ...problemOf(cause, request).body, detail: String(data['detail']) } };
}

/** Returns suggestions, never the call that was just made. */
function hintsOf({ row, data }: QuireError, path: string): { readonly hints?: readonly string[] } {
  const hint = data['nearest'] === undefined ? row.hint : `Did you mean ${String(data['nearest'])}?`;
  const advised = /\/api\/v1\/[\w/-]+/.exec(hint ?? '')?.[0];
  return hint === undefined || (advised !== undefined && path.endsWith(advised)) ? {} : { hints: [hint] };
}

/**
 * Bodies of 401, 402 and 403 contain members that existing clients read (`docs/interface/auth.yml`,
 * `docs/interface/platform.yml`, `docs/interface/jobs.yml`).
 */
function legacyMembers({ code, data, message, row }: QuireError, path: string): Record<string, unknown> {
  if (code === 'KEY_INVALID')
    return {
      error: !apiPath.test(path)
        ? 'Unauthorized'
        : data['given'] === true
          ? 'Invalid API Key'
          : 'Authentication required',
      message,
    };
  if (code === 'TOKEN_INVALID') return { error: apiPath.test(path) ? data['detail'] : 'Unauthorized', message };
  if (code === 'EDIT_SESSION_GONE') return { action: 'reupload' };
  if (code === 'LANGUAGE_DATA_MISSED')
    return { message, downloaded: [], failed: String(data['languages']).split(', '), tessdataDir: data['folder'] };
  if (code === 'REFRESH_LIMIT') return { max_attempts: data['attempts'] };
  if (row.family === 'input' && row.error === undefined && accountPath.test(path)) return { error: message };
  if (scannerPath.test(path))
    return {
      error: message,
      ...(code === 'FEATURE_OFF' ? { enabled: false } : code === 'SCAN_SESSION_UNKNOWN' ? { valid: false } : {}),
    };
  if (code === 'ACCOUNT_LINK_REQUIRED') return { error: code, reason: data['reason'] ?? 'OVER_LIMIT' };
  if (code === 'PAYG_LIMIT_REACHED') return { error: code, message, ...standingMembers(data) };
  if (code === 'FEATURE_DEGRADED')
    return { error: code, missingGates: String(data['gates']).split(', '), ...standingMembers(data) };
  if (code === 'SIGNUP_REQUIRED') return { error: code, category: data['category'] ?? 'API' };
  if (code.startsWith('SETTINGS_') || code === 'RESTART_IMPOSSIBLE') return { error: message };
  if (
    code === 'JOB_FORBIDDEN' ||
    code === 'JOB_COMPLETE' ||
    code === 'ADMIN_ONLY' ||
    code === 'METRICS_OFF' ||
    code === 'WEEKLY_USERS_OFF'
  )
    return { message };
  return {};
}

/**
 * Addresses whose 401 bodies have the short texts of the contract; elsewhere `error` is `Unauthorized`
 * (`docs/interface/auth.yml`, 401 bodies).
 */
const apiPath = /\/api\//;
/** Addresses whose errors all have an `error` text (`docs/interface/auth.yml`). */
const accountPath = /\/api\/v1\/(auth|user|team|invite|proprietary)\//;
/**
 * Addresses whose errors have an `error` text and report whether the feature is enabled and the session is known
 * (`docs/interface/misc.yml`, mobile-scanner).
 */
const scannerPath = /\/api\/v1\/mobile-scanner\//;

/** Usage and limits of an account on the hosted cloud (`docs/interface/platform.yml`, usage allowance answers). */
function standingMembers(data: QuireError['data']): Record<string, unknown> {
  return {
    subscribed: data['subscribed'] ?? false,
    state: data['state'] ?? 'LIMIT',
    spendUnits: data['spendUnits'] ?? 0,
    capUnits: data['capUnits'] ?? null,
    periodEnd: data['periodEnd'] ?? null,
  };
}

/** Returns the client's request id if it is harmless, else a new one. */
export function requestId(given: string | undefined): string {
  return given !== undefined && /^[A-Za-z0-9._-]{8,64}$/.test(given) ? given : randomUUID();
}
