import {
  InputError,
  defineEndpoint,
  type Endpoint,
  type EndpointRequest,
  type JoiRoot,
  type Mailer,
} from '@quire/registry';
import { isMailAddress, type AuthenticationType } from '../index.js';
import {
  accountsOf,
  forUserAdmins,
  idField,
  idText,
  messageAnswer,
  nameField,
  passwordField,
  userAdminCodes,
  userParams,
} from './account-caller.js';
import { checkActsUpon, checkGives } from './act-upon.js';
import { languageHints, passwordMail } from './account-mails.js';
import type { LoginDeps } from './login-of.js';
import type { Settings } from '../../settings/index.js';

export interface UserAdminDeps extends LoginDeps {
  readonly mailer: Mailer;
  readonly settings: Settings;
}

const shared = { since: '1.0.0', tag: 'user', access: forUserAdmins, method: 'POST' as const };
/** The name of a role in a request. */
export const roleField = (joi: JoiRoot) =>
  joi
    .string()
    .max(100)
    .description('ROLE_USER, ROLE_ADMIN or another role (`GET /api/v1/admin/roles`)')
    .example('ROLE_USER');
const changeErrors = [...userAdminCodes, 'USER_UNKNOWN', 'ACCOUNT_OWN', 'ACCOUNT_BUILT_IN'] as const;
const teamErrors = ['TEAM_INVALID'] as const;

/** Endpoints with which administrators manage accounts (`docs/interface/auth.yml`, `/api/v1/user/admin/`). */
export function userAdminEndpoints(deps: UserAdminDeps): Endpoint[] {
  return [saveUser(deps), changeRole(deps), setPassword(deps), ...byName(deps)];
}

function saveUser(deps: UserAdminDeps): Endpoint {
  return defineEndpoint({
    ...shared,
    id: 'saveUser',
    path: 'user/admin/saveUser',
    summary: 'Create a user',
    request: {
      payloadType: 'form',
      payload: (joi) =>
        joi.object({
          username: nameField(joi).description(
            '3 to 50 letters and digits, with single @ . _ + - between them, or a mail address',
          ),
          password: passwordField(joi)
            .allow('')
            .empty('')
            .description('At least 8 characters, not a common password; required if authType is web'),
          role: roleField(joi).empty('').description('Default: security.defaultRole'),
          teamId: idField(joi).description('Team of the user; default: the default team'),
          authType: joi
            .string()
            .insensitive()
            .valid('web', 'oauth2', 'saml2', 'SSO')
            .required()
            .description('How the user logs in; SSO means oauth2'),
          forceChange: joi.boolean().default(false).description('The user must change the password'),
          forceMFA: joi.boolean().default(false).description('The user must set up a second factor'),
        }),
    },
    examples: [
      {
        title: 'a user with a password',
        payload: { username: 'ada.lovelace', password: 'her password', role: 'ROLE_USER', authType: 'web' },
      },
    ],
    returns: {
      description: 'Done',
      json: (joi) =>
        joi
          .object({ message: joi.string().required(), userId: joi.number().integer().required() })
          .label('UserCreated'),
      links: [
        ...['changeRole', 'changePasswordForUser', 'shareStoredFile'].map((to) => ({
          to,
          payload: { username: '$request.body#/username' },
        })),
        ...['addUserToTeam', 'setTeamOwner', 'removeTeamOwner'].map((to) => ({
          to,
          payload: { userId: '$response.body#/userId' },
        })),
        ...[
          'changeUserEnabled',
          'unlockUser',
          'disableMfaOfUser',
          'listSessionsOfUser',
          'endSessionsOfUser',
          'listPasskeysOfUser',
          'removePasskeysOfUser',
          'deleteUser',
        ].map((to) => ({ to, parameters: { username: '$request.body#/username' } })),
      ],
    },
    errors: [
      ...userAdminCodes,
      ...teamErrors,
      'USERNAME_INVALID',
      'PASSWORD_INVALID',
      'ROLE_INVALID',
      'USER_CAP_REACHED',
      'USERNAME_TAKEN',
    ],
    handle: ({ payload, principal }) => createUser(deps, payload, principal),
  });
}

async function createUser(
  deps: UserAdminDeps,
  payload: EndpointRequest['payload'],
  caller: EndpointRequest['principal'],
): Promise<{ readonly json: object }> {
  const {
    username,
    password,
    role: wanted,
    teamId,
    authType,
    forceChange,
    forceMFA,
  } = payload as {
    username: string;
    password?: string;
    role?: string;
    teamId?: number;
    authType: string;
    forceChange: boolean;
    forceMFA: boolean;
  };
  const type = authType.toLowerCase() === 'sso' ? 'oauth2' : (authType.toLowerCase() as AuthenticationType);
  const { id } = await accountsOf(deps).administration.create({
    username,
    password,
    role: checkGives(deps, caller, { role: wanted, teamId: idText(teamId) }),
    teamId: idText(teamId),
    authenticationType: type,
    mustChangePassword: forceChange && type === 'web',
    mfaRequired: forceMFA && type === 'web',
  });
  return { json: { message: 'User created', userId: Number(id) } };
}

function changeRole(deps: UserAdminDeps): Endpoint {
  return defineEndpoint({
    ...shared,
    id: 'changeRole',
    path: 'user/admin/changeRole',
    summary: 'Change the role and team of a user',
    notes: "Ends the user's sessions.",
    request: {
      payloadType: 'form',
      payload: (joi) =>
        joi.object({
          username: nameField(joi).description('Name of the user'),
          role: roleField(joi).required(),
          teamId: idField(joi).description('New team; unchanged if missing'),
        }),
    },
    returns: { description: 'Done', json: messageAnswer },
    errors: [...changeErrors, ...teamErrors, 'ROLE_INVALID', 'ACCOUNT_LAST_ADMIN'],
    handle: async ({ payload, principal }) => {
      const username = payload['username'] as string;
      const teamId = idText(payload['teamId']);
      await checkActsUpon(deps, principal, username);
      const to = checkGives(deps, principal, { role: payload['role'] as string, teamId });
      await accountsOf(deps).administration.changeRole(principal.id, username, to, teamId);
      return { json: { message: 'Role changed' } };
    },
  });
}

