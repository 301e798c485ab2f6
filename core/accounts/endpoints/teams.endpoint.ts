import { defineEndpoint, type Endpoint, type JoiRoot } from '@quire/registry';
import { accountsOf, forUserAdmins, idField, messageAnswer, userAdminCodes } from './account-caller.js';
import { checkMoves } from './act-upon.js';
import type { LoginDeps } from './login-of.js';

const shared = {
  since: '1.0.0',
  tag: 'team',
  method: 'POST' as const,
  access: { ...forUserAdmins, licence: 'team' as const, licenceRefusal: 403 as const },
};
const errors = [...userAdminCodes, 'LICENCE_TOO_LOW', 'TEAM_UNKNOWN', 'TEAM_INVALID'] as const;
const teamName = (joi: JoiRoot) => joi.string().max(400).required().description('1 to 100 characters');
const teamId = (joi: JoiRoot) => idField(joi).required().description('Id of the team');
const member = (joi: JoiRoot) =>
  joi.object({ teamId: teamId(joi), userId: idField(joi).required().description('Id of the user') });
const done = { description: 'Done', json: messageAnswer };
const ids = (payload: Readonly<Record<string, unknown>>): [userId: string, teamId: string] => [
  String(payload['userId']),
  String(payload['teamId']),
];

/** Teams (`docs/interface/auth.yml`, `/api/v1/team/`); they need a Team licence. */
export function teamEndpoints(deps: LoginDeps): Endpoint[] {
  return [...nameEndpoints(deps), ...memberEndpoints(deps)];
}

function nameEndpoints(deps: LoginDeps): Endpoint[] {
  return [
    defineEndpoint({
      ...shared,
      id: 'createTeam',
      path: 'team/create',
      summary: 'Create a team',
      request: { payloadType: 'form', payload: (joi) => joi.object({ name: teamName(joi).example('Accounts') }) },
      returns: {
        description: 'Done',
        json: (joi) =>
          joi
            .object({ message: joi.string().required(), teamId: joi.number().integer().required() })
            .label('TeamCreated'),
        links: ['renameTeam', 'deleteTeam', 'addUserToTeam', 'setTeamOwner', 'removeTeamOwner'].map((to) => ({
          to,
          payload: { teamId: '$response.body#/teamId' },
        })),
      },
      errors: [...userAdminCodes, 'LICENCE_TOO_LOW', 'TEAM_INVALID', 'TEAM_TAKEN'],
      handle: async ({ payload }) => {
        const { id } = await accountsOf(deps).teams.create(payload['name'] as string);
        return { json: { message: 'Team created', teamId: Number(id) } };
      },
    }),
    defineEndpoint({
      ...shared,
      id: 'renameTeam',
      path: 'team/rename',
      summary: 'Rename a team',
      request: {
        payloadType: 'form',
        payload: (joi) => joi.object({ teamId: teamId(joi), newName: teamName(joi).example('Accounting') }),
      },
      returns: done,
      errors: [...errors, 'TEAM_TAKEN'],
      handle: async ({ payload }) => {
        await accountsOf(deps).teams.rename(String(payload['teamId']), payload['newName'] as string);
        return { json: { message: 'Team renamed' } };
      },
    }),
    defineEndpoint({
      ...shared,
      id: 'deleteTeam',
      path: 'team/delete',
      summary: 'Delete an empty team',
      request: { payloadType: 'form', payload: (joi) => joi.object({ teamId: teamId(joi) }) },
      returns: done,
      errors: [...errors],
      handle: async ({ payload }) => {
        await accountsOf(deps).teams.delete(String(payload['teamId']));
        return { json: { message: 'Team deleted' } };
      },
    }),
  ];
}

function memberEndpoints(deps: LoginDeps): Endpoint[] {
  return [
    defineEndpoint({
      ...shared,
      id: 'addUserToTeam',
      path: 'team/addUser',
      summary: 'Move a user into a team',
      request: { payloadType: 'form', payload: member },
      returns: done,
      errors: [...errors, 'USER_UNKNOWN', 'ACCOUNT_BUILT_IN', 'ACCOUNT_OWN'],
      handle: async ({ payload, principal }) => {
        await checkMoves(deps, principal, ...ids(payload));
        await accountsOf(deps).administration.moveToTeam(...ids(payload));
        return { json: { message: 'User added to the team' } };
      },
    }),
    ...(
      [
        ['setTeamOwner', 'team/setOwner', 'Make a member owner of a team', true],
        ['removeTeamOwner', 'team/removeOwner', 'Remove an owner of a team', false],
      ] as const
    ).map(([id, path, summary, lead]) =>
      defineEndpoint({
        ...shared,
        id,
        path,
        summary,
        request: { payloadType: 'form', payload: member },
        returns: done,
        errors: [...errors, 'USER_UNKNOWN', 'ACCOUNT_BUILT_IN', 'ACCOUNT_OWN'],
        handle: async ({ payload, principal }) => {
          await checkMoves(deps, principal, ...ids(payload));
          await accountsOf(deps).administration.setLead(...ids(payload), lead);
          return { json: { message: lead ? 'Owner set' : 'Owner removed' } };
        },
      }),
    ),
  ];
}
