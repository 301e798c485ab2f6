import type { Catalog } from '@quire/catalog';
import type { Endpoint } from '@quire/registry';
import type { AvailabilityTable } from '../access/index.js';
import type { OpenApiDocument } from './complete-document.js';

/**
 * Returns the current document without disabled operations, since clients learn their tools from it
 * (`docs/interface/platform.yml`, actuator and docs). Operations that only lack a program stay; their error names the
 * program. Rebuilt only after a switch has changed.
 */
export function withoutDisabled(deps: {
  readonly catalog: Catalog;
  readonly endpoints: readonly Endpoint[];
  readonly availability: AvailabilityTable;
}): (whole: OpenApiDocument) => OpenApiDocument {
  const { catalog, endpoints, availability } = deps;
  let shown: { readonly revision: number; readonly document: OpenApiDocument } | undefined;
  return (whole) => {
    if (shown?.revision === availability.revision) return shown.document;
    const hidden = new Map<string, Set<string>>();
    const hide = (path: string, method: string, switched: string | undefined): void => {
      if (switched === undefined || availability.ofPath(switched).reason !== 'CONFIG') return;
      const full = `/api/v1/${path}`;
      hidden.set(full, (hidden.get(full) ?? new Set()).add(method.toLowerCase()));
    };
    for (const path of catalog.operations.keys()) hide(path, 'post', path);
    for (const endpoint of endpoints) hide(endpoint.path, endpoint.method, availability.switchOf(endpoint, undefined));
    for (const { endpoint, plugin } of catalog.endpoints)
      hide(endpoint.path, endpoint.method, availability.switchOf(endpoint, plugin));
    const paths = Object.fromEntries(
      Object.entries(whole.paths).flatMap(([path, methods]) => {
        const left = Object.entries(methods).filter(([method]) => hidden.get(path)?.has(method) !== true);
        return left.length === 0 ? [] : [[path, Object.fromEntries(left)] as const];
      }),
    );
    const ids = new Set(
      Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId)),
    );
    // A link may also lead to a call of a plugin that is not loaded.
    for (const methods of Object.values(paths))
      for (const [method, described] of Object.entries(methods)) methods[method] = withoutLinks(described, ids);
    const used = new Set(
      Object.values(paths).flatMap((methods) =>
        Object.values(methods).flatMap(({ tags }) => (tags as string[] | undefined) ?? []),
      ),
    );
    const document = { ...whole, paths, tags: (whole.tags ?? []).filter(({ name }) => used.has(name)) };
    shown = { revision: availability.revision, document };
    return document;
  };
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
