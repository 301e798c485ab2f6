import { server as createHapi, type Request, type ResponseObject, type ResponseToolkit, type Server } from '@hapi/hapi';
import inert from '@hapi/inert';
import { OperationalError } from '@quire/registry';
import hapiPino from 'hapi-pino';
import type { Logger as Pino } from 'pino';
import { consolePlugin } from '../console/index.js';
import type { Metrics } from '../metrics/index.js';
import { exampleFilesPlugin, swaggerPlugin, swaggerUiPlugin } from '../openapi/index.js';
import { listenAddress, peerAddress } from './listen-address.js';
import { auditCalls } from './routes/audit-calls.js';
import { siteOf } from './request/call-site.js';
import { clientAddressFrom, trustedFrom } from './request/client-address.js';
import { credentialsOf, header } from './request/credentials.js';
import { limitDailyCalls } from './routes/daily-limit.js';
import { LateRoutes } from './routes/late-routes.js';
import type { HttpDeps } from './deps.js';
import { deprecationFields } from './response/deprecation.js';
import { asQuireError, problemOf, requestId } from './response/error-body.js';
import type { ErrorForm } from './response/error-form.js';
import { createListener } from './listener.js';
import { meter } from './routes/meter.js';
import { adaptCore, adaptPlugin } from './routes/plugin-adapter.js';
import { refuseDeclaredSize } from './request/read-form.js';
import { createSiteCheck, refuseSeveralHosts, siteFacts } from './request/served-sites.js';
import { refuseDisabled, refuseFullDisk, refuseSwitchedOff } from './routes/refuse-disabled.js';
import { completePreflight, corsOptions, protectPage, securityOptions } from './security-headers.js';

export interface HttpServer {
  readonly hapi: Server;
  /** The routes of operations and endpoints. */
  readonly routes: LateRoutes;
}

/** Creates the Hapi server with every route of the catalog. It does not listen yet. */
export async function createHttpServer(deps: HttpDeps, metrics: Metrics, log: Pino): Promise<HttpServer> {
  const { settings } = deps;
  const prefix = settings.get('system.rootUriPath');
  const listener = createListener({
    headersTimeoutMs: settings.get('server.headersTimeoutSeconds') * 1000,
    keepAliveMs: settings.get('server.keepAliveSeconds') * 1000,
    maxConnections: settings.get('server.maxConnections'),
    slowReaderMs: settings.get('server.slowReaderSeconds') * 1000,
  });
  const hapi = createHapi({
    listener,
    ...listenAddress(settings),
    debug: false,
    // Files are compressed already and JSON answers are small. Uncompressed answers keep Content-Length equal to the
    // file size.
    compression: false,
    routes: { security: securityOptions(settings), cors: corsOptions(settings) },
  });
  const routes = new LateRoutes();
  hapi.app.routes = routes;
  addressRequests(hapi, deps, routes, prefix);
  admitRequests(hapi, deps, prefix);
  hapi.ext('onPreResponse', (request, h) => finish({ hapi, routes }, deps, request, h));
  if (deps.dailyLimits !== undefined) limitDailyCalls(hapi, deps.dailyLimits);
  meter(hapi, {
    metrics,
    counters: deps.counters,
    browsers: deps.browsers,
    counting: settings.get('metrics.enabled'),
    loginEnabled: deps.guard.loginEnabled,
    prefix,
  });
  if (deps.audit !== undefined) auditCalls(hapi, { ...deps.audit, prefix });
  await hapi.register([
    { plugin: inert },
    { plugin: hapiPino, options: logOptions(log, prefix) },
    ...(deps.role.serves ? deps.catalog.plugins.map((plugin) => adaptPlugin(deps, routes, plugin, prefix)) : []),
    adaptCore(deps, routes, prefix),
    ...(deps.role.serves
      ? [
          swaggerPlugin({ ...deps, prefix }, () => routes.declared()),
          swaggerUiPlugin(prefix, deps.guard.loginEnabled),
          exampleFilesPlugin(deps.catalog, deps.endpoints, prefix),
        ]
      : []),
  ]);
  if (deps.role.serves) await serveStart(hapi, deps, prefix);
  return { hapi, routes };
}

/** Serves the console at `/`; without it `/` leads to the documentation of the endpoints. */
async function serveStart(hapi: Server, { settings, catalog }: HttpDeps, prefix: string): Promise<void> {
  const packages = catalog.plugins.map(({ root }) => root);
  const console = settings.get('console.enabled')
    ? consolePlugin(prefix, packages, settings.get('security.enableLogin'))
    : undefined;
  if (console !== undefined) return hapi.register(console);
  hapi.route({
    method: 'GET',
    path: `${prefix}/`,
    options: { plugins: { quire: { access: { role: 'public' } } } },
    handler: (_, h) => h.redirect(`${prefix}/swagger-ui/index.html`),
  });
}

