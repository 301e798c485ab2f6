import { OperationalError, type Endpoint } from '@quire/registry';
import { scopeOf } from '../model/attribute-path.js';
import { listBody, type ListQuery, type ResourcePage } from '../model/list.js';
import { resourceTypes } from '../model/schema.js';
import type { ScimCall } from '../scim-call.js';
import { paths } from '../scim-routes.js';
import { listAnswer } from './bodies.js';
import { queryOf, searchBody } from './queries.js';
import { resourceAnswer, scimEndpoint, type ScimEndpointDeps } from './scim-endpoint.js';

/** Searches by POST, for filters that must not be in addresses (RFC 7644, 3.4.3), and what is not supported. */
export function searchEndpoints(deps: ScimEndpointDeps): Endpoint[] {
  const { userList, groupList } = deps;
  return [
    search(deps, 'searchScimUsers', paths.searchUsers, 'users', (query, call) => userList.list(query, call)),
    search(deps, 'searchScimGroups', paths.searchGroups, 'groups', (query, call) => groupList.list(query, call)),
    search(deps, 'searchScimResources', paths.search, 'users and groups', (query, call) => both(deps, query, call)),
    unsupported(deps, {
      id: 'runScimBulk',
      method: 'POST',
      path: paths.bulk,
      summary: 'Make several changes at once (SCIM; not supported)',
      detail: 'Bulk is not supported: send one request for each change',
    }),
    unsupported(deps, {
      id: 'getScimSelf',
      method: 'GET',
      path: paths.me,
      summary: 'Get your own user (SCIM; not supported)',
      detail: 'The identity provider has no account here, so there is no Me: use /Users',
    }),
  ];
}

function search(
  deps: ScimEndpointDeps,
  id: string,
  path: string,
  what: string,
  list: (query: ListQuery, call: ScimCall) => Promise<ResourcePage>,
): Endpoint {
  return scimEndpoint(deps, {
    id,
    method: 'POST',
    path,
    summary: `Search ${what} for an identity provider (SCIM)`,
    request: { payload: searchBody },
    returns: { description: 'A page of results', json: listAnswer },
    errors: [
      'INPUT_INVALID',
      'INPUT_MALFORMED',
      'INPUT_MEDIA_TYPE',
      'INPUT_TOO_LARGE',
      'SCIM_FILTER_INVALID',
      'SCIM_PATH_INVALID',
    ],
    handle: async ({ payload }, call) => {
      const query = queryOf(payload);
      return resourceAnswer(listBody(await list(query, call), query.startIndex));
    },
  });
}

/** Users, then groups, each in their order. */
async function both(
  { userList, groupList }: ScimEndpointDeps,
  query: ListQuery,
  call: ScimCall,
): Promise<ResourcePage> {
  const scope = scopeOf(resourceTypes);
  const users = await userList.list(query, call, scope);
  const startIndex = Math.max(1, query.startIndex - users.total);
  const count = query.count - users.resources.length;
  const groups = await groupList.list({ ...query, startIndex, count }, call, scope);
  return { total: users.total + groups.total, resources: [...users.resources, ...groups.resources] };
}

function unsupported(
  deps: ScimEndpointDeps,
  { detail, ...route }: Pick<Endpoint, 'id' | 'method' | 'path' | 'summary'> & { readonly detail: string },
): Endpoint {
  return scimEndpoint(deps, {
    ...route,
    returns: { description: 'Never', status: 204 },
    errors: ['SCIM_UNSUPPORTED'],
    handle: async () => {
      throw new OperationalError('SCIM_UNSUPPORTED', { detail });
    },
  });
}
