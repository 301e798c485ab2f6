import { ConnectionError, errorOf, QuireError, TimeoutError, type ServerError } from './errors.js';
import type { Platform } from './platform.js';

export interface QuireOptions {
  /** Address of the server. Default: QUIRE_URL, else http://127.0.0.1:8080; in a browser the site of the page. */
  readonly url?: string;
  /** Default: QUIRE_API_KEY. Needed while login is on. */
  readonly apiKey?: string;
  /** Access token of a login, instead of an API key. */
  readonly token?: string;
  /** How often a call that failed for a passing reason is repeated. Default 2. */
  readonly retries?: number;
  /** Longest time of a call in milliseconds, repetitions included. Default: no limit. */
  readonly timeoutMs?: number;
  /** Sent with every call. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the fetch of the platform: for a proxy, a socket or a test. */
  readonly fetch?: typeof fetch;
}

/** Options of one call. */
export interface CallOptions {
  /** Ends the call; the server stops the work. */
  readonly signal?: AbortSignal;
  /** Instead of the client's own. */
  readonly timeoutMs?: number;
  /** A key of your own, so that the same call can be repeated by another process. Default: a new one for each call. */
  readonly idempotencyKey?: string;
}

/** A request to the server. */
export interface RawRequest extends CallOptions {
  /** Default: GET, or POST with a body. */
  readonly method?: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly form?: FormData;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Longest pause before a repetition: a daily limit asks to wait for hours. */
const LONGEST_PAUSE_SECONDS = 60;
const FIRST_PAUSE_MS = 250;

/** Sends requests: address, key, repetitions and time limit. */
export class Transport {
  readonly url: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(
    private readonly options: QuireOptions,
    readonly platform: Platform,
  ) {
    this.url = (options.url ?? platform.env('QUIRE_URL') ?? platform.defaultUrl).replace(/\/+$/, '');
    if (this.url !== '' && !/^https?:\/\//i.test(this.url))
      throw new QuireError('URL_INVALID', `"${this.url}" is not an address; write http://127.0.0.1:8080.`);
    const apiKey = options.apiKey ?? platform.env('QUIRE_API_KEY') ?? '';
    this.#headers = {
      ...options.headers,
      ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
      ...(options.token !== undefined || apiKey === '' ? {} : { 'x-api-key': apiKey }),
    };
  }

  /**
   * Sends a request to `path` (`/api/v1/…`) and returns its answer if the status is below 400. A POST carries an
   * Idempotency-Key, so repeating it runs nothing twice.
   *
   * @throws ServerError, ConnectionError, TimeoutError, or the reason of `signal`
   */
  async send(path: string, request: RawRequest = {}): Promise<Response> {
    const retries = this.options.retries ?? 2;
    const limit = request.timeoutMs ?? this.options.timeoutMs;
    const timer = limit === undefined ? undefined : AbortSignal.timeout(limit);
    const signals = [request.signal, timer].filter((signal) => signal !== undefined);
    const signal = signals.length === 0 ? undefined : AbortSignal.any(signals);
    const init = this.#init(request, retries > 0, signal);
    try {
      for (let attempt = 0; ; attempt += 1) {
        const outcome = await this.#attempt(this.#address(path, request.query), init);
        if (outcome instanceof Response) return outcome;
        const pause = attempt < retries ? pauseAfter(outcome, attempt) : undefined;
        if (pause === undefined) throw outcome;
        await sleep(pause, signal);
      }
    } catch (error) {
      if (timer?.aborted === true && request.signal?.aborted !== true)
        throw new TimeoutError('TIMED_OUT', `No complete answer within ${limit} ms.`, { cause: error });
      throw error;
    }
  }

  async #attempt(url: string, init: RequestInit): Promise<Response | ServerError | ConnectionError> {
    let response: Response;
    try {
      response = await (this.options.fetch ?? fetch)(url, init);
    } catch (error) {
      if (init.signal?.aborted === true) throw error;
      return new ConnectionError(this.url, error);
    }
    return response.status < 400 ? response : errorOf(response);
  }

  #address(path: string, query: RawRequest['query'] = {}): string {
    const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
    const text = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString();
    return `${this.url}${path}${text === '' ? '' : `?${text}`}`;
  }

  #init(request: RawRequest, repeated: boolean, signal: AbortSignal | undefined): RequestInit {
    const { form, json } = request;
    const body = form ?? (json === undefined ? undefined : JSON.stringify(json));
    const method = request.method ?? (body === undefined ? 'GET' : 'POST');
    const key = request.idempotencyKey ?? (repeated && method === 'POST' ? crypto.randomUUID() : undefined);
    return {
      method,
      headers: {
        ...this.#headers,
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...request.headers,
      },
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
    };
  }
}

/**
 * Milliseconds to wait before a repetition; undefined if it would not help. The server marks what passes by
 * `Retry-After`; gateways in front do not.
 */
function pauseAfter(error: ServerError | ConnectionError, attempt: number): number | undefined {
  const usual = FIRST_PAUSE_MS * 2 ** attempt * (0.5 + Math.random() / 2);
  if (error instanceof ConnectionError) return usual;
  if (error.retryAfter !== undefined)
    return error.retryAfter > LONGEST_PAUSE_SECONDS ? undefined : Math.max(error.retryAfter * 1000, usual);
  return /^HTTP_50[234]$/.test(error.code) ? usual : undefined;
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
