import { server as createHapi, type Request, type ResponseObject, type ResponseToolkit, type Server } from '@hapi/hapi';
import inert from '@hapi/inert';
import { OperationalError } from '@quire/registry';
import hapiPino from 'hapi-pino';
import type { Logger as Pino } from 'pino';
import type { Metrics } from '../info/index.js';
import { swaggerPlugin, swaggerUiPlugin } from '../openapi/index.js';
import { listenHost } from '../settings/index.js';
import type { HttpDeps } from './deps.js';
import { asQuireError, problemOf, requestId } from './error-body.js';
import { createListener } from './listener.js';
import { adaptCore, adaptPlugin } from './plugin-adapter.js';
import { refuseDeclaredSize } from './read-form.js';

/** The Hapi server with every route of the catalogue, not yet listening. */
export async function createHttpServer(deps: HttpDeps, metrics: Metrics, log: Pino): Promise<Server> {
  const { settings } = deps;
  const prefix = settings.get('system.rootUriPath');
  const listener = createListener({
    headersTimeoutMs: settings.get('server.headersTimeoutSeconds') * 1000, keepAliveMs: settings.get('server.keepAliveSeconds') * 1000,
    maxConnections: settings.get('server.maxConnections'), slowReaderMs: settings.get('server.slowReaderSeconds') * 1000,
  });
  const hapi = createHapi({
    listener, port: settings.get('server.port'), host: listenHost(settings), debug: false,
    // Files are compressed already; JSON answers are small. Bytes that are sent are bytes that were made.
    compression: false,
    routes: { security: { hsts: false, xframe: 'deny', noSniff: true, xss: false, noOpen: false, referrer: 'no-referrer' }, cors: false },
  });
  // A plain Hapi notFound would leave the guard out; every path goes through it.
  hapi.ext('onRequest', (request, h) => {
    request.app.requestId = requestId(header(request, 'x-request-id'));
    if (!deps.accepting() && request.path !== `${prefix}/livez`) throw new OperationalError('SHUTTING_DOWN', { seconds: 5 });
    return h.continue;
  });
  hapi.ext('onPreAuth', (request, h) => {
    const isDocument = request.route.path === `${prefix}/v1/api-docs`;
    const access = isDocument ? { role: 'public' as const } : request.route.settings.plugins?.quire?.access;
    // An unknown path answers 404 to everybody; it tells nothing that the documentation does not.
    if (request.route.path !== '/{p*}') request.app.principal = deps.guard.check(access, header(request, 'x-api-key'));
    count(deps, request, prefix);
    // Before Hapi tells a waiting client to go on (RFC 9110, 10.1.1).
    refuseDeclaredSize(request.raw.req, deps.formLimits.maxBytes);
    return h.continue;
  });
  hapi.ext('onPreResponse', (request, h) => finish(hapi, request, h));
  hapi.events.on('response', (request) => {
    const { response } = request;
    const status = 'statusCode' in response ? response.statusCode : 500;
    metrics.request(request.route.path, request.method.toUpperCase(), status, (Date.now() - request.info.received) / 1000);
  });
  await hapi.register([
    { plugin: inert },
    {
      plugin: hapiPino,
      options: {
        instance: log, logRequestComplete: true, logRequestStart: false, logPathParams: false, logQueryParams: false, logEvents: ['response', 'request-error'],
        getChildBindings: (request: Request) => ({ requestId: request.app.requestId }),
        // A client that leaves or sends garbage is no error of this server; Hapi tags it as one.
        ignoredEventTags: { log: ['client'], request: [] },
        // Paths may hold ids and queries may hold names: the route's pattern says enough.
        serializers: { req: (raw: { method?: string }) => ({ method: raw.method }), res: (raw: { statusCode?: number }) => ({ status: raw.statusCode }) },
        customRequestCompleteMessage: (request: Request, responseTime: number) => `${request.method.toUpperCase()} ${request.route.path} ${'statusCode' in request.response ? request.response.statusCode : 500} ${Math.round(responseTime)} ms`,
        ignorePaths: ['/livez', '/readyz', '/api/v1/info/status'].map((path) => prefix + path),
      },
    },
    ...deps.catalog.plugins.map((plugin) => adaptPlugin(deps, plugin, prefix)),
    adaptCore(deps, prefix),
    swaggerPlugin({ catalog: deps.catalog, endpoints: deps.endpoints, prefix, version: deps.version }),
    swaggerUiPlugin(prefix),
  ]);
  hapi.route({ method: 'GET', path: `${prefix}/`, options: { plugins: { quire: { access: { role: 'public' } } } }, handler: (_, h) => h.redirect(`${prefix}/swagger-ui/index.html`) });
  return hapi;
}

function header(request: Request, name: string): string | undefined {
  const value = request.headers[name] as string | string[] | undefined;
  return Array.isArray(value) ? value[0] : value;
}

const uncounted = /^\/(api\/v1\/info|v1\/api-docs|swagger|livez|readyz|actuator)/;

function count(deps: HttpDeps, request: Request, prefix: string): void {
  const path = request.path.slice(prefix.length);
  const method = request.method.toUpperCase();
  if ((method !== 'GET' && method !== 'POST') || uncounted.test(path) || request.route.path === '/{p*}') return;
  if (method === 'POST' && !path.startsWith('/api/v1')) return;
  const session = request.app.principal?.id || header(request, 'x-browser-id') || request.info.remoteAddress;
  deps.counters.count(method, path, session);
}

/** Gives failures their problem document and every answer its headers. */
function finish(hapi: Server, request: Request, h: ResponseToolkit): ResponseObject | symbol {
  const { response } = request;
  const id = request.app.requestId ?? requestId(undefined);
  if (!('isBoom' in response)) {
    setHeaders(response, request, id);
    return h.continue;
  }
  const allowed = response.output.statusCode === 404 ? allowedMethods(hapi, request) : [];
  const error = asQuireError(response, { method: request.method, path: request.path, allowed });
  if (error.row.family === 'defect') request.logger.error({ err: error.cause ?? error, data: error.data }, `defect in ${request.route.path}`);
  else if (error.row.status >= 500 || error.code === 'QUEUE_FULL') request.logger.warn({ code: error.code, data: error.data }, error.message);
  const { status, body, headers } = problemOf(error, { path: request.path, id, method: request.method, now: new Date() });
  const answer = h.response(JSON.stringify(body)).code(status).type('application/problem+json');
  answer.charset('');
  for (const [name, value] of Object.entries(headers)) answer.header(name, value);
  setHeaders(answer, request, id);
  return answer;
}

function setHeaders(response: ResponseObject, request: Request, id: string): void {
  response.header('x-request-id', id);
  if (request.path.includes('/api/')) response.header('cache-control', 'private, no-store');
}

function allowedMethods(hapi: Server, request: Request): string[] {
  if (request.route.path !== '/{p*}') return [];
  const matches = (method: 'get' | 'post' | 'put' | 'patch' | 'delete'): boolean => {
    try {
      return hapi.match(method, request.path) !== null;
    } catch {
      // A path whose escapes are no text (%ff) matches nothing.
      return false;
    }
  };
  return (['get', 'post', 'put', 'patch', 'delete'] as const).filter((method) => method !== request.method && matches(method)).map((method) => method.toUpperCase());
}
