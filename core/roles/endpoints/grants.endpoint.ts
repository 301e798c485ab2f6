import { InputError, defineEndpoint, type Endpoint, type JoiRoot, type Principal } from '@quire/registry';
import { localDateTime } from '../../jobs/index.js';
import { permissions, principalTypes, resourceTypes, type GrantKey, type GrantRecord } from '../grants.js';
import { noRights, type Rights } from '../model.js';
import { categoryOf } from '../rights.js';
import { peopleOf, roleAdmins, roleCodes, rolesOf, type RoleEndpointDeps } from './role-deps.js';

const shared = { since: '1.6.0', tag: 'admin', access: roleAdmins } as const;
const codes = [...roleCodes, 'INPUT_INVALID'] as const;
const PATH = 'admin/access/grants';

const typeField = (joi: JoiRoot) =>
  joi
    .string()
    .valid(...resourceTypes)
    .required()
    .description(
      'PORTAL; INTEGRATION_CONFIG: a saved connection; OPERATION and CATEGORY: tools beside those of the role',
    )
    .example('OPERATION');
const resourceField = (joi: JoiRoot) =>
  joi
    .string()
    .max(300)
    .allow('')
    .description('Empty for PORTAL, id of the connection, path of the operation, or category')
    .example('misc/ocr-pdf');
const principalFields = (joi: JoiRoot) => ({
  principalType: joi
    .string()
    .valid(...principalTypes)
    .required(),
  principalId: joi
    .number()
    .integer()
    .min(1)
    .max(Number.MAX_SAFE_INTEGER)
    .required()
    .description('Id of the user or team'),
});

const grantSchema = (joi: JoiRoot) =>
  joi
    .object({
      id: joi.number().integer().required(),
      resourceType: typeField(joi),
      resourceId: resourceField(joi).required(),
      ...principalFields(joi),
      permission: joi
        .string()
        .valid(...permissions)
        .required()
        .description('MANAGE includes USE; for connections only'),
      createdAt: joi.string().required().description('Local time without zone').example('2026-11-29T17:00:00'),
    })
    .label('AccessGrant');
const grantsSchema = (joi: JoiRoot) => joi.array().items(grantSchema(joi)).label('AccessGrants');

/** Access grants (`docs/interface/identity.yml`); those of operations and categories are Quire's own. */
export function grantEndpoints(deps: RoleEndpointDeps): Endpoint[] {
  return [...readEndpoints(deps), giveEndpoint(deps), takeBackEndpoint(deps)];
}

function readEndpoints(deps: RoleEndpointDeps): Endpoint[] {
  return [
    defineEndpoint({
      ...shared,
      id: 'listAccessGrants',
      method: 'GET',
      path: PATH,
      summary: 'List who was given access to something',
      request: {
        query: (joi) => joi.object({ resourceType: typeField(joi), resourceId: resourceField(joi).default('') }),
      },
      returns: {
        description: 'The grants',
        json: grantsSchema,
        links: [{ to: 'deleteAccessGrant', parameters: { id: '$response.body#/0/id' } }],
      },
      errors: [...codes],
      handle: async ({ query }) => {
        const { resourceType, resourceId } = query as unknown as Pick<GrantKey, 'resourceType' | 'resourceId'>;
        return { json: rolesOf(deps).grantsOn(resourceType, resourceId).map(wire) };
      },
    }),
    defineEndpoint({
      ...shared,
      id: 'listAccessGrantsOfPrincipal',
      method: 'GET',
      path: `${PATH}/by-principal`,
      summary: 'List what a user or team was given access to',
      notes: "Grants of a user's team are not included.",
      request: { query: (joi) => joi.object(principalFields(joi)) },
      returns: { description: 'The grants', json: grantsSchema },
      errors: [...codes],
      handle: async ({ query }) => ({
        json: rolesOf(deps)
          .grantsTo(query['principalType'] as GrantKey['principalType'], String(query['principalId']))
          .map(wire),
      }),
    }),
  ];
}

function giveEndpoint(deps: RoleEndpointDeps): Endpoint {
  return defineEndpoint({
    ...shared,
    id: 'createAccessGrant',
    method: 'POST',
    path: PATH,
    summary: 'Give a user or team access',
    notes:
      'One grant per resource and principal: a second call replaces the permission. A granted operation is allowed ' +
      'even if the role denies it; what administrators have switched off stays off. Acts at once on the node that ' +
      'answers, and within 2 seconds on others.',
    request: {
      payload: (joi) =>
        joi
          .object({
            resourceType: typeField(joi),
            resourceId: resourceField(joi).default(''),
            ...principalFields(joi),
            permission: joi
              .string()
              .valid(...permissions)
              .default('USE'),
          })
          .example({ resourceType: 'CATEGORY', resourceId: 'convert', principalType: 'TEAM', principalId: 1 }),
    },
    returns: {
      description: 'The grant',
      json: grantSchema,
      links: [{ to: 'deleteAccessGrant', parameters: { id: '$response.body#/id' } }],
    },
    errors: [...codes, 'INPUT_MALFORMED', 'INPUT_MEDIA_TYPE', 'GRANT_INVALID', 'RIGHTS_EXCEEDED'],
    handle: async ({ payload, principal }) => {
      const { permission, principalId, ...rest } = payload as unknown as Omit<GrantKey, 'principalId'> &
        Pick<GrantRecord, 'permission'> & { readonly principalId: number };
      const key = { ...rest, principalId: String(principalId) };
      await checkPrincipal(deps, key);
      await checkResource(deps, key, permission);
      refuseBeyond(deps, principal, key, 'Giving this access');
      return { json: wire(await rolesOf(deps).give(key, permission, principal.name)) };
    },
  });
}