function setPassword(deps: UserAdminDeps): Endpoint {
  const flag = (joi: JoiRoot, text: string) => joi.boolean().default(false).description(text);
  return defineEndpoint({
    ...shared,
    id: 'changePasswordForUser',
    path: 'user/admin/changePasswordForUser',
    summary: 'Set the password of a user',
    notes: "Ends the user's sessions. A random password is only sent by mail.",
    request: {
      payloadType: 'form',
      payload: (joi) =>
        joi.object({
          username: nameField(joi).description('Name of the user'),
          newPassword: passwordField(joi)
            .allow('')
            .empty('')
            .description('At least 8 characters, not a common password'),
          generateRandom: flag(joi, 'Generate a password of 12 hexadecimal characters'),
          sendEmail: flag(joi, 'Notify the user by mail; the user name must be a mail address'),
          includePassword: flag(joi, 'Include the password in the mail'),
          forcePasswordChange: flag(joi, 'The user must change the password'),
        }),
    },
    examples: [
      {
        title: 'a password that the administrator passes on',
        payload: { username: 'ada.lovelace', newPassword: 'another password' },
      },
    ],
    returns: { description: 'Done', json: messageAnswer },
    errors: [...changeErrors, 'PASSWORD_INVALID', 'MAIL_UNUSABLE', 'REMOTE_UNREACHABLE', 'MAIL_REFUSED'],
    handle: async ({ payload, principal, headers }) => {
      const { username, newPassword, generateRandom, sendEmail, includePassword, forcePasswordChange } = payload as {
        username: string;
        newPassword?: string;
        generateRandom: boolean;
        sendEmail: boolean;
        includePassword: boolean;
        forcePasswordChange: boolean;
      };
      if (!generateRandom && newPassword === undefined)
        throw new InputError('PASSWORD_INVALID', { detail: 'newPassword is missing and generateRandom is false' });
      // Check this first: nobody would learn the new password, and the user would be locked out.
      if (sendEmail && !deps.mailer.usable)
        throw new InputError('MAIL_UNUSABLE', { detail: 'Mail is not set up on this server' });
      if (sendEmail && !isMailAddress(username.trim()))
        throw new InputError('MAIL_UNUSABLE', { detail: 'The user name is not a mail address' });
      await checkActsUpon(deps, principal, username);
      const password = await accountsOf(deps).administration.setPassword(
        principal.id,
        username,
        generateRandom ? 'random' : (newPassword ?? ''),
        forcePasswordChange,
      );
      if (sendEmail) {
        const { users } = accountsOf(deps);
        const id = (await users.byName(username))?.id;
        const basis = { settings: deps.settings, hints: await languageHints(deps.settings, headers, { users, id }) };
        await deps.mailer.send(await passwordMail(username.trim(), includePassword ? password : undefined, basis));
      }
      return { json: { message: sendEmail ? 'Password changed and mail sent' : 'Password changed' } };
    },
  });
}

function byName(deps: UserAdminDeps): Endpoint[] {
  const params = userParams;
  return [
    defineEndpoint({
      ...shared,
      id: 'changeUserEnabled',
      path: 'user/admin/changeUserEnabled/{username}',
      summary: 'Enable or disable a user',
      notes: "Disabling ends the user's sessions and keys at once.",
      request: {
        params,
        payloadType: 'form',
        payload: (joi) =>
          joi.object({ enabled: joi.boolean().required().description('Whether the user may log in').example(true) }),
      },
      returns: { description: 'Done', json: messageAnswer },
      errors: [...changeErrors, 'ACCOUNT_LAST_ADMIN', 'USER_CAP_REACHED'],
      handle: async ({ params: { username = '' }, payload: { enabled }, principal }) => {
        await checkActsUpon(deps, principal, username);
        await accountsOf(deps).administration.setEnabled(principal.id, username, enabled as boolean);
        return { json: { message: enabled === true ? 'User enabled' : 'User disabled' } };
      },
    }),
    defineEndpoint({
      ...shared,
      id: 'deleteUser',
      path: 'user/admin/deleteUser/{username}',
      summary: 'Delete a user',
      notes: "Ends the user's keys and sessions at once.",
      request: { params },
      returns: { description: 'Done', json: messageAnswer },
      errors: [...changeErrors, 'ACCOUNT_LAST_ADMIN'],
      handle: async ({ params: { username = '' }, principal }) => {
        await checkActsUpon(deps, principal, username);
        await accountsOf(deps).administration.delete(principal.id, username);
        return { json: { message: 'User deleted' } };
      },
    }),
    defineEndpoint({
      ...shared,
      id: 'unlockUser',
      path: 'user/admin/unlockUser/{username}',
      summary: 'Unlock a user after failed logins',
      request: { params },
      returns: { description: 'Done', json: messageAnswer },
      errors: [...userAdminCodes, 'USER_UNKNOWN', 'ACCOUNT_BUILT_IN'],
      handle: async ({ params: { username = '' }, principal }) => {
        await checkActsUpon(deps, principal, username);
        await accountsOf(deps).administration.unlock(username);
        return { json: { message: 'User unlocked' } };
      },
    }),
  ];
}
