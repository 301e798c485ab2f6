import {
  OperationalError,
  token,
  type Clock,
  type Outbound,
  type OutboundCall,
  type OutboundDownload,
} from '@quire/registry';
import { headerValueFault } from '../functions/header-rules.js';
import type { ApiConfig } from '../functions/connection-types.js';
import { loginBody } from '../functions/login-body.js';
import { valueAt } from '../functions/json-path.js';
import { below } from '../functions/relative-path.js';
import type { UsableConnection } from './connections.js';

/** Largest answer in bytes. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
const MAX_LOGIN_BYTES = 1024 * 1024;
const DEFAULT_TIMEOUT_S = 60;
const DEFAULT_TOKEN_S = 1500;
const MOST_TOKENS = 1000;
const AUTHORIZATION = 'Authorization';

/** Calls over API connections. */
export const apiCalls = token<ApiCalls>('integration.apiCalls');

type Connection = UsableConnection<ApiConfig>;

/** A call below a connection's address. */
export interface ApiCall {
  readonly url: string;
  readonly method: 'POST' | 'PUT' | 'PATCH';
  readonly headers: Readonly<Record<string, string>>;
  readonly bodyFile: string;
}

/** An answer in a file, and the texts in it that nobody should see again. */
export interface ApiAnswer extends OutboundDownload {
  readonly path: string;
  readonly secrets: readonly string[];
}

interface Kept {
  readonly version: string;
  readonly expires: number;
  readonly token: Promise<string>;
}

/**
 * Calls other services as their connections say; tokens of logins are kept in memory, those of one state of one
 * connection each.
 */
export class ApiCalls {
  readonly #tokens = new Map<string, Kept>();

  constructor(
    private readonly parts: {
      readonly outbound: Outbound;
      readonly clock: Clock;
      readonly reach: NonNullable<OutboundCall['reach']>;
    },
  ) {}

  /**
   * Sends a file and writes the answer to `target()`, which returns a new path each time. A connection with a login
   * logs in again when its token is rejected (401). Rejects with REMOTE_ANSWER for an unsuccessful answer, and like
   * `Outbound`.
   */
  async send(connection: Connection, call: ApiCall, target: () => string, signal: AbortSignal): Promise<ApiAnswer> {
    const first = await this.#attempt(connection, call, target(), signal);
    const answer =
      first.status === 401 && connection.config.authType === 'TOKEN_LOGIN'
        ? await this.#again(connection, call, first, target(), signal)
        : first;
    checkStatus(connection, answer.status, 'with');
    return answer;
  }

  /** Fetches a result, without saying who asks. Rejects as `send` does. */
  async fetch(connection: Connection, url: string, path: string, signal: AbortSignal): Promise<ApiAnswer> {
    const remote = `${remoteOf(connection)} (its result)`;
    const answer = await this.parts.outbound.download(
      { url, field: 'the result of the connection', remote, reach: this.parts.reach, limits: limitsOf(connection) },
      path,
      signal,
    );
    checkStatus(connection, answer.status, 'a request for its result with');
    return { ...answer, path, secrets: [] };
  }

