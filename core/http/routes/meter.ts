import type { Request, Server } from '@hapi/hapi';
import { isCounted, type Counters, type Metrics, type SessionClass, type WeeklyBrowsers } from '../../metrics/index.js';
import type {} from '../hapi-state.js';

declare module '@hapi/hapi' {
  interface RequestApplicationState {
    /** `performance.now()` when the request came in. */
    began?: number;
  }
}

export interface MeterDeps {
  readonly metrics: Metrics;
  readonly counters: Counters;
  readonly browsers: WeeklyBrowsers;
  /** `metrics.enabled`: calls and browsers are counted. */
  readonly counting: boolean;
  readonly loginEnabled: boolean;
  /** The context path, `system.rootUriPath`. */
  readonly prefix: string;
}

/**
 * Measures and counts every request. Register it after the guard: rejected requests are measured but not counted as
 * usage.
 */
export function meter(hapi: Server, deps: MeterDeps): void {
  const { metrics, counters, browsers, prefix } = deps;
  const seesBrowsers = deps.counting && !deps.loginEnabled;
  hapi.ext('onRequest', (request, h) => {
    request.app.began = performance.now();
    metrics.began();
    if (seesBrowsers) browsers.see(text(request.headers['x-browser-id']));
    return h.continue;
  });
  if (deps.counting) {
    hapi.ext('onPreAuth', (request, h) => {
      const pattern = request.route.path;
      const method = request.method.toUpperCase();
      // Hapi's own catch-all route means "no route".
      if (pattern !== '/{p*}' && isCounted(method, request.path.slice(prefix.length)))
        counters.count({ method, path: request.path, pattern, session: sessionOf(request) });
      return h.continue;
    });
  }
  hapi.events.on('response', (request) => {
    const { began, principal } = request.app;
    // A request that never reached `onRequest` was not counted as in flight.
    if (began === undefined) return;
    metrics.request({
      route: request.route.path,
      method: request.method.toUpperCase(),
      status: statusOf(request),
      session: classOf(principal?.via),
      seconds: (performance.now() - began) / 1000,
    });
  });
}

/**
 * Identifies a session: the account if known, else the browser's id, else the address; the prefix letters keep the
 * three apart.
 */
function sessionOf(request: Request): string {
  const { principal } = request.app;
  if (principal !== undefined && principal.id !== '') return `p${principal.id}`;
  const browser = text(request.headers['x-browser-id']);
  return browser === undefined || browser === '' ? `a${request.info.remoteAddress}` : `b${browser}`;
}

function classOf(via: SessionClass | 'none' | undefined): SessionClass {
  return via === undefined || via === 'none' ? 'anonymous' : via;
}

/** Returns 499, as proxies log it, if the client disconnected before the answer was sent. */
export function statusOf({ response, info }: Request): number {
  if (info.responded === 0 || response === null || !('statusCode' in response)) return 499;
  return response.statusCode;
}

function text(header: unknown): string | undefined {
  return typeof header === 'string' ? header : undefined;
}
