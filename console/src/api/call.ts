import { apiAddress, type Query } from './address.ts';
import { askDuty, dutyOf } from './duties.ts';
import { askLogin, refreshSession } from './login.ts';
import { asProblem, problemOf, type Problem } from './problem.ts';
import { retried } from './retried.ts';
import { authHeaders } from './session.ts';

export interface CallOptions {
  readonly method?: string;
  readonly query?: Query;
  /** Sent as JSON, unless it is a form or a file. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** `quiet`: a 401 is an error; by default the login dialog opens and the call is repeated. */
  readonly login?: 'ask' | 'quiet';
}

/** Calls an endpoint and returns its JSON answer. Rejects with a `Problem`. */
export async function callJson<T>(path: string, options: CallOptions = {}): Promise<T> {
  return whole(options, async () => {
    const response = await callOnce(path, options);
    return (response.status === 204 ? undefined : await response.json().catch(rethrow)) as T;
  });
}

/** Calls an endpoint and returns its answer as a file. Rejects with a `Problem`. */
export async function callBlob(path: string, options: CallOptions = {}): Promise<Blob> {
  return whole(options, async () => (await callOnce(path, options)).blob().catch(rethrow));
}

/** Calls an endpoint: `call('general/job/…')`. Rejects with a `Problem` for every status of 400 or more. */
export async function call(path: string, options: CallOptions = {}): Promise<Response> {
  return whole(options, () => callOnce(path, options));
}

/** Runs a call; again if it only reads and the network failed. */
async function whole<T>({ method, body }: CallOptions, run: () => Promise<T>): Promise<T> {
  if (method !== undefined || body !== undefined) return run();
  return retried(run, (error) => asProblem(error).isNetwork);
}

async function callOnce(path: string, options: CallOptions): Promise<Response> {
  return withLogin(options.login ?? 'ask', async () => {
    const response = await send(path, options);
    if (response.ok) return response;
    throw problemOf(response.status, await response.text(), (name) => response.headers.get(name));
  });
}

/**
 * Opens a file by its whole address: an object of this page, or an answer of this server. Its content is not read yet;
 * abort the signal when it is not wanted.
 */
export async function openFile(address: string, signal: AbortSignal): Promise<Response> {
  const own = address.startsWith(apiAddress(''));
  return own ? call(address.slice(apiAddress('').length), { signal }) : fetch(address, { signal }).catch(rethrow);
}

/**
 * Runs a call; after a 401 with a new token, or once somebody has logged in, again. So too once a password is changed
 * or a second factor is set up, where the account must do that first.
 */
export async function withLogin<T>(login: 'ask' | 'quiet', run: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await withSession(login, run);
    } catch (error) {
      const duty = dutyOf(asProblem(error).code);
      if (duty === undefined || login === 'quiet' || !(await askDuty(duty))) throw error;
    }
  }
}

async function withSession<T>(login: 'ask' | 'quiet', run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const problem = asProblem(error);
    if (!needsLogin(problem)) throw problem;
    if (!(await refreshSession()) && (login === 'quiet' || !(await askLogin()))) throw problem;
  }
  try {
    return await run();
  } catch (error) {
    const problem = asProblem(error);
    // The renewed token was refused as well: a password is needed.
    if (!needsLogin(problem) || login === 'quiet' || !(await askLogin())) throw problem;
    return run();
  }
}

function needsLogin({ status, code }: Problem): boolean {
  return status === 401 && (code === 'KEY_INVALID' || code === 'TOKEN_INVALID' || code === 'ACCOUNT_DISABLED');
}

async function send(path: string, { method, query, body, headers, signal }: CallOptions): Promise<Response> {
  const plain = body === undefined || body instanceof FormData || body instanceof Blob;
  return fetch(apiAddress(path, query), {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(plain ? {} : { 'Content-Type': 'application/json' }),
      ...languageHeader(),
      ...authHeaders(),
      ...headers,
    },
    ...(body === undefined ? {} : { body: plain ? (body as FormData | Blob) : JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** The language of the page, which may be another than the browser's: mails that a call causes are written in it. */
function languageHeader(): Readonly<Record<string, string>> {
  const { lang } = document.documentElement;
  return lang === '' ? {} : { 'Accept-Language': `${lang}, *;q=0.5` };
}

function rethrow(error: unknown): never {
  throw asProblem(error);
}
