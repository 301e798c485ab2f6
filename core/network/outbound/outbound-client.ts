import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import {
  InputError,
  OperationalError,
  isQuireError,
  type Outbound,
  type OutboundAnswer,
  type OutboundCall,
  type OutboundDownload,
  type SettingsReader,
} from '@quire/registry';
import type { Agent, Dispatcher } from 'undici';
import { authorities } from './authorities.js';
import { pinnedLookup, RefusedAddress, type Resolve, systemResolve } from './pinned-lookup.js';
import { boundedBytes, bounded } from './read-body.js';
import { guardedRules, hostOf, operatorRules, targetRules, type TargetRules } from './target-rules.js';

/** Limits of a call that sets none: those of reliability's table S1. */
const DEFAULT_LIMITS = { timeoutMs: 5_000, maxBytes: 10 * 1024 * 1024, redirects: 0 } as const;
/** Of one connection; the limit of the whole exchange ends it sooner where that is shorter. */
const CONNECT_MS = 10_000;
/** How many bytes of an unwanted body are read so that the connection can be reused. */
const DROPPED_BYTES = 64 * 1024;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Headers that are for the first host only. */
const PERSONAL: ReadonlySet<string> = new Set(['authorization', 'cookie', 'proxy-authorization', 'x-api-key']);

/** A call of this server's own modules. */
export interface CoreCall extends OutboundCall {
  /**
   * Whether the connection is used again after a HEAD. A server that sends a body with its answer all the same, as some
   * broken ones do, would have its next answer misread: only for services whose protocol knows HEAD.
   */
  readonly keepsConnection?: true;
}

/** The HTTP client as this server's own modules use it. */
export interface CoreOutbound extends Outbound {
  call(call: CoreCall, signal?: AbortSignal): Promise<OutboundAnswer>;
}

/**
 * The only HTTP client of the server: every address is checked as written, after each look-up and at each redirect, and
 * time and size are bounded. `outbound.allowed` says what may be reached besides the public internet. Nothing is loaded
 * before the first call. `rules`: other rules for calls that ask for none of their own.
 */
export function createOutbound(
  settings: SettingsReader,
  resolve: Resolve = systemResolve,
  rules: TargetRules = targetRules(settings.get('outbound.allowed')),
): CoreOutbound & { close(): Promise<void> } {
  return new OutboundClient(settings, resolve, rules);
}

class OutboundClient implements CoreOutbound {
  readonly #guarded: Readonly<Record<NonNullable<OutboundCall['reach']>, TargetRules>>;
  /** Apart, so that a connection to an address of the operator's own serves no call of anybody else. */
  readonly #agents = new Map<TargetRules, Promise<Agent>>();

  constructor(
    private readonly settings: SettingsReader,
    private readonly resolve: Resolve,
    private readonly rules: TargetRules,
  ) {
    const allowed = settings.get<readonly string[]>('outbound.allowed');
    this.#guarded = { public: guardedRules(allowed, false), private: guardedRules(allowed, true) };
  }

  check(url: string, field: string, reach?: OutboundCall['reach']): void {
    this.#rulesFor({ reach }).check(url, field);
  }

