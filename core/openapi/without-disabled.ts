import type { Catalog } from '@quire/catalog';
import type { Access, Endpoint, Principal } from '@quire/registry';
import type { AvailabilityTable, Guard } from '../access/index.js';
import type { OpenApiDocument } from './complete-document.js';

/**
 * Returns the calls that are disabled now, each as `post /api/v1/…`. The document leaves them out, since clients learn
 * their tools from it (`docs/interface/platform.yml`, actuator and docs). Operations that only lack a program stay;
 * their error names the program.
 */
export function disabledCalls(deps: {
  readonly catalog: Catalog;
  readonly endpoints: readonly Endpoint[];
  readonly availability: AvailabilityTable;
}): ReadonlySet<string> {
  const { catalog, endpoints, availability } = deps;
  const hidden = new Set<string>();
  const hide = (path: string, method: string, switched: string | undefined): void => {
    if (switched !== undefined && availability.ofPath(switched).reason === 'CONFIG')
      hidden.add(`${method.toLowerCase()} /api/v1/${path}`);
  };
  for (const path of catalog.operations.keys()) hide(path, 'post', path);
  for (const endpoint of endpoints) hide(endpoint.path, endpoint.method, availability.switchOf(endpoint, undefined));
  for (const { endpoint, plugin } of catalog.endpoints)
    hide(endpoint.path, endpoint.method, availability.switchOf(endpoint, plugin));
  return hidden;
}

/**
 * Returns the disabled calls, and those that the role of a recognised caller does not include. Without a caller the
 * document is the same for everybody.
 */
export function hiddenCalls(
  deps: Parameters<typeof disabledCalls>[0] & { readonly guard: Pick<Guard, 'lack'> },
  caller: Principal | undefined,
): ReadonlySet<string> {
  const { catalog, endpoints, guard } = deps;
  const hidden = new Set(disabledCalls(deps));
  if (caller === undefined || caller.role === 'anonymous') return hidden;
  const hide = (method: string, path: string, access: Access | undefined): void => {
    const route = { method: method.toLowerCase(), path: `/api/v1/${path}` };
    if (guard.lack(access, caller, route) !== undefined) hidden.add(`${route.method} ${route.path}`);
  };
  for (const { operation } of catalog.operations.values()) hide('post', operation.path, operation.access);
  for (const endpoint of [...endpoints, ...catalog.endpoints.map((one) => one.endpoint)])
    hide(endpoint.method, endpoint.path, endpoint.access);
  return hidden;
}

/** Returns the document without these calls, links to calls that are not in it, and tags that nothing has. */
export function withoutCalls(whole: OpenApiDocument, hidden: ReadonlySet<string>): OpenApiDocument {
  const paths = Object.fromEntries(
    Object.entries(whole.paths).flatMap(([path, methods]) => {
      const left = Object.entries(methods).filter(([method]) => !hidden.has(`${method} ${path}`));
      return left.length === 0 ? [] : [[path, Object.fromEntries(left)] as const];
    }),
  );
  const calls = Object.values(paths).flatMap((methods) => Object.values(methods));
  const ids = new Set(calls.map(({ operationId }) => operationId));
  // A link may also lead to a call of a plugin that is not loaded.
  for (const methods of Object.values(paths))
    for (const [method, described] of Object.entries(methods)) methods[method] = withoutLinks(described, ids);
  const used = new Set(calls.flatMap(({ tags }) => (tags as string[] | undefined) ?? []));
  return { ...whole, paths, tags: (whole.tags ?? []).filter(({ name }) => used.has(name)) };
}

/** Returns the call with only those links whose target exists. */
export function withoutLinks(
  described: OpenApiDocument['paths'][string][string],
  ids: ReadonlySet<unknown>,
): OpenApiDocument['paths'][string][string] {
  const responses = Object.fromEntries(
    Object.entries(described.responses).map(([status, response]) => {
      if (!('links' in response) || response.links === undefined) return [status, response];
      return [
        status,
        { ...response, links: Object.fromEntries(Object.entries(response.links).filter(([to]) => ids.has(to))) },
      ];
    }),
  );
  return { ...described, responses };
}