/** Finds out where each request comes from, and rejects it if it must not be served, or while the server stops. */
function addressRequests(hapi: Server, deps: HttpDeps, routes: LateRoutes, prefix: string): void {
  const { settings } = deps;
  const addressOf = clientAddressFrom(settings.get('server.trustedProxies'), settings.origin('server.trustedProxies'));
  const isProxy = trustedFrom(settings.get('server.trustedProxies'), settings.origin('server.trustedProxies'));
  const checkSite = createSiteCheck(settings);
  hapi.ext('onRequest', (request, h) => {
    refuseSeveralHosts(request.raw.req);
    // Health probes, and proxies that strip the sub-path, call without it; all routes have it.
    const peer = peerAddress(request.info.remoteAddress);
    request.app.peer = peer;
    request.app.viaProxy = isProxy(peer);
    const bare = prefix !== '' && request.path !== prefix && !request.path.startsWith(`${prefix}/`);
    if (bare && (probes.has(request.path) || request.app.viaProxy))
      request.setUrl(`${prefix}${request.url.pathname}${request.url.search}`);
    request.app.requestId = requestId(header(request, 'x-request-id'));
    request.app.address = addressOf(peer, header(request, 'x-forwarded-for'));
    const facts = siteFacts(request);
    const path = request.path.slice(prefix.length);
    // Load balancers ask for probes by whatever name they have; the answer contains nothing.
    if (facts !== undefined && !probes.has(path)) checkSite(facts);
    if (!deps.accepting() && !aliveProbes.has(path)) throw new OperationalError('SHUTTING_DOWN', { seconds: 5 });
    routes.ready(request.path);
    return h.continue;
  });
}

/** Authenticates and authorises each request before its body is read. */
function admitRequests(hapi: Server, deps: HttpDeps, prefix: string): void {
  hapi.ext('onPreAuth', async (request, h) => {
    const access = request.route.settings.plugins?.quire?.access;
    // Unknown paths answer 404 to everybody; the public documentation lists the routes anyway.
    if (request.route.path !== '/{p*}')
      request.app.principal = await deps.guard.check(access, credentialsOf(request), {
        route: {
          method: request.method,
          path: request.route.path.slice(prefix.length),
          changes: request.route.settings.plugins?.quire?.changes,
        },
        known: (caller) => void (request.app.caller = caller),
      });
    // Must run before Hapi sends 100 Continue (RFC 9110, 10.1.1).
    refuseDeclaredSize(request.raw.req, deps.formLimits.maxBytes);
    return h.continue;
  });
  hapi.ext('onPreAuth', async (request, h) => {
    refuseSwitchedOff(deps, request);
    await refuseDisabled(deps, request);
    const own = await request.route.settings.plugins?.quire?.admit?.(request);
    const { principal } = request.app;
    const ofRole = principal === undefined ? undefined : deps.mostBytesOf(principal);
    const most = own === undefined || ofRole === undefined ? (own ?? ofRole) : Math.min(own, ofRole);
    if (most !== undefined) refuseDeclaredSize(request.raw.req, (request.app.mostBytes = most));
    await refuseFullDisk(deps, request);
    return h.continue;
  });
}

function logOptions(log: Pino, prefix: string) {
  return {
    instance: log,
    logRequestComplete: true,
    logRequestStart: false,
    logPathParams: false,
    logQueryParams: false,
    logEvents: ['response', 'request-error'],
    getChildBindings: (request: Request) => ({ requestId: request.app.requestId }),
    // A client that disconnects or sends garbage is not a server error; Hapi tags it as one.
    ignoredEventTags: { log: ['client'], request: [] },
    // Paths may contain ids and queries may contain names, so only the route's pattern is logged.
    serializers: {
      req: (raw: { method?: string }) => ({ method: raw.method }),
      res: (raw: { statusCode?: number }) => ({ status: raw.statusCode }),
    },
    customRequestCompleteMessage: (request: Request, responseTime: number) =>
      `${request.method.toUpperCase()} ${request.route.path} ` + `${statusOf(request)} ${Math.round(responseTime)} ms`,
    ignorePaths: ['/livez', '/readyz', '/api/v1/info/status'].map((path) => prefix + path),
  };
}

/** The status that was sent; a client that left meanwhile makes an error of the response. */
function statusOf({ response, raw }: Request): number {
  if (raw.res.headersSent) return raw.res.statusCode;
  return 'statusCode' in response ? response.statusCode : 500;
}

/** Probes for this process, independent of proxies in front of it. */
const probes: ReadonlySet<string> = new Set(['/livez', '/readyz']);

const LONGEST_REASON = 1000;

/** Answered until the end: a draining process is alive and must not be killed. */
const aliveProbes: ReadonlySet<string> = new Set(['/livez', '/actuator/health/liveness']);

