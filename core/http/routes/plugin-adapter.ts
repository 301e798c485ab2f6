import type { Plugin, ServerRegisterPluginObject } from '@hapi/hapi';
import type { LoadedPlugin } from '@quire/catalog';
import type { HttpDeps } from '../deps.js';
import { endpointPath, endpointRoute } from './endpoint-route.js';
import type { LateRoutes } from './late-routes.js';
import { operationPath, operationRoute } from './operation-route.js';

/** One Hapi plugin per loaded plugin, so that `server.registrations` lists each with its version. */
export function adaptPlugin(
  deps: HttpDeps,
  routes: LateRoutes,
  plugin: LoadedPlugin,
  prefix: string,
): ServerRegisterPluginObject<unknown> {
  const adapted: Plugin<unknown> = {
    name: plugin.name,
    version: plugin.version,
    requirements: { hapi: '>=21' },
    register: (server) => {
      for (const entry of deps.catalog.operations.values())
        if (entry.plugin === plugin)
          routes.add(server, operationPath(entry, prefix), () => operationRoute(deps, entry, prefix));
      for (const { endpoint, plugin: owner } of deps.catalog.endpoints)
        if (owner === plugin)
          routes.add(server, endpointPath(endpoint, prefix), () => endpointRoute(deps, endpoint, owner, prefix));
    },
  };
  return { plugin: adapted };
}

/** Tags of the endpoints that a worker node serves. */
const workerTags: ReadonlySet<string> = new Set(['health', 'info']);

/** Core's own endpoints as a Hapi plugin; on a worker node those of health, metrics and information only. */
export function adaptCore(deps: HttpDeps, routes: LateRoutes, prefix: string): ServerRegisterPluginObject<unknown> {
  return {
    plugin: {
      name: 'quire-core',
      version: deps.version,
      register: (server) => {
        for (const endpoint of deps.endpoints.filter(
          ({ tag, path }) => deps.role.serves || workerTags.has(tag ?? path.split('/')[0] ?? ''),
        ))
          routes.add(server, endpointPath(endpoint, prefix), () => endpointRoute(deps, endpoint, undefined, prefix));
      },
    } as Plugin<unknown>,
  };
}
