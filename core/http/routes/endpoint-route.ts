import type { Request, ServerRoute } from '@hapi/hapi';
import type { LoadedPlugin } from '@quire/catalog';
import type { Endpoint, EndpointRequest, EndpointContext } from '@quire/registry';
import { endpointDocs } from '../../openapi/index.js';
import type { HttpDeps } from '../deps.js';
import { callerOf } from '../request/caller.js';
import { subjectOf } from './audit-calls.js';
import { chargeEndpoint } from './charge-endpoint.js';
import { handleCall, type CallSteps } from './handle-call.js';
import { readEndpointCall } from './read-endpoint-call.js';
import { rawBody } from './route-options.js';

export function endpointPath({ path }: Endpoint, prefix: string): string {
  return `${prefix}${path.startsWith('/') ? path : `/api/v1/${path}`}`;
}

/** The route of one endpoint, created from its declaration. `plugin` is undefined for core's own endpoints. */
export function endpointRoute(
  deps: HttpDeps,
  endpoint: Endpoint,
  plugin: LoadedPlugin | undefined,
  prefix: string,
): ServerRoute {
  const switched = deps.availability.switchOf(endpoint, plugin);
  const services: EndpointContext = { use: (token) => deps.serviceOf(plugin, token) };
  const steps = endpointSteps(deps, endpoint, services);
  return {
    method: endpoint.method,
    path: endpointPath(endpoint, prefix),
    options: {
      ...(endpoint.method === 'GET' ? {} : rawBody),
      // An endpoint that declares ranges reads them itself, so that only the range is read from the store.
      ...(endpoint.returns.also?.[206] === undefined ? {} : { response: { ranges: false } }),
      plugins: {
        quire: {
          access: endpoint.access ?? {},
          ...(endpoint.changes === true ? { changes: true as const } : {}),
          ...(switched === undefined ? {} : { switched }),
          ...(endpoint.request?.asFile === true || endpoint.request?.payloadType === 'binary'
            ? { keepsBody: true as const }
            : {}),
          ...(endpoint.admit === undefined ? {} : { admit: (request: Request) => admit(endpoint, services, request) }),
          docs: () => endpointDocs(endpoint),
        },
      },
    },
    handler: (request, h) => handleCall(deps, steps, request, h),
  };
}

function endpointSteps(deps: HttpDeps, endpoint: Endpoint, services: EndpointContext): CallSteps<EndpointRequest> {
  return {
    // An answer to an unknown caller may be a secret, for example a session.
    mayKeepAnswer: endpoint.access?.role !== 'public' || !deps.guard.loginEnabled,
    usualStatus: endpoint.returns.status,
    read: async (context) => {
      const call = await readEndpointCall(deps, endpoint, context);
      const about = (username: string): void => void (context.request.app.subject = username);
      const subject = subjectOf(call);
      if (subject !== undefined) about(subject);
      return { ...call, about };
    },
    sent: ({ query, payload, files }) => ({
      fields: { query, payload },
      files: Object.entries(files).flatMap(([field, list]) =>
        list.map((file) => ({ field, name: file.name, path: file.path() })),
      ),
    }),
    work: (call, _context, jobUuid) =>
      chargeEndpoint(deps, endpoint, call.principal, () =>
        endpoint.handle(jobUuid === undefined ? call : { ...call, jobUuid }, services),
      ),
  };
}

/** Asks the endpoint, before the body is read, whether it accepts the call. Returns the most bytes of its body. */
async function admit(endpoint: Endpoint, services: EndpointContext, request: Request): Promise<number | undefined> {
  const headers = request.headers as Record<string, string | undefined>;
  const declared = headers['content-length'];
  return endpoint.admit?.(
    {
      params: request.params as Record<string, string>,
      headers,
      principal: callerOf(request),
      address: request.app.address,
      declaredBytes: declared === undefined ? undefined : Number(declared),
    },
    services,
  );
}
