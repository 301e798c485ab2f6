import {
  InputError,
  defineEndpoint,
  type Endpoint,
  type FieldFault,
  type JoiRoot,
  type Principal,
} from '@quire/registry';
import { categoryOf } from '../rights.js';
import type { Rights, Role } from '../model.js';
import type { RoleContent } from '../roles.js';
import { peopleOf, roleAdmins, roleCodes, rolesOf, type RoleEndpointDeps } from './role-deps.js';
import { contentMembers, roleExample, roleNameField, roleSchema, roleWire } from './role-shapes.js';

const shared = { since: '1.6.0', tag: 'admin', access: roleAdmins } as const;
const bodyCodes = [...roleCodes, 'INPUT_INVALID', 'INPUT_MALFORMED', 'INPUT_MEDIA_TYPE', 'RIGHTS_EXCEEDED'] as const;
const DELAY = 'It acts at once on the node that answers, and within 2 seconds on others.';
const params = (joi: JoiRoot) => joi.object({ name: joi.string().max(100).required().description('Name of the role') });

/** Roles as data: what accounts may do. */
export function roleEndpoints(deps: RoleEndpointDeps): Endpoint[] {
  return [...readEndpoints(deps), ...writeEndpoints(deps)];
}

function readEndpoints(deps: RoleEndpointDeps): Endpoint[] {
  const list = (joi: JoiRoot) => joi.array().items(joi.string()).required();
  return [
    defineEndpoint({
      ...shared,
      id: 'listRoles',
      method: 'GET',
      path: 'admin/roles',
      summary: 'List roles and what they can include',
      returns: {
        description: 'The roles of the server first',
        json: (joi) =>
          joi
            .object({
              roles: joi.array().items(roleSchema(joi)).required(),
              options: joi
                .object({
                  categories: list(joi),
                  operations: list(joi),
                  areas: list(joi),
                  defaultRole: joi.string().required().description('Role of new accounts (security.defaultRole)'),
                })
                .required()
                .label('RoleOptions'),
            })
            .label('Roles'),
        links: [{ to: 'getRole', parameters: { name: '$response.body#/roles/0/name' } }],
      },
      errors: [...roleCodes],
      handle: async () => {
        const counts = await peopleOf(deps).countByRole();
        const roles = rolesOf(deps);
        return {
          json: {
            roles: roles.list().map((role) => roleWire(role, counts.get(role.name) ?? 0)),
            options: {
              categories: categoriesOf(deps),
              operations: deps.operations(),
              areas: deps.areas(),
              defaultRole: roles.defaultName,
            },
          },
        };
      },
    }),
    defineEndpoint({
      ...shared,
      id: 'getRole',
      method: 'GET',
      path: 'admin/roles/{name}',
      summary: 'Get a role',
      request: { params },
      returns: { description: 'The role', json: roleSchema },
      errors: [...roleCodes, 'ROLE_UNKNOWN'],
      handle: async ({ params: { name = '' } }) => ({ json: await shown(deps, rolesOf(deps).get(name)) }),
    }),
  ];
}

function writeEndpoints(deps: RoleEndpointDeps): Endpoint[] {
  return [createEndpoint(deps), changeEndpoint(deps), deleteEndpoint(deps)];
}

function createEndpoint(deps: RoleEndpointDeps): Endpoint {
  return defineEndpoint({
    ...shared,
    id: 'createRole',
    method: 'POST',
    path: 'admin/roles',
    summary: 'Make a role',
    notes: `Who is not a full administrator can give a role only rights of their own. ${DELAY}`,
    request: {
      payload: (joi) =>
        joi
          .object({ name: roleNameField(joi), ...contentMembers(joi) })
          .example({ name: 'ROLE_FRONT_DESK', ...roleExample }),
    },
    returns: {
      description: 'The role',
      status: 201,
      json: roleSchema,
      links: ['getRole', 'changeRoleRights', 'deleteRole'].map((to) => ({
        to,
        parameters: { name: '$response.body#/name' },
      })),
    },
    errors: [...bodyCodes, 'ROLE_TAKEN'],
    handle: async ({ payload, principal, about }) => {
      const { name, ...content } = payload as unknown as RoleContent & { readonly name: string };
      about?.(name);
      refuseUnknown(deps, content.rights, undefined);
      rolesOf(deps).refuseBeyond(principal, content.rights, `Making the role ${name}`);
      const role = await rolesOf(deps).create(name, content, principal.name);
      return { status: 201, json: await shown(deps, role) };
    },
  });
}