  async call(call: CoreCall, signal?: AbortSignal): Promise<OutboundAnswer> {
    return this.#exchange(call, signal, async ({ body, ...head }, limit) => ({
      ...head,
      body: await boundedBytes(body, limit),
    }));
  }

  async download(call: OutboundCall, target: string, signal?: AbortSignal): Promise<OutboundDownload> {
    return this.#exchange(call, signal, async ({ body, ...head }, limit) => {
      const size = { bytes: 0 };
      const file = await open(target, 'wx', 0o600).catch(ownFault);
      try {
        for await (const chunk of bounded(body, limit, size))
          await file.appendFile(chunk as Uint8Array).catch(ownFault);
      } finally {
        await file.close();
      }
      return { ...head, bytes: size.bytes };
    });
  }

  async close(): Promise<void> {
    await Promise.all([...this.#agents.values()].map(async (agent) => (await agent.catch(() => undefined))?.destroy()));
  }

  async #exchange<T>(
    call: CoreCall,
    signal: AbortSignal | undefined,
    read: (answer: Head & { readonly body: AsyncIterable<Uint8Array> }, limit: number) => Promise<T>,
  ): Promise<T> {
    const { timeoutMs, maxBytes, redirects } = { ...DEFAULT_LIMITS, ...call.limits };
    const clock = AbortSignal.timeout(timeoutMs);
    const ends = signal === undefined ? clock : AbortSignal.any([signal, clock]);
    const rules = this.#rulesFor(call);
    let url = rules.check(call.url, call.field);
    const remote = (): string => call.remote ?? hostOf(url);
    try {
      const agent = await this.#agentOf(rules);
      let headers = { 'accept-encoding': 'identity', 'user-agent': 'Quire', ...lowerCased(call.headers ?? {}) };
      for (let left = call.ofOperator === true ? 0 : redirects; ; left--) {
        const method = call.method ?? 'GET';
        const answer = await agent.request({
          origin: url.origin,
          path: url.pathname + url.search,
          method,
          headers,
          signal: ends,
          ...NO_OTHER_CLOCK,
          ...(call.keepsConnection === true ? { reset: false } : {}),
          ...(await bodyOf(call, headers)),
        });
        const { location } = answer.headers;
        if (left > 0 && method === 'GET' && REDIRECTS.has(answer.statusCode) && typeof location === 'string') {
          await answer.body.dump({ limit: 64 * 1024, signal: ends });
          const next = rules.check(
            URL.canParse(location, url.href) ? new URL(location, url.href).href : location,
            call.field,
          );
          if (url.protocol === 'https:' && next.protocol === 'http:')
            throw new InputError('ADDRESS_REFUSED', { field: call.field, detail: 'it leads from https to http' });
          if (next.origin !== url.origin)
            headers = Object.fromEntries(
              Object.entries(headers).filter(([name]) => !PERSONAL.has(name)),
            ) as typeof headers;
          url = next;
          continue;
        }
        // An abandoned body emits its own error, in addition to the one thrown here.
        answer.body.on('error', () => undefined);
        if (call.wants === 'head') {
          // Short bodies are read to their end, so that the connection can be reused; the caller does not wait.
          void answer.body.dump({ limit: DROPPED_BYTES, signal: ends }).catch(() => undefined);
          return await read(
            { url: url.href, status: answer.statusCode, headers: plainHeaders(answer.headers), body: noBody() },
            maxBytes,
          );
        }
        const encoding = answer.headers['content-encoding'];
        if (encoding !== undefined && encoding !== 'identity') {
          answer.body.destroy();
          throw new OperationalError('REMOTE_ANSWER', {
            remote: remote(),
            detail: 'with a content encoding that was not asked for',
          });
        }
        return await read(
          { url: url.href, status: answer.statusCode, headers: plainHeaders(answer.headers), body: answer.body },
          maxBytes,
        );
      }
    } catch (error) {
      throw this.#failure(error, {
        call,
        remote: remote(),
        timeoutMs,
        timedOut: clock.aborted,
        cancelled: signal?.aborted === true,
      });
    }
  }

  #failure(error: unknown, { call, remote, timeoutMs, timedOut, cancelled }: Failure): Error {
    if (isQuireError(error)) return error;
    if (error instanceof OwnFault) return error.cause;
    if (cancelled) return new OperationalError('CANCELLED', {}, { cause: error });
    if (timedOut)
      return new OperationalError('REMOTE_TIMEOUT', { remote, seconds: timeoutMs / 1000 }, { cause: error });
    const reasons = causesOf(error);
    // The address behind the name is not reported: the name may belong to the operator's own network.
    if (reasons.some((reason) => reason instanceof RefusedAddress))
      return new InputError(
        'ADDRESS_REFUSED',
        { field: call.field, detail: `${remote} does not lead to the public internet` },
        [],
        { cause: error },
      );
    const code = reasons
      .map((reason) => (reason as { code?: unknown }).code)
      .find((value): value is string => typeof value === 'string');
    if (code === 'TOO_LARGE')
      return new OperationalError('REMOTE_ANSWER', { remote, detail: (error as Error).message });
    return new OperationalError(
      'REMOTE_UNREACHABLE',
      { remote, detail: code ?? 'the connection failed' },
      { cause: error },
    );
  }

  #rulesFor({
    ofOperator,
    reach,
  }: {
    readonly ofOperator?: true | undefined;
    readonly reach?: OutboundCall['reach'];
  }): TargetRules {
    if (ofOperator === true) return operatorRules;
    return reach === undefined ? this.rules : this.#guarded[reach];
  }

  #agentOf(rules: TargetRules): Promise<Agent> {
    const agent = this.#agents.get(rules) ?? this.#open(rules);
    this.#agents.set(rules, agent);
    return agent;
  }

  async #open(rules: TargetRules): Promise<Agent> {
    const [{ Agent }, ca] = await Promise.all([import('undici'), authorities(this.settings)]);
    return new Agent({
      connect: {
        lookup: pinnedLookup(rules, this.resolve),
        timeout: CONNECT_MS,
        ca,
      },
      // Waiting is bounded by each call's own clock. What the operator set may answer long and many at once.
      connections: rules === operatorRules ? 128 : 16,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: 2_000,
      keepAliveMaxTimeout: 4_000,
      maxHeaderSize: 16 * 1024,
    });
  }
}

/** In place of an unwanted body. */
async function* noBody(): AsyncGenerator<Uint8Array> {}

/** The limit of the whole exchange is the only one: those of the library would end a long call before it. */
const NO_OTHER_CLOCK = { headersTimeout: 0, bodyTimeout: 0 } as const;

/**
 * The body of a request. A file is streamed and its length told; after a failure the stream is ended by the library.
 */
async function bodyOf(
  { body, bodyFile }: OutboundCall,
  headers: Readonly<Record<string, string>>,
): Promise<{ body?: Buffer | Readable; headers?: Record<string, string> }> {
  if (bodyFile !== undefined) {
    // Before the stream is created: a stream without an error listener ends the process when its file is missing.
    const { size } = await stat(bodyFile).catch(ownFault);
    return {
      body: createReadStream(bodyFile, { highWaterMark: 256 * 1024 }),
      headers: { ...headers, 'content-length': String(size) },
    };
  }
  return body === undefined ? {} : { body: Buffer.from(body) };
}

/** Failures of this server's own disk, which must not be reported as failures of the other server. */
class OwnFault extends Error {
  constructor(override readonly cause: Error) {
    super(cause.message);
  }
}

function ownFault(error: Error): never {
  throw new OwnFault(error);
}

type Head = Omit<OutboundAnswer, 'body'>;

interface Failure {
  readonly call: OutboundCall;
  readonly remote: string;
  readonly timeoutMs: number;
  readonly timedOut: boolean;
  readonly cancelled: boolean;
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function plainHeaders(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'string' ? value : value.join(', ')]],
    ),
  );
}

/** An error, what caused it, and what it gathers: sockets report several addresses at once. */
function causesOf(error: unknown, depth = 0): readonly Error[] {
  if (!(error instanceof Error) || depth > 5) return [];
  const gathered: readonly unknown[] = error instanceof AggregateError ? error.errors : [];
  return [error, ...[...gathered, error.cause].flatMap((inner) => causesOf(inner, depth + 1))];
}
