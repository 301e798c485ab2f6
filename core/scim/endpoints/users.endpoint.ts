import type { Endpoint } from '@quire/registry';
import { readPatch } from '../patch/patch-request.js';
import { listBody } from '../model/list.js';
import { paths } from '../scim-routes.js';
import { listAnswer, patchBody, resourceBody, userBody } from './bodies.js';
import { listQuery, projectionOf, projectionQuery, queryOf } from './queries.js';
import { idParams, resourceAnswer, scimEndpoint, type ScimEndpointDeps } from './scim-endpoint.js';

const json = (joi: Parameters<typeof resourceBody>[0]) => resourceBody(joi, 'ScimUser');
const params = (joi: Parameters<typeof idParams>[0]) => idParams(joi, 'account');
const bodyErrors = ['INPUT_INVALID', 'INPUT_MALFORMED', 'INPUT_MEDIA_TYPE', 'INPUT_TOO_LARGE'] as const;
const writeErrors = [
  ...bodyErrors,
  'SCIM_SYNTAX_INVALID',
  'SCIM_VALUE_INVALID',
  'SCIM_TAKEN',
  'REMOTE_UNREACHABLE',
] as const;

/** Users (RFC 7643, 4.1). */
export function userEndpoints(deps: ScimEndpointDeps): Endpoint[] {
  return [list(deps), create(deps), get(deps), replace(deps), patch(deps), remove(deps)];
}

function list(deps: ScimEndpointDeps): Endpoint {
  return scimEndpoint(deps, {
    id: 'listScimUsers',
    method: 'GET',
    path: paths.users,
    summary: 'List users for an identity provider (SCIM)',
    notes: 'Accounts that log in with a provider; accounts with a password are not listed.',
    request: { query: listQuery },
    returns: { description: 'A page of users', json: listAnswer },
    errors: ['INPUT_INVALID', 'SCIM_FILTER_INVALID', 'SCIM_PATH_INVALID'],
    handle: async (request, call) => {
      const query = queryOf(request.query);
      return resourceAnswer(listBody(await deps.userList.list(query, call), query.startIndex));
    },
  });
}

function create(deps: ScimEndpointDeps): Endpoint {
  return scimEndpoint(deps, {
    id: 'createScimUser',
    method: 'POST',
    path: paths.users,
    summary: 'Create a user for an identity provider (SCIM)',
    notes: 'Creates an account without a password, which logs in with the provider.',
    request: { payload: userBody },
    returns: { description: 'The user', status: 201, json },
    errors: [...writeErrors, 'USER_CAP_REACHED'],
    handle: async ({ payload }, call) => resourceAnswer(await deps.users.create(payload, call), true),
  });
}

function get(deps: ScimEndpointDeps): Endpoint {
  return scimEndpoint(deps, {
    id: 'getScimUser',
    method: 'GET',
    path: paths.user,
    summary: 'Get a user for an identity provider (SCIM)',
    request: { params, query: projectionQuery },
    returns: { description: 'The user', json },
    errors: ['INPUT_INVALID', 'SCIM_UNKNOWN'],
    handle: async ({ params: { id = '' }, query }, call) =>
      resourceAnswer(await deps.users.get(id, call, projectionOf(query))),
  });
}

function replace(deps: ScimEndpointDeps): Endpoint {
  return scimEndpoint(deps, {
    id: 'replaceScimUser',
    method: 'PUT',
    path: paths.user,
    summary: 'Replace a user for an identity provider (SCIM)',
    notes: 'Attributes that are left out are removed, except `active` and `roles`, which stay.',
    request: { params, payload: userBody },
    returns: { description: 'The user', json },
    errors: [...writeErrors, 'SCIM_UNKNOWN', 'SCIM_CHANGED', 'USER_CAP_REACHED', 'ACCOUNT_LAST_ADMIN'],
    handle: async ({ params: { id = '' }, payload }, call) =>
      resourceAnswer(await deps.users.replace(id, payload, call)),
  });
}

function patch(deps: ScimEndpointDeps): Endpoint {
  return scimEndpoint(deps, {
    id: 'changeScimUser',
    method: 'PATCH',
    path: paths.user,
    summary: 'Change a user for an identity provider (SCIM)',
    notes: 'With `active` false the account is disabled: its sessions, API keys and jobs end at once.',
    request: { params, payload: patchBody },
    returns: { description: 'The user', json },
    errors: [
      ...writeErrors,
      'SCIM_UNKNOWN',
      'SCIM_CHANGED',
      'SCIM_PATH_INVALID',
      'SCIM_NO_TARGET',
      'SCIM_READ_ONLY',
      'USER_CAP_REACHED',
      'ACCOUNT_LAST_ADMIN',
    ],
    handle: async ({ params: { id = '' }, payload }, call) =>
      resourceAnswer(await deps.users.patch(id, readPatch(payload), call)),
  });
}

function remove(deps: ScimEndpointDeps): Endpoint {
  return scimEndpoint(deps, {
    id: 'deleteScimUser',
    method: 'DELETE',
    path: paths.user,
    summary: 'Delete a user for an identity provider (SCIM)',
    notes: 'Deletes the account with its API keys, jobs and files.',
    request: { params },
    returns: { description: 'Deleted', status: 204 },
    errors: ['INPUT_INVALID', 'SCIM_UNKNOWN', 'SCIM_CHANGED', 'ACCOUNT_LAST_ADMIN'],
    handle: async ({ params: { id = '' } }, call) => {
      await deps.users.remove(id, call);
      return { status: 204 };
    },
  });
}
