import { InputError, defineEndpoint, type Endpoint, type JoiRoot } from '@quire/registry';
import type { User } from '../index.js';
import type { SessionRecord } from '../sessions/index.js';
import {
  accountsOf,
  callerOf,
  forUserAdmins,
  forUsers,
  nameField,
  userAdminCodes,
  userCodes,
} from './account-caller.js';
import { checkActsUpon } from './act-upon.js';
import { loginOf, type LoginDeps } from './login-of.js';

const own = { since: '1.0.0', tag: 'auth', access: { ...forUsers, needsSession: true } } as const;
const others = { since: '1.0.0', tag: 'user', access: forUserAdmins } as const;
const sessionId = (joi: JoiRoot) => joi.string().max(100).required().description('Id of the session, from the list');
const userName = (joi: JoiRoot) => nameField(joi).description('Name of the user');

const sessionsBody = (joi: JoiRoot) => {
  const time = (text: string) => joi.string().isoDate().required().description(text);
  return joi
    .object({
      sessions: joi
        .array()
        .items(
          joi
            .object({
              id: joi.string().required(),
              current: joi.boolean().required().description('The session that sent this request'),
              signedIn: time('Time of the login'),
              lastUsed: time('Time of the last use, exact to ten minutes'),
              ends: time('When the session ends, however often its token is refreshed'),
              address: joi.string().required().description('IP address of the login'),
              client: joi.string().allow('').required().description('User-Agent of the login'),
              method: joi
                .string()
                .valid('password', 'passkey', 'provider')
                .required()
                .description('How the user logged in'),
              desktop: joi.boolean().required().description('The client is a desktop app'),
            })
            .label('LoginSession'),
        )
        .required()
        .description('The latest login first'),
    })
    .label('LoginSessions');
};
const endedBody = (joi: JoiRoot) =>
  joi
    .object({ ended: joi.number().integer().required().description('Number of sessions that were ended') })
    .label('EndedSessions');

/** Lists and ends sessions: those of the caller, and for administrators those of any user. */
export function sessionEndpoints(deps: LoginDeps): Endpoint[] {
  return [...ownSessions(deps), ...sessionsOfUsers(deps)];
}

function ownSessions(deps: LoginDeps): Endpoint[] {
  return [
    defineEndpoint({
      ...own,
      id: 'listSessions',
      method: 'GET',
      path: 'auth/sessions',
      summary: 'List your sessions',
      returns: {
        description: 'The sessions that have not ended',
        json: sessionsBody,
        links: [{ to: 'endSession', parameters: { id: '$response.body#/sessions/0/id' } }],
      },
      errors: [...userCodes],
      handle: async ({ principal }) => ({
        json: await listOf(deps, await callerOf(deps, principal), principal.sessionId),
      }),
    }),
    defineEndpoint({
      ...own,
      id: 'endOtherSessions',
      method: 'DELETE',
      path: 'auth/sessions',
      summary: 'End your other sessions',
      notes: 'The session that sends the request goes on.',
      returns: { description: 'Done', json: endedBody },
      errors: [...userCodes],
      handle: async ({ principal }) => ({
        json: { ended: await loginOf(deps).sessions.revokeAll(await callerOf(deps, principal), principal.sessionId) },
      }),
    }),
    defineEndpoint({
      ...own,
      id: 'endSession',
      method: 'DELETE',
      path: 'auth/sessions/{id}',
      summary: 'End one of your sessions',
      request: { params: (joi) => joi.object({ id: sessionId(joi) }) },
      returns: { description: 'Ended', status: 204 },
      errors: [...userCodes, 'NOT_FOUND'],
      handle: async ({ params, principal }) => {
        await loginOf(deps).sessions.revoke(await callerOf(deps, principal), params['id'] ?? '');
        return {};
      },
    }),
  ];
}

function sessionsOfUsers(deps: LoginDeps): Endpoint[] {
  const codes = [...userAdminCodes, 'USER_UNKNOWN'] as const;
  const params = (joi: JoiRoot) => joi.object({ username: userName(joi) });
  return [
    defineEndpoint({
      ...others,
      id: 'listSessionsOfUser',
      method: 'GET',
      path: 'user/admin/sessions/{username}',
      summary: 'List the sessions of a user',
      request: { params },
      returns: {
        description: 'The sessions that have not ended',
        json: sessionsBody,
        links: [
          {
            to: 'endSessionOfUser',
            parameters: { username: '$request.path.username', id: '$response.body#/sessions/0/id' },
          },
        ],
      },
      errors: [...codes],
      handle: async ({ params: { username = '' }, principal }) => ({
        json: await listOf(deps, await userOf(deps, username), principal.sessionId),
      }),
    }),
    defineEndpoint({
      ...others,
      id: 'endSessionsOfUser',
      method: 'DELETE',
      path: 'user/admin/sessions/{username}',
      summary: 'End all sessions of a user',
      notes: 'API keys go on working. A session that sends the request goes on, too.',
      request: { params },
      returns: { description: 'Done', json: endedBody },
      errors: [...codes],
      handle: async ({ params: { username = '' }, principal }) => {
        await checkActsUpon(deps, principal, username);
        const user = await userOf(deps, username);
        return { json: { ended: await loginOf(deps).sessions.revokeAll(user, principal.sessionId) } };
      },
    }),
    defineEndpoint({
      ...others,
      id: 'endSessionOfUser',
      method: 'DELETE',
      path: 'user/admin/sessions/{username}/{id}',
      summary: 'End a session of a user',
      request: { params: (joi) => joi.object({ username: userName(joi), id: sessionId(joi) }) },
      returns: { description: 'Ended', status: 204 },
      errors: [...codes, 'NOT_FOUND'],
      handle: async ({ params: { username = '', id = '' }, principal }) => {
        await checkActsUpon(deps, principal, username);
        await loginOf(deps).sessions.revoke(await userOf(deps, username), id);
        return {};
      },
    }),
  ];
}

async function userOf(deps: LoginDeps, username: string): Promise<User> {
  const user = await accountsOf(deps).byName(username);
  if (user === undefined) throw new InputError('USER_UNKNOWN');
  return user;
}

async function listOf(deps: LoginDeps, user: User, current: string | undefined): Promise<object> {
  const sessions = await loginOf(deps).sessions.list(user);
  return { sessions: sessions.map((session) => toWire(session, current)) };
}

function toWire(session: SessionRecord, current: string | undefined): object {
  const { id, signedInAtMs, lastUsedAtMs, endsAtMs, address, client, method = 'password', desktop } = session;
  const time = (ms: number): string => new Date(ms).toISOString();
  return {
    id,
    current: id === current,
    signedIn: time(signedInAtMs),
    lastUsed: time(lastUsedAtMs),
    ends: time(endsAtMs),
    address,
    client,
    method,
    desktop,
  };
}