function takeBackEndpoint(deps: RoleEndpointDeps): Endpoint {
  return defineEndpoint({
    ...shared,
    id: 'deleteAccessGrant',
    method: 'DELETE',
    path: `${PATH}/{id}`,
    summary: 'Take access back',
    request: {
      params: (joi) =>
        joi.object({
          id: joi
            .string()
            .pattern(/^\d{1,15}$/, 'number')
            .required()
            .description('Id of the grant'),
        }),
    },
    returns: {
      description: 'Done',
      json: (joi) => joi.object({ message: joi.string().required() }).label('AccessTakenBack'),
    },
    errors: [...codes, 'GRANT_UNKNOWN', 'RIGHTS_EXCEEDED'],
    handle: async ({ params: { id = '' }, principal }) => {
      const grant = await rolesOf(deps).grant(String(Number(id)));
      refuseBeyond(deps, principal, grant, 'Taking this access back');
      await rolesOf(deps).takeBack(grant.id);
      return { json: { message: 'The access was taken back.' } };
    },
  });
}

/** Throws GRANT_INVALID. */
async function checkPrincipal(deps: RoleEndpointDeps, { principalType, principalId }: GrantKey): Promise<void> {
  const { teams, byId } = peopleOf(deps);
  const known =
    principalType === 'USER'
      ? (await byId(principalId)) !== undefined
      : principalId !== teams.internalId && (await teams.byId(principalId)) !== undefined;
  if (!known) throw invalid(`There is no ${principalType === 'USER' ? 'user' : 'team'} with the id ${principalId}`);
}

/** Throws GRANT_INVALID. */
async function checkResource(
  deps: RoleEndpointDeps,
  { resourceType, resourceId }: GrantKey,
  permission: GrantRecord['permission'],
): Promise<void> {
  if (permission === 'MANAGE' && resourceType !== 'INTEGRATION_CONFIG' && resourceType !== 'PORTAL')
    throw invalid('Tools can only be used: send the permission USE');
  const operations = deps.operations();
  if (resourceType === 'PORTAL' && resourceId !== '') throw invalid('PORTAL has no resourceId: leave it out');
  if (resourceType === 'OPERATION' && !operations.includes(resourceId))
    throw invalid(`There is no operation "${resourceId}"; send a path such as general/rotate-pdf`);
  if (resourceType === 'CATEGORY' && !operations.some((path) => categoryOf(path) === resourceId))
    throw invalid(`There is no category "${resourceId}"; send one such as general`);
  if (resourceType !== 'INTEGRATION_CONFIG') return;
  if (!/^[1-9]\d{0,14}$/.test(resourceId) || !(await deps.connectionExists(Number(resourceId))))
    throw invalid(`There is no connection with the id "${resourceId}"`);
}

/** Throws RIGHTS_EXCEEDED for administrators of some areas who do not have themselves what the grant gives. */
function refuseBeyond(
  deps: RoleEndpointDeps,
  caller: Principal,
  { resourceType, resourceId }: GrantKey,
  action: string,
) {
  const single: Readonly<Record<GrantKey['resourceType'], Partial<Rights>>> = {
    OPERATION: { operations: { allow: [resourceId], deny: [] } },
    CATEGORY: { categories: [resourceId] },
    // Whose connection it is decides its owner, and full administrators.
    INTEGRATION_CONFIG: { areas: null },
    PORTAL: { areas: null },
  };
  rolesOf(deps).refuseBeyond(caller, { ...onlyTools, ...single[resourceType] }, action);
}

/** No limit is given with a grant. */
const onlyTools: Rights = {
  ...noRights,
  limits: {
    apiCallsPerDay: 0,
    webCallsPerDay: 0,
    uploadMb: 0,
    pagesPerDocument: 0,
    jobsAtOnce: 0,
    jobsWaiting: 0,
    storageMb: 0,
  },
};

function invalid(detail: string): InputError {
  return new InputError('GRANT_INVALID', { detail });
}

function wire({
  id,
  resourceType,
  resourceId,
  principalType,
  principalId,
  permission,
  createdAt,
}: GrantRecord): object {
  return {
    id: Number(id),
    resourceType,
    resourceId,
    principalType,
    principalId: Number(principalId),
    permission,
    createdAt: localDateTime(new Date(createdAt)),
  };
}
