import { problemWords } from '../i18n/problem-words.ts';

/** A fault of one field: a JSON Pointer into what was sent (`/angle`, `/pipeline/0/parameters/angle`). */
export interface FieldFault {
  readonly pointer: string;
  readonly detail: string;
}

/**
 * An answer that is an error: the server's problem document (RFC 9457), or a failure of the network. The message is in
 * the language of the page where it can be.
 */
export class Problem extends Error {
  /** The server's own text, where the message is another one. */
  readonly serverText: string | undefined;
  readonly status: number;
  readonly code: string;
  readonly faults: readonly FieldFault[];
  readonly hints: readonly string[];
  readonly requestId: string | undefined;
  /** Seconds after which another attempt makes sense. */
  readonly retryAfter: number | undefined;
  /** All members of the problem document. */
  readonly body: Readonly<Record<string, unknown>>;

  constructor(status: number, body: Readonly<Record<string, unknown>>, retryAfter?: number) {
    const said = String(body['detail'] ?? body['message'] ?? body['title'] ?? body['error'] ?? '');
    const code = String(body['code'] ?? '');
    const words = problemWords(code, said);
    super(words ?? said);
    this.name = 'Problem';
    this.serverText = words === undefined ? undefined : said;
    this.status = status;
    this.code = code;
    const faults = (body['errors'] as readonly FieldFault[] | undefined) ?? [];
    this.faults = words === undefined ? faults : faults.map((fault) => inWords(fault, words));
    this.hints = (body['hints'] as readonly string[] | undefined) ?? [];
    this.requestId = body['requestId'] as string | undefined;
    this.retryAfter = retryAfter;
    this.body = body;
  }

  /** The call did not reach the server, or its answer did not arrive. */
  get isNetwork(): boolean {
    return this.code === 'NETWORK';
  }

  /** The caller stopped the call. */
  get isAbort(): boolean {
    return this.code === 'ABORTED';
  }
}

/** Returns the error for an answer with a status of 400 or more. Proxies answer HTML: only its status is used. */
export function problemOf(status: number, text: string, header: (name: string) => string | null): Problem {
  const seconds = Number(header('retry-after') ?? Number.NaN);
  const retryAfter = Number.isFinite(seconds) ? seconds : undefined;
  try {
    const body = JSON.parse(text) as unknown;
    if (typeof body === 'object' && body !== null) return ofJob(new Problem(status, body as Body, retryAfter));
  } catch {
    // Not a problem document.
  }
  return new Problem(status, { code: 'HTTP', detail: `HTTP ${status}` }, retryAfter);
}

type Body = Readonly<Record<string, unknown>>;

/** The fault of a job, with its fields and hints, as if the tool had answered with it. */
function ofJob(problem: Problem): Problem {
  const cause = problem.body['cause'] as Body | undefined;
  return problem.code !== 'JOB_FAILED' || cause === undefined
    ? problem
    : new Problem(Number(cause['status'] ?? problem.status), cause, problem.retryAfter);
}

export function networkProblem(cause?: unknown): Problem {
  const aborted = cause instanceof DOMException && cause.name === 'AbortError';
  return new Problem(0, aborted ? { code: 'ABORTED' } : { code: 'NETWORK' });
}

/** Returns any thrown value as a problem. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof TypeError || error instanceof DOMException) return networkProblem(error);
  return new Problem(0, { code: 'UNEXPECTED', detail: error instanceof Error ? error.message : String(error) });
}

/** How the server names one of several files (`core/operations/runner/blame-input.ts`). */
const ONE_OF_SEVERAL = /^"(.+)" \(file \d+ of \d+\): /s;

/** A fault in the words of the page. The name of the file stays, and what is said of a step of a pipeline. */
function inWords({ pointer, detail }: FieldFault, words: string): FieldFault {
  const file = ONE_OF_SEVERAL.exec(detail)?.[1];
  // Isolated (Unicode, UAX 9), because the name may run in the other direction.
  if (file !== undefined) return { pointer, detail: `\u2068${file}\u2069: ${words}` };
  return { pointer, detail: pointer.startsWith('/pipeline') ? detail : words };
}
