import type { Endpoint } from '@quire/registry';
import { listBody } from '../model/list.js';
import { readPatch } from '../patch/patch-request.js';
import { paths } from '../scim-routes.js';
import { groupBody, listAnswer, patchBody, resourceBody } from './bodies.js';
import { listQuery, projectionOf, projectionQuery, queryOf } from './queries.js';
import { idParams, resourceAnswer, scimEndpoint, type ScimEndpointDeps } from './scim-endpoint.js';

const json = (joi: Parameters<typeof resourceBody>[0]) => resourceBody(joi, 'ScimGroup');
const params = (joi: Parameters<typeof idParams>[0]) => idParams(joi, 'group');
const bodyErrors = ['INPUT_INVALID', 'INPUT_MALFORMED', 'INPUT_MEDIA_TYPE', 'INPUT_TOO_LARGE'] as const;
const writeErrors = [...bodyErrors, 'SCIM_SYNTAX_INVALID', 'SCIM_VALUE_INVALID', 'SCIM_TAKEN'] as const;

/** Groups (RFC 7643, 4.2). */
export function groupEndpoints(deps: ScimEndpointDeps): Endpoint[] {
  return [list(deps), create(deps), get(deps), replace(deps), patch(deps), remove(deps)];
}

function list(deps: ScimEndpointDeps): Endpoint {
  return scimEndpoint(deps, {
    id: 'listScimGroups',
    method: 'GET',
    path: paths.groups,
    summary: 'List groups for an identity provider (SCIM)',
    request: { query: listQuery },
    returns: { description: 'A page of groups', json: listAnswer },
    errors: ['INPUT_INVALID', 'SCIM_FILTER_INVALID', 'SCIM_PATH_INVALID'],
    handle: async (request, call) => {
      const query = queryOf(request.query);
      return resourceAnswer(listBody(await deps.groupList.list(query, call), query.startIndex));
    },
  });
}

function create(deps: ScimEndpointDeps): Endpoint {
  return scimEndpoint(deps, {
    id: 'createScimGroup',
    method: 'POST',
    path: paths.groups,
    summary: 'Create a group for an identity provider (SCIM)',
    notes: 'The settings `scim.groupRoles` and `scim.groupTeams` say what a group means for its members.',
    request: { payload: groupBody },
    returns: { description: 'The group', status: 201, json },
    errors: writeErrors,
    handle: async ({ payload }, call) => resourceAnswer(await deps.groups.create(payload, call), true),
  });
}

function get(deps: ScimEndpointDeps): Endpoint {
  return scimEndpoint(deps, {
    id: 'getScimGroup',
    method: 'GET',
    path: paths.group,
    summary: 'Get a group for an identity provider (SCIM)',
    request: { params, query: projectionQuery },
    returns: { description: 'The group', json },
    errors: ['INPUT_INVALID', 'SCIM_UNKNOWN'],
    handle: async ({ params: { id = '' }, query }, call) =>
      resourceAnswer(await deps.groups.get(id, call, projectionOf(query))),
  });
}

function replace(deps: ScimEndpointDeps): Endpoint {
  return scimEndpoint(deps, {
    id: 'replaceScimGroup',
    method: 'PUT',
    path: paths.group,
    summary: 'Replace a group for an identity provider (SCIM)',
    request: { params, payload: groupBody },
    returns: { description: 'The group', json },
    errors: [...writeErrors, 'SCIM_UNKNOWN', 'SCIM_CHANGED'],
    handle: async ({ params: { id = '' }, payload }, call) =>
      resourceAnswer(await deps.groups.show(await deps.groups.replace(id, payload, call), call, {})),
  });
}

function patch(deps: ScimEndpointDeps): Endpoint {
  return scimEndpoint(deps, {
    id: 'changeScimGroup',
    method: 'PATCH',
    path: paths.group,
    summary: 'Change a group for an identity provider (SCIM)',
    notes: 'Simultaneous changes of members do not lose each other.',
    request: { params, payload: patchBody },
    returns: { description: 'The group', json },
    errors: [...writeErrors, 'SCIM_UNKNOWN', 'SCIM_CHANGED', 'SCIM_PATH_INVALID', 'SCIM_NO_TARGET', 'SCIM_READ_ONLY'],
    handle: async ({ params: { id = '' }, payload }, call) =>
      resourceAnswer(await deps.groups.show(await deps.groups.patch(id, readPatch(payload), call), call, {})),
  });
}

function remove(deps: ScimEndpointDeps): Endpoint {
  return scimEndpoint(deps, {
    id: 'deleteScimGroup',
    method: 'DELETE',
    path: paths.group,
    summary: 'Delete a group for an identity provider (SCIM)',
    notes: 'The accounts in it stay.',
    request: { params },
    returns: { description: 'Deleted', status: 204 },
    errors: ['INPUT_INVALID', 'SCIM_UNKNOWN', 'SCIM_CHANGED'],
    handle: async ({ params: { id = '' } }, call) => {
      await deps.groups.remove(id, call);
      return { status: 204 };
    },
  });
}
