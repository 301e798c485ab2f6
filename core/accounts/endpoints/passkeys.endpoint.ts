import {
  AccessError,
  defineEndpoint,
  type CallSite,
  type Endpoint,
  type EndpointRequest,
  type JoiRoot,
  type Principal,
} from '@quire/registry';
import type { User } from '../index.js';
import {
  CHALLENGE_MINUTES,
  MAX_PASSKEYS,
  type RegistrationResponseJSON,
  type RelyingParty,
} from '../passkeys/index.js';
import {
  accountsOf,
  callerOf,
  confirmField,
  forUserAdmins,
  forUsers,
  keepAskingSession,
  userAdminCodes,
  userCodes,
  userParams,
} from './account-caller.js';
import { checkActsUpon } from './act-upon.js';
import { confirmCaller, confirmCodes, type ConfirmDeps } from './confirm-caller.js';
import { LARGEST_ANSWER, createdPasskey, creationOptions, passkeyBody, passkeysBody } from './passkey-bodies.js';

export interface PasskeyDeps extends ConfirmDeps {
  /** Returns the site that passkeys are for. Throws PASSKEYS_UNUSABLE. */
  relyingParty(site: CallSite | undefined): RelyingParty;
}

const own = { since: '1.0.0', tag: 'auth', access: { ...forUsers, needsSession: true } } as const;
/** Callers who must set up a second factor may register a passkey instead. */
const registering = {
  ...own,
  access: { ...own.access, openBefore: ['secondFactor'], needsSettings: ['security.passkeys.enabled'] },
} as const;
const others = { since: '1.0.0', tag: 'user', access: forUserAdmins } as const;
const idField = (joi: JoiRoot) => joi.string().max(100).required().description('Id of the passkey, from the list');
const nameOfPasskey = (joi: JoiRoot) => joi.string().trim().min(1).max(100).example('Laptop');
const oneBody = (joi: JoiRoot) => joi.object({ passkey: passkeyBody(joi).required() }).label('PasskeyAnswer');
const endsSessions = 'Ends all your sessions except the one that sends the request.';

/** Registers, lists, renames and removes passkeys: those of the caller, and for administrators those of any user. */
export function passkeyEndpoints(deps: PasskeyDeps): Endpoint[] {
  return [...registration(deps), ...ownPasskeys(deps), ...passkeysOfUsers(deps)];
}

function registration(deps: PasskeyDeps): Endpoint[] {
  return [
    defineEndpoint({
      ...registering,
      id: 'beginPasskeyRegistration',
      method: 'POST',
      path: 'auth/passkeys/registration/begin',
      summary: 'Begin registering a passkey',
      notes:
        `Valid for ${CHALLENGE_MINUTES} minutes, once, in this session; a further call replaces it. A user may have ` +
        `${MAX_PASSKEYS} passkeys.`,
      request: { payload: (joi) => joi.object({ password: confirmField(joi) }) },
      examples: [{ title: 'after a recent login', payload: {} }],
      returns: {
        description: 'Options for navigator.credentials.create',
        json: (joi) => joi.object({ publicKey: creationOptions(joi) }).label('PasskeyRegistration'),
      },
      errors: [...userCodes, ...confirmCodes, 'PASSKEYS_UNUSABLE', 'PASSKEY_LIMIT', 'PASSKEY_WEB_ONLY'],
      handle: async (request) => ({ json: await begin(deps, request) }),
    }),
    defineEndpoint({
      ...registering,
      id: 'finishPasskeyRegistration',
      method: 'POST',
      path: 'auth/passkeys/registration/finish',
      summary: 'Register a passkey',
      notes: endsSessions,
      request: {
        maxBytes: LARGEST_ANSWER,
        payload: (joi) =>
          joi.object({
            name: nameOfPasskey(joi).description('Default: Passkey and a number'),
            credential: createdPasskey(joi).required(),
          }),
      },
      returns: {
        description: 'The passkey',
        status: 201,
        json: oneBody,
        links: [
          { to: 'renamePasskey', parameters: { id: '$response.body#/passkey/id' } },
          { to: 'removePasskey', parameters: { id: '$response.body#/passkey/id' } },
        ],
      },
      errors: [
        ...userCodes,
        'PASSKEY_CHALLENGE_INVALID',
        'PASSKEY_SITE_INVALID',
        'PASSKEY_INVALID',
        'PASSKEY_EXISTS',
        'PASSKEY_LIMIT',
        'PASSKEY_WEB_ONLY',
      ],
      handle: async (request) => ({ json: await finish(deps, request) }),
    }),
  ];
}

async function begin(deps: PasskeyDeps, { payload, principal, site }: EndpointRequest): Promise<object> {
  const { id: userId } = await callerOf(deps, principal);
  const rp = deps.relyingParty(site);
  await confirmCaller(deps, principal, payload['password'] as string | undefined);
  const session = { userId, sessionId: sessionOf(principal) };
  return { publicKey: await accountsOf(deps).passkeys.beginRegistration(session, rp) };
}

async function finish(deps: PasskeyDeps, { payload, principal }: EndpointRequest): Promise<object> {
  const { id: userId } = await callerOf(deps, principal);
  const { credential, name } = payload as { credential: RegistrationResponseJSON; name?: string };
  const session = { userId, sessionId: sessionOf(principal) };
  const { passkey, changed } = await accountsOf(deps).passkeys.finishRegistration(session, credential, name);
  await keepAskingSession(deps, principal, changed);
  return { passkey };
}