/** Converts failures to problem documents and adds the headers of every answer. */
function finish(server: HttpServer, deps: HttpDeps, request: Request, h: ResponseToolkit): ResponseObject | symbol {
  const { response } = request;
  const id = request.app.requestId ?? requestId(undefined);
  if (!('isBoom' in response)) {
    protectPage(response, deps.settings);
    completePreflight(request, response);
    setHeaders(response, request, id, deps.settings.get('system.rootUriPath'));
    return h.continue;
  }
  const allowed = response.output.statusCode === 404 ? allowedMethods(server, request) : [];
  const nearest =
    response.output.statusCode === 404 && allowed.length === 0 ? nearestAddress(server, deps, request.path) : undefined;
  const error = asQuireError(response, {
    method: request.method,
    path: request.path,
    allowed,
    ...(nearest === undefined ? {} : { nearest }),
  });
  request.app.refusal = error.code;
  if (error.row.family === 'access' && error.cause instanceof Error)
    request.app.refusalReason = error.cause.message.slice(0, LONGEST_REASON);
  // A request that is rejected before logging starts, for example during shutdown, has no logger.
  const logger = request.logger as Request['logger'] | undefined;
  if (error.row.family === 'defect')
    logger?.error({ err: error.cause ?? error, data: error.data }, `defect in ${request.route.path}`);
  else if (error.row.status >= 500 || error.code === 'QUEUE_FULL')
    logger?.warn({ code: error.code, data: error.data }, error.message);
  const { status, body, headers } = problemOf(error, {
    path: request.path,
    id,
    method: request.method,
    now: new Date(),
  });
  const page = error.code === 'NOT_FOUND' ? server.hapi.plugins['quire-console']?.pageNotFound(request, h) : undefined;
  if (page !== undefined) {
    protectPage(page, deps.settings);
    setHeaders(page, request, id, deps.settings.get('system.rootUriPath'));
    return page;
  }
  const form = errorFormOf(deps, request.path);
  const answer = h
    .response(JSON.stringify(form === undefined ? body : form.bodyOf(error, body)))
    .code(status)
    .type(form?.mediaType ?? 'application/problem+json');
  answer.charset('');
  for (const [name, value] of Object.entries(headers)) answer.header(name, value);
  const prefix = deps.settings.get('system.rootUriPath');
  const challenge = deps.guard.challengeOf(
    request.route.path.slice(prefix.length),
    error,
    siteOf(request, deps.settings).url,
  );
  if (challenge !== undefined) answer.header('www-authenticate', challenge);
  setHeaders(answer, request, id, deps.settings.get('system.rootUriPath'));
  return answer;
}

/** Also of unknown addresses below those of the form. */
function errorFormOf({ errorForms, settings }: HttpDeps, path: string): ErrorForm | undefined {
  const prefix = settings.get('system.rootUriPath');
  return errorForms.find(({ below }) => `${path}/`.startsWith(`${prefix}${below}/`));
}

function setHeaders(response: ResponseObject, request: Request, id: string, prefix: string): void {
  response.header('x-request-id', id);
  const deprecated = request.route.settings.plugins?.quire?.deprecated;
  if (deprecated !== undefined)
    for (const [name, value] of Object.entries(deprecationFields(deprecated, prefix))) response.header(name, value);
  // The caller's own browser may cache an answer if the route says so, shared caches never.
  if (request.path.includes('/api/') && !String(response.headers['cache-control'] ?? '').startsWith('private'))
    response.header('cache-control', 'private, no-store');
}

/**
 * Returns the address that was probably meant by an unknown path: another spelling, or the same path under `/api/v1`.
 */
function nearestAddress(server: HttpServer, { catalog, settings }: HttpDeps, path: string): string | undefined {
  const base = `${settings.get('system.rootUriPath')}/api/v1/`;
  if (path.length >= 200) return undefined;
  if (path.startsWith(base)) {
    const near = catalog.nearest(path.slice(base.length));
    return near === undefined ? undefined : `${base}${near}`;
  }
  // Without /api/v1: the path as sent, or the operation of that name.
  const bare = path.slice(settings.get('system.rootUriPath').length).replace(/^\/+(api\/|v1\/)?/, '');
  const known =
    methodsOf(server, `${base}${bare}`).length > 0 ? bare : bare.includes('/') ? catalog.nearest(bare) : undefined;
  return known === undefined ? undefined : `${base}${known}`;
}

function allowedMethods(server: HttpServer, request: Request): string[] {
  if (request.route.path !== '/{p*}') return [];
  return methodsOf(server, request.path)
    .filter((method) => method !== request.method)
    .map((method) => method.toUpperCase());
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Returns the methods that have a route for a path. */
function methodsOf({ hapi, routes }: HttpServer, path: string): (typeof METHODS)[number][] {
  routes.ready(path);
  return METHODS.filter((method) => {
    try {
      const route = hapi.match(method, path);
      return route !== null && route.path !== '/{p*}';
    } catch {
      // A path with invalid escapes (%ff) matches nothing.
      return false;
    }
  });
}