function changeEndpoint(deps: RoleEndpointDeps): Endpoint {
  return defineEndpoint({
    ...shared,
    id: 'changeRoleRights',
    method: 'PUT',
    path: 'admin/roles/{name}',
    summary: 'Change a role',
    notes:
      'Everything is replaced. `version` is the one that was read; 409 if somebody changed the role meanwhile. ' +
      `ROLE_ADMIN cannot be changed. ${DELAY}`,
    request: {
      params,
      payload: (joi) =>
        joi
          .object({
            version: joi.number().strict().integer().min(0).required().description('The version that was read'),
            ...contentMembers(joi),
          })
          .example({ version: 1, ...roleExample }),
    },
    returns: { description: 'The role', json: roleSchema },
    errors: [...bodyCodes, 'ROLE_UNKNOWN', 'ROLE_FIXED', 'ROLE_CHANGED'],
    handle: async ({ params: { name = '' }, payload, principal, about }) => {
      const { version, ...content } = payload as unknown as RoleContent & { readonly version: number };
      about?.(name);
      const before = owned(deps, principal, name, 'Changing');
      refuseUnknown(deps, content.rights, before.rights);
      rolesOf(deps).refuseBeyond(principal, content.rights, `Changing the role ${name}`);
      const role = await rolesOf(deps).change(name, version, content, principal.name);
      return { json: await shown(deps, role) };
    },
  });
}

function deleteEndpoint(deps: RoleEndpointDeps): Endpoint {
  return defineEndpoint({
    ...shared,
    id: 'deleteRole',
    method: 'DELETE',
    path: 'admin/roles/{name}',
    summary: 'Delete a role that nobody has',
    request: { params },
    returns: { description: 'Deleted', status: 204 },
    errors: [...roleCodes, 'RIGHTS_EXCEEDED', 'ROLE_UNKNOWN', 'ROLE_FIXED', 'ROLE_IN_USE'],
    handle: async ({ params: { name = '' }, principal, about }) => {
      about?.(name);
      owned(deps, principal, name, 'Deleting');
      const holders = async (role: string): Promise<number> => (await peopleOf(deps).countByRole()).get(role) ?? 0;
      await rolesOf(deps).delete(name, holders);
      return {};
    },
  });
}

/** Returns a role whose rights the caller has. Throws ROLE_UNKNOWN or RIGHTS_EXCEEDED. */
function owned(deps: RoleEndpointDeps, caller: Principal, name: string, action: string): Role {
  const role = rolesOf(deps).get(name);
  rolesOf(deps).refuseBeyond(caller, role.rights, `${action} the role ${name}`);
  return role;
}

async function shown(deps: RoleEndpointDeps, role: Role): Promise<object> {
  return roleWire(role, (await peopleOf(deps).countByRole()).get(role.name) ?? 0);
}

function categoriesOf(deps: RoleEndpointDeps): string[] {
  return [...new Set(deps.operations().map(categoryOf))];
}

/** Throws INPUT_INVALID for names that this server does not know; those that the role had may stay. */
function refuseUnknown(deps: RoleEndpointDeps, rights: Rights, before: Rights | undefined): void {
  const lists = (of: Rights | undefined) => ({
    '/rights/categories': of?.categories ?? [],
    '/rights/operations/allow': of?.operations.allow ?? [],
    '/rights/operations/deny': of?.operations.deny ?? [],
    '/rights/areas': of?.areas ?? [],
  });
  const operations = deps.operations();
  const known = {
    '/rights/categories': ['category', categoriesOf(deps)],
    '/rights/operations/allow': ['operation', operations],
    '/rights/operations/deny': ['operation', operations],
    '/rights/areas': ['area of administration', deps.areas()],
  } as const;
  const [had, sent] = [lists(before), lists(rights)];
  const faults: FieldFault[] = [];
  for (const [pointer, [what, names]] of Object.entries(known))
    sent[pointer as keyof typeof known].forEach((name, i) => {
      if (names.includes(name) || had[pointer as keyof typeof known].includes(name)) return;
      const detail = `"${name}" is no ${what} of this server; GET /api/v1/admin/roles lists them in "options"`;
      faults.push({ pointer: `${pointer}/${i}`, detail });
    });
  const [first] = faults;
  if (first !== undefined) throw new InputError('INPUT_INVALID', { detail: first.detail }, faults);
}