/** Returns the session of the caller; the guard has refused callers without one before. */
function sessionOf({ sessionId }: Principal): string {
  if (sessionId === undefined) throw new AccessError('SESSION_REQUIRED');
  return sessionId;
}

function ownPasskeys(deps: PasskeyDeps): Endpoint[] {
  return [
    defineEndpoint({
      ...own,
      access: { ...own.access, openBefore: ['secondFactor'] },
      id: 'listPasskeys',
      method: 'GET',
      path: 'auth/passkeys',
      summary: 'List your passkeys',
      returns: {
        description: 'The passkeys',
        json: passkeysBody,
        links: [
          { to: 'renamePasskey', parameters: { id: '$response.body#/passkeys/0/id' } },
          { to: 'removePasskey', parameters: { id: '$response.body#/passkeys/0/id' } },
        ],
      },
      errors: [...userCodes],
      handle: async ({ principal }) => ({ json: await listOf(deps, await callerOf(deps, principal)) }),
    }),
    defineEndpoint({
      ...own,
      id: 'renamePasskey',
      method: 'PATCH',
      path: 'auth/passkeys/{id}',
      summary: 'Rename a passkey',
      request: {
        params: (joi) => joi.object({ id: idField(joi) }),
        payload: (joi) => joi.object({ name: nameOfPasskey(joi).required() }),
      },
      returns: { description: 'The passkey', json: oneBody },
      errors: [...userCodes, 'NOT_FOUND'],
      handle: async ({ params: { id = '' }, payload, principal }) => {
        const user = await callerOf(deps, principal);
        return { json: { passkey: await accountsOf(deps).passkeys.rename(user.id, id, payload['name'] as string) } };
      },
    }),
    defineEndpoint({
      ...own,
      id: 'removePasskey',
      method: 'DELETE',
      path: 'auth/passkeys/{id}',
      summary: 'Remove a passkey',
      notes: `Needs a session that began in the last minutes (security.recentLoginMinutes). ${endsSessions}`,
      request: { params: (joi) => joi.object({ id: idField(joi) }) },
      returns: { description: 'Removed', status: 204 },
      errors: [...userCodes, ...confirmCodes, 'NOT_FOUND'],
      handle: async ({ params: { id = '' }, principal }) => {
        const user = await callerOf(deps, principal);
        await confirmCaller(deps, principal, null);
        await keepAskingSession(deps, principal, await accountsOf(deps).passkeys.remove(user.id, id));
        return {};
      },
    }),
  ];
}

function passkeysOfUsers(deps: PasskeyDeps): Endpoint[] {
  const codes = [...userAdminCodes, 'USER_UNKNOWN', 'ACCOUNT_BUILT_IN'] as const;
  const passkeys = () => accountsOf(deps).passkeys;
  const userOf = (username: string): Promise<User> => accountsOf(deps).users.changeable(username);
  return [
    defineEndpoint({
      ...others,
      id: 'listPasskeysOfUser',
      method: 'GET',
      path: 'user/admin/passkeys/{username}',
      summary: 'List the passkeys of a user',
      request: { params: userParams },
      returns: {
        description: 'The passkeys',
        json: passkeysBody,
        links: [
          {
            to: 'removePasskeyOfUser',
            parameters: { username: '$request.path.username', id: '$response.body#/passkeys/0/id' },
          },
        ],
      },
      errors: [...codes],
      handle: async ({ params: { username = '' } }) => ({ json: await listOf(deps, await userOf(username)) }),
    }),
    defineEndpoint({
      ...others,
      id: 'removePasskeysOfUser',
      method: 'DELETE',
      path: 'user/admin/passkeys/{username}',
      summary: 'Remove all passkeys of a user',
      notes: "Ends the user's sessions. A session that sends the request goes on.",
      request: { params: userParams },
      returns: {
        description: 'Done',
        json: (joi) =>
          joi
            .object({ removed: joi.number().integer().required().description('Number of passkeys that were removed') })
            .label('RemovedPasskeys'),
      },
      errors: [...codes],
      handle: async ({ params: { username = '' }, principal }) => {
        await checkActsUpon(deps, principal, username);
        const { removed, changed } = await passkeys().removeAll((await userOf(username)).id);
        await keepAskingSession(deps, principal, changed);
        return { json: { removed } };
      },
    }),
    defineEndpoint({
      ...others,
      id: 'removePasskeyOfUser',
      method: 'DELETE',
      path: 'user/admin/passkeys/{username}/{id}',
      summary: 'Remove a passkey of a user',
      notes: "Ends the user's sessions. A session that sends the request goes on.",
      request: { params: (joi) => userParams(joi).keys({ id: idField(joi) }) },
      returns: { description: 'Removed', status: 204 },
      errors: [...codes, 'NOT_FOUND'],
      handle: async ({ params: { username = '', id = '' }, principal }) => {
        await checkActsUpon(deps, principal, username);
        const changed = await passkeys().remove((await userOf(username)).id, id);
        await keepAskingSession(deps, principal, changed);
        return {};
      },
    }),
  ];
}

async function listOf(deps: PasskeyDeps, { id }: User): Promise<object> {
  return { passkeys: await accountsOf(deps).passkeys.list(id) };
}