  /** Of many calls whose token is no longer taken one logs in; the others find its new one. */
  async #again(
    connection: Connection,
    call: ApiCall,
    refused: ApiAnswer,
    target: string,
    signal: AbortSignal,
  ): Promise<ApiAnswer> {
    const kept = this.#tokens.get(connection.version);
    const token = kept === undefined ? undefined : await abortable(kept.token, signal);
    if (
      token !== undefined &&
      refused.secrets[0] === sessionText(connection.config, token) &&
      this.#tokens.get(connection.version) === kept
    )
      this.#tokens.delete(connection.version);
    return this.#attempt(connection, call, target, signal);
  }

  async #attempt(
    connection: Connection,
    { url, method, headers, bodyFile }: ApiCall,
    path: string,
    signal: AbortSignal,
  ): Promise<ApiAnswer> {
    const auth = await this.#authorisation(connection, signal);
    const answer = await this.parts.outbound.download(
      {
        url,
        method,
        bodyFile,
        field: 'connectionId',
        remote: remoteOf(connection),
        reach: this.parts.reach,
        limits: limitsOf(connection),
        headers: { ...lowerCased(connection.config.headers ?? {}), ...lowerCased(headers), ...lowerCased(auth) },
      },
      path,
      signal,
    );
    return { ...answer, path, secrets: Object.values(auth).flatMap((value) => [value, value.replace(/^\w+\s+/, '')]) };
  }

  async #authorisation(connection: Connection, signal: AbortSignal): Promise<Record<string, string>> {
    const {
      authType,
      token: key = '',
      headerName = '',
      headerPrefix,
      username = '',
      password = '',
      tokenHeaderName = AUTHORIZATION,
    } = connection.config;
    switch (authType) {
      case 'NONE':
        return {};
      case 'BEARER':
        return { authorization: `Bearer ${key}` };
      case 'BASIC':
        return { authorization: `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}` };
      case 'HEADER':
        return { [headerName]: prefixed(headerPrefix ?? '', key) };
      case 'TOKEN_LOGIN':
        return { [tokenHeaderName]: sessionText(connection.config, await this.#token(connection, signal)) };
    }
  }

  /** One login serves all calls that begin before it ends; each waits for it as long as its own signal says. */
  async #token(connection: Connection, signal: AbortSignal): Promise<string> {
    const now = this.parts.clock.now().getTime();
    const kept = this.#tokens.get(connection.version);
    if (kept !== undefined && kept.expires > now) return abortable(kept.token, signal);
    const token = this.#login(connection);
    for (const [version, { expires }] of this.#tokens)
      if (expires <= now || version.split(' ', 1)[0] === connection.version.split(' ', 1)[0])
        this.#tokens.delete(version);
    if (this.#tokens.size >= MOST_TOKENS) this.#tokens.clear();
    this.#tokens.set(connection.version, {
      version: connection.version,
      expires: now + (connection.config.tokenTtlSeconds ?? DEFAULT_TOKEN_S) * 1000,
      token,
    });
    token.catch(() => {
      if (this.#tokens.get(connection.version)?.token === token) this.#tokens.delete(connection.version);
    });
    return abortable(token, signal);
  }

  async #login(connection: Connection): Promise<string> {
    const { config } = connection;
    const url = below(config.baseUrl, config.loginPath ?? '');
    const unusable = (detail: string): OperationalError =>
      new OperationalError('REMOTE_ANSWER', { remote: remoteOf(connection), detail: `the login ${detail}` });
    if (url === undefined) throw unusable('with a path that is not below its address');
    const { body, contentType } = loginBody(config);
    const answer = await this.parts.outbound.call({
      url,
      method: 'POST',
      body,
      field: 'connectionId',
      remote: remoteOf(connection),
      reach: this.parts.reach,
      limits: { ...limitsOf(connection), maxBytes: MAX_LOGIN_BYTES },
      headers: {
        'content-type': contentType,
        accept: 'application/json, */*;q=0.5',
        ...lowerCased(config.headers ?? {}),
        ...lowerCased(config.loginHeaders ?? {}),
      },
    });
    checkStatus(connection, answer.status, 'the login with');
    const found =
      config.tokenResponseHeader === undefined
        ? valueAt(parsed(answer.body), config.tokenResponseJsonPath ?? '')
        : answer.headers[config.tokenResponseHeader.toLowerCase()];
    const text = typeof found === 'number' ? String(found) : found;
    if (typeof text !== 'string' || text === '' || headerValueFault(text) !== undefined)
      throw unusable('without a token where the connection says that there is one');
    return text;
  }
}

/** Name of a connection in errors; its address is not shown. */
function remoteOf({ name }: Pick<Connection, 'name'>): string {
  return `The service of the connection "${name}"`;
}

/** The error for an answer of a connection that is of no use. */
export function unusable(connection: Pick<Connection, 'name'>, detail: string): OperationalError {
  return new OperationalError('REMOTE_ANSWER', { remote: remoteOf(connection), detail });
}

function checkStatus(connection: Connection, status: number, what: string): void {
  if (status >= 200 && status <= 299) return;
  throw unusable(
    connection,
    `${what} status ${status}${status >= 300 && status <= 399 ? '; redirects are not followed' : ''}`,
  );
}

function limitsOf({ config }: Connection): NonNullable<OutboundCall['limits']> {
  return { timeoutMs: (config.timeoutSeconds ?? DEFAULT_TIMEOUT_S) * 1000, maxBytes: MAX_ANSWER_BYTES, redirects: 0 };
}

/** Authentication header for the token that the login returned. */
function sessionText({ tokenHeaderName = AUTHORIZATION, tokenPrefix }: ApiConfig, token: string): string {
  return prefixed(tokenPrefix ?? (tokenHeaderName.toLowerCase() === 'authorization' ? 'Bearer' : ''), token);
}

/** A prefix that ends with a letter or digit is a word of its own. */
function prefixed(prefix: string, text: string): string {
  return `${prefix}${/[A-Za-z0-9]$/.test(prefix) ? ' ' : ''}${text}`;
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = (): void => reject(new OperationalError('CANCELLED'));
    if (signal.aborted) return end();
    signal.addEventListener('abort', end, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });
}
