/** A fault of one field. */
export interface FieldFault {
  /** JSON Pointer (RFC 6901): `/angle`, or `/pipeline/0/parameters/angle`. */
  readonly pointer: string;
  readonly detail: string;
}

/** The problem document (RFC 9457) of a refusal. */
export interface Problem {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly requestId?: string;
  readonly errors?: readonly FieldFault[];
  readonly hints?: readonly string[];
  /** Of a failed job: the problem that the call without a job would have answered with. */
  readonly cause?: Problem;
  readonly [member: string]: unknown;
}

/** Every error of this package; `code` says which one. */
export class QuireError extends Error {
  override readonly name: string = 'QuireError';
  constructor(
    /** From the error table of the server (docs/reference/errors.md), or a code of this package. */
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The server could not be reached, or the connection broke (`CONNECTION_FAILED`). */
export class ConnectionError extends QuireError {
  override readonly name = 'ConnectionError';
  constructor(url: string, cause: unknown) {
    const { cause: inner = cause } = (cause ?? {}) as { cause?: unknown };
    const reason = (inner as { code?: string; message?: string } | undefined) ?? {};
    super('CONNECTION_FAILED', `Cannot reach ${url}: ${reason.code ?? reason.message ?? 'no answer'}.`, { cause });
  }
}

/** A call took longer than its `timeoutMs` (`TIMED_OUT`). */
export class TimeoutError extends QuireError {
  override readonly name = 'TimeoutError';
}

/** A webhook is not from the server, or too old (`WEBHOOK_INVALID`). */
export class WebhookError extends QuireError {
  override readonly name = 'WebhookError';
}

/** The server refused the call or failed. */
export class ServerError extends QuireError {
  override readonly name: string = 'ServerError';
  /** HTTP status. */
  readonly status: number;
  /** One entry for each field that is wrong. */
  readonly errors: readonly FieldFault[];
  /** What may help; undefined if the server suggests nothing. */
  readonly hint: string | undefined;
  /** Names the call in the server's log. */
  readonly requestId: string | undefined;
  constructor(
    /** The whole problem document. */
    readonly problem: Problem,
    /** Seconds after which the call may be repeated, where the server says so. */
    readonly retryAfter: number | undefined,
  ) {
    super(problem.code, problem.detail);
    this.status = problem.status;
    this.errors = problem.errors ?? [];
    this.hint = problem.hints?.[0];
    this.requestId = problem.requestId;
  }
}

/** A file or an option is wrong (400, 413, 415, 422). */
export class InputError extends ServerError {
  override readonly name = 'InputError';
}

/** No key, or a wrong one (401). */
export class AuthenticationError extends ServerError {
  override readonly name = 'AuthenticationError';
}

/** The key may not do this, the operation is switched off, or it needs a licence (402, 403). */
export class PermissionError extends ServerError {
  override readonly name = 'PermissionError';
}

/** Unknown job, file or address, or one that has expired (404, 410). */
export class NotFoundError extends ServerError {
  override readonly name = 'NotFoundError';
}

/** The state of the server does not allow the call now (409). */
export class ConflictError extends ServerError {
  override readonly name = 'ConflictError';
}

/** Too many calls (429). */
export class RateLimitError extends ServerError {
  override readonly name = 'RateLimitError';
}

const classes: Readonly<Record<number, typeof ServerError>> = {
  400: InputError,
  401: AuthenticationError,
  402: PermissionError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  410: NotFoundError,
  413: InputError,
  415: InputError,
  422: InputError,
  429: RateLimitError,
};

/**
 * Reads the error of an answer; of a failed job, the error that the call itself would have had. A proxy in front may
 * have answered with something else than a problem document.
 */
export async function errorOf(response: Response): Promise<ServerError> {
  const { headers } = response;
  const text = await response.text().catch(() => '');
  let given: Partial<Problem> = {};
  try {
    given = JSON.parse(text) as Partial<Problem>;
  } catch {
    // Not JSON: `status` says all there is.
  }
  const problem = given.cause ?? problemOf(response, given);
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  const Class = classes[problem.status] ?? ServerError;
  return new Class(problem, Number.isFinite(seconds) ? seconds : undefined);
}

function problemOf({ status, statusText }: Response, given: Partial<Problem>): Problem {
  return {
    ...given,
    status,
    code: given.code ?? `HTTP_${status}`,
    title: given.title ?? statusText,
    detail: given.detail ?? `The server answered ${status} ${statusText}`.trimEnd(),
  };
}
