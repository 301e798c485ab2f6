import {
  defineEndpoint,
  type Endpoint,
  type EndpointAnswer,
  type EndpointRequest,
  type ErrorCode,
  type JoiRoot,
} from '@quire/registry';
import type { AuditLog } from '../../audit/index.js';
import { SCIM_TYPE } from '../error-body.js';
import type { Resource } from '../model/schema.js';
import type { GroupList } from '../groups/group-list.js';
import type { ScimGroups } from '../groups/scim-groups.js';
import { scimCall, type ScimCall } from '../scim-call.js';
import type { ScimUsers } from '../users/scim-users.js';
import type { UserList } from '../users/user-list.js';

export interface ScimEndpointDeps {
  readonly users: ScimUsers;
  readonly userList: UserList;
  readonly groups: ScimGroups;
  readonly groupList: GroupList;
  readonly audit: Pick<AuditLog, 'record'> | undefined;
  /** `scim.groupRoles` has rules. */
  readonly rolesFollowGroups: boolean;
}

/** What routes of SCIM have in common is added. */
export interface ScimRoute extends Omit<Endpoint, 'since' | 'tag' | 'access' | 'errors' | 'handle'> {
  readonly errors?: readonly ErrorCode[];
  handle(request: EndpointRequest, call: ScimCall): Promise<EndpointAnswer>;
}

/** Declares a route of SCIM. Only the token of SCIM opens it (`createScimLogin`). */
export function scimEndpoint(
  { audit }: Pick<ScimEndpointDeps, 'audit'>,
  { errors = [], handle, ...route }: ScimRoute,
): Endpoint {
  return defineEndpoint({
    ...route,
    since: '1.6.0',
    tag: 'scim',
    access: { role: 'admin', needsLogin: true },
    errors: ['SCIM_TOKEN_INVALID', 'TOO_MANY_ATTEMPTS', 'STORE_DOWN', ...errors],
    handle: (request) => handle(request, scimCall(audit, request, route.method, route.path)),
  });
}

/** Answers with a resource and its entity tag; `created`: with its address too. */
export function resourceAnswer(resource: Resource, created = false): EndpointAnswer {
  const { version, location } = (resource['meta'] ?? {}) as { version?: string; location?: string };
  return {
    ...(created ? { status: 201 } : {}),
    json: resource,
    headers: {
      'content-type': SCIM_TYPE,
      'cache-control': 'no-store',
      ...(version === undefined ? {} : { etag: version }),
      ...(location === undefined ? {} : { location }),
    },
  };
}

export const idParams = (joi: JoiRoot, what: string) =>
  joi.object({ id: joi.string().max(200).required().description(`Id of the ${what}`) });
