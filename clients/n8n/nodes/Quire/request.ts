import { NodeApiError } from 'n8n-workflow';
import type { IDataObject, IExecuteFunctions, IHttpRequestMethods, JsonObject } from 'n8n-workflow';
import { multipart, type FormEntry } from './multipart';

/** An answer of the server. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
}

export interface RequestOptions {
  readonly method: IHttpRequestMethods;
  /** Below `/api/v1/`. */
  readonly path: string;
  readonly form?: readonly FormEntry[];
  readonly headers?: IDataObject;
  readonly timeoutMs?: number;
}

/**
 * Calls the server of the credentials.
 *
 * @throws NodeApiError when it does not answer or refuses; its `context.problem` is what the server said (RFC 9457)
 */
export async function request(context: IExecuteFunctions, item: number, options: RequestOptions): Promise<Answer> {
  const { baseUrl } = await context.getCredentials<{ baseUrl: string }>('quireApi', item);
  const form = options.form === undefined ? undefined : multipart(options.form);
  let answer: { statusCode: number; headers: Record<string, string | undefined>; body: ArrayBuffer };
  try {
    answer = await context.helpers.httpRequestWithAuthentication.call(context, 'quireApi', {
      method: options.method,
      url: `${baseUrl.replace(/\/+$/, '')}/api/v1/${options.path}`,
      // n8n prefers JSON by default, which would return a list of files instead of the file.
      headers: {
        Accept: '*/*',
        ...options.headers,
        ...(form === undefined ? {} : { 'content-type': form.contentType }),
      },
      ...(form === undefined ? {} : { body: form.body }),
      ...(options.timeoutMs === undefined ? {} : { timeout: options.timeoutMs }),
      encoding: 'arraybuffer',
      returnFullResponse: true,
      ignoreHttpStatusErrors: true,
    });
  } catch (error) {
    throw new NodeApiError(context.getNode(), error as JsonObject, { itemIndex: item });
  }
  const body = Buffer.from(answer.body);
  if (answer.statusCode >= 400) throw refusal(context, item, answer.statusCode, body);
  return { status: answer.statusCode, headers: answer.headers, body };
}

/** What the server says about a call that it refuses; of a failed job, `cause` is what it would say about the call. */
interface Problem {
  readonly code?: string;
  readonly detail?: string;
  readonly hints?: readonly string[];
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
  readonly status?: number;
  readonly cause?: Problem;
}

function refusal(context: IExecuteFunctions, itemIndex: number, httpStatus: number, body: Buffer): NodeApiError {
  const answered = problemIn(body);
  const problem = answered.cause ?? answered;
  const { status = httpStatus } = problem;
  const { code = 'none', detail = `The server answered with status ${status}`, hints = [], errors = [] } = problem;
  const fields = errors.map((each) => `${each.pointer}: ${each.detail}`);
  const error = new NodeApiError(context.getNode(), problem as JsonObject, {
    message: detail,
    description: [...fields, ...hints, `Code: ${code}`].join(' '),
    httpCode: String(status),
    itemIndex,
  });
  error.context.problem = { status, code, detail, hints: [...hints], errors: [...errors] };
  return error;
}

function problemIn(body: Buffer): Problem {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    // A proxy in front of the server answers with a page.
    return { detail: body.toString('utf8').slice(0, 200) };
  }
}
