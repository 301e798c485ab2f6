import {
  InputError,
  defineEndpoint,
  isQuireError,
  type Endpoint,
  type EndpointRequest,
  type JoiRoot,
  type Principal,
} from '@quire/registry';
import {
  accountsOf,
  callerOf,
  credentialsAnswer,
  forUsers,
  keepAskingSession,
  messageAnswer,
  nameField,
  passwordField,
  revokeFields,
  userCodes,
} from './account-caller.js';
import { MAX_REGISTRATIONS } from '../index.js';
import { pictureVersion } from './profile-fields.js';
import { loginOf, type LoginDeps } from './login-of.js';
import type { User } from '../index.js';
import type { Settings } from '../../settings/index.js';

export interface UsersDeps extends LoginDeps {
  readonly settings: Settings;
}

const tag = 'user';
const since = '1.0.0';
const passwordErrors = ['PASSWORD_WRONG', 'PASSWORD_INVALID', 'ATTEMPTS_USED_UP'] as const;
const passwordUpdated = {
  message: 'credsUpdated',
  description: 'The password was changed. This session goes on; all others have ended.',
};
const credentialsUpdated = { message: 'credsUpdated', description: 'Log in again with the new credentials.' };

/** Most settings of one user; `MAX_SETTING_LENGTH` limits each value. */
const MAX_SETTINGS = 100;
const MAX_SETTING_LENGTH = 4000;

const registered = (joi: JoiRoot) =>
  joi
    .object({
      user: joi
        .object({
          id: joi.number().integer().required(),
          email: joi.string().required(),
          username: joi.string().required(),
          role: joi.string().required(),
          enabled: joi.boolean().required(),
          app_metadata: joi.object({ provider: joi.string().required() }).required(),
        })
        .required()
        .label('RegisteredUser'),
      message: joi.string().required(),
    })
    .label('Registration');

const listed = (joi: JoiRoot) =>
  joi
    .array()
    .items(
      joi
        .object({
          userId: joi.number().integer().required(),
          username: joi.string().required(),
          displayName: joi.string().required().description("The person's name; the user name where there is none"),
          pictureVersion: pictureVersion(joi),
          teamName: joi.string().allow(null).required(),
          enabled: joi.boolean().required(),
        })
        .label('PickedUser'),
    )
    .label('PickedUsers');

/** Matches any name, so that an invalid one is rejected by the check below and not ignored. */
const settingsBody = (joi: JoiRoot) =>
  joi
    .object()
    .pattern(/^[^]*$/, joi.string().allow('').max(MAX_SETTING_LENGTH))
    .max(MAX_SETTINGS)
    .example({ theme: 'dark' })
    .custom((values: Readonly<Record<string, string>>, helpers) =>
      Object.keys(values).every((name) => /^[\w.:-]{1,100}$/.test(name))
        ? values
        : helpers.message({ custom: 'contains a name that is not 1 to 100 letters, digits and . _ : -' }),
    );

/**
 * Endpoints for a user's own account, and the list of users to choose from (`docs/interface/auth.yml`,
 * `/api/v1/user/`).
 */
export function userEndpoints(deps: UsersDeps): Endpoint[] {
  return [registration(deps), ...credentials(deps), ...settings(deps), picker(deps)];
}

function registration(deps: UsersDeps): Endpoint {
  return defineEndpoint({
    id: 'registerUser',
    method: 'POST',
    path: 'user/register',
    since,
    tag,
    access: forUsers,
    summary: 'Register a new account',
    notes:
      'The account is disabled, and does not count for the user limit, until an administrator enables it. You can ' +
      `have ${MAX_REGISTRATIONS} such accounts; administrators have no limit.`,
    request: {
      payload: (joi) =>
        joi.object({
          username: nameField(joi)
            .description('3 to 50 letters and digits, with single @ . _ + - between them, or a mail address')
            .example('grace.hopper'),
          password: passwordField(joi)
            .required()
            .allow('')
            .description('At least 8 characters, not a common password')
            .example('her password'),
        }),
    },
    returns: { description: 'The account', status: 201, json: registered },
    errors: [...userCodes, 'USERNAME_INVALID', 'REGISTRATION_REFUSED', 'REGISTRATION_LIMIT', 'PASSWORD_INVALID'],
    handle: async ({ payload: { username, password }, principal }) => {
      const accounts = accountsOf(deps);
      const user = await accounts.users
        .register(await callerOf(deps, principal), username as string, password as string)
        .catch((error: unknown) => {
          throw isQuireError(error) && error.code === 'USERNAME_TAKEN' ? new InputError('REGISTRATION_REFUSED') : error;
        });
      const { id, email, username: name, role, enabled, app_metadata } = await accounts.toWire(user);
      return {
        json: {
          user: { id, email, username: name, role, enabled, app_metadata },
          message: 'Account created; an administrator must enable it.',
        },
      };
    },
  });
}

function credentials(deps: UsersDeps): Endpoint[] {
  return [passwordChange(deps), generatedPassword(deps), usernameChange(deps)];
}

/** Keeps the session that asked, and revokes the keys and passkeys of the account if that was asked for. */
async function afterPasswordChange(
  deps: UsersDeps,
  principal: Principal,
  changed: User,
  { revokeKeys, revokePasskeys }: EndpointRequest['payload'],
): Promise<void> {
  const { accounts, keys } = loginOf(deps);
  // Before the session is kept: this ends all sessions, too.
  const last = revokePasskeys === true ? (await accounts.passkeys.removeAll(changed.id)).changed : changed;
  await keepAskingSession(deps, principal, last);
  if (revokeKeys === true) await keys.revokeAll(changed.id);
}

function passwordChange(deps: UsersDeps): Endpoint {
  return defineEndpoint({
    id: 'changePassword',
    method: 'POST',
    path: 'user/change-password',
    since,
    tag,
    access: { ...forUsers, openBefore: ['password'] },
    summary: 'Change your password',
    notes: 'Ends all your sessions except the one that sends the request.',
    request: {
      payloadType: 'form',
      payload: (joi) =>
        joi.object({
          currentPassword: passwordField(joi).required().description('Your current password').example('the password'),
          newPassword: passwordField(joi)
            .required()
            .description('At least 8 characters, not a common password')
            .example('the next password'),
          ...revokeFields(joi),
        }),
    },
    returns: { description: 'Done', json: credentialsAnswer },
    errors: [...userCodes, ...passwordErrors],
    handle: async ({ payload, principal }) => {
      const user = await callerOf(deps, principal);
      const changed = await accountsOf(deps).own.changePassword(
        user.id,
        payload['currentPassword'] as string,
        payload['newPassword'] as string,
      );
      await afterPasswordChange(deps, principal, changed, payload);
      return { json: passwordUpdated };
    },
  });
}

function generatedPassword(deps: UsersDeps): Endpoint {
  return defineEndpoint({
    id: 'changePasswordOnLogin',
    method: 'POST',
    path: 'user/change-password-on-login',
    since,
    tag,
    access: { ...forUsers, openBefore: ['password'] },
    summary: 'Replace a password that the server generated',
    notes: 'Ends all your sessions except the one that sends the request. All three fields are required.',
    request: {
      payloadType: 'form',
      payload: (joi) => {
        // A missing field gets its own error code, which clients compare.
        const field = (text: string) => passwordField(joi).allow('').description(text);
        return joi.object({
          currentPassword: field('Your current password'),
          newPassword: field('At least 8 characters, not a common password; must differ from the current password'),
          confirmPassword: field('The new password again'),
          ...revokeFields(joi),
        });
      },
    },
    examples: [
      {
        title: 'after a generated password',
        payload: {
          currentPassword: 'the next password',
          newPassword: 'one of my own',
          confirmPassword: 'one of my own',
        },
      },
    ],
    returns: { description: 'Done', json: credentialsAnswer },
    errors: [...userCodes, ...passwordErrors, 'PARAMETERS_MISSING', 'PASSWORD_MISMATCH', 'PASSWORD_UNCHANGED'],
    handle: async ({ payload, principal }) => {
      const user = await callerOf(deps, principal);
      const {
        currentPassword = '',
        newPassword = '',
        confirmPassword = '',
      } = payload as { currentPassword?: string; newPassword?: string; confirmPassword?: string };
      if (currentPassword === '' || newPassword === '' || confirmPassword === '')
        throw new InputError('PARAMETERS_MISSING', {
          detail: 'currentPassword, newPassword and confirmPassword are required',
        });
      if (newPassword !== confirmPassword) throw new InputError('PASSWORD_MISMATCH');
      const changed = await accountsOf(deps).own.changePassword(user.id, currentPassword, newPassword, true);
      await afterPasswordChange(deps, principal, changed, payload);
      return { json: passwordUpdated };
    },
  });
}

function usernameChange(deps: UsersDeps): Endpoint {
  return defineEndpoint({
    id: 'changeUsername',
    method: 'POST',
    path: 'user/change-username',
    since,
    tag,
    access: forUsers,
    summary: 'Change your user name',
    notes: 'Ends all your sessions.',
    request: {
      payloadType: 'form',
      payload: (joi) =>
        joi.object({
          currentPasswordChangeUsername: passwordField(joi)
            .required()
            .description('Your current password')
            .example('the password'),
          newUsername: nameField(joi).description('The new name').example('administrator'),
        }),
    },
    returns: { description: 'Done', json: credentialsAnswer },
    errors: [...userCodes, 'PASSWORD_WRONG', 'ATTEMPTS_USED_UP', 'USERNAME_INVALID', 'USERNAME_TAKEN'],
    handle: async ({ payload, principal }) => {
      const user = await callerOf(deps, principal);
      await accountsOf(deps).own.changeUsername(
        user.id,
        payload['currentPasswordChangeUsername'] as string,
        payload['newUsername'] as string,
      );
      return { json: credentialsUpdated };
    },
  });
}

function settings(deps: UsersDeps): Endpoint[] {
  return [
    defineEndpoint({
      id: 'updateUserSettings',
      method: 'POST',
      path: 'user/updateUserSettings',
      since,
      tag,
      access: forUsers,
      summary: 'Save your user settings',
      notes:
        `Replaces the saved settings: up to ${MAX_SETTINGS} names with values of up to ${MAX_SETTING_LENGTH} ` +
        'characters. `language`, such as `de`, is the language of mails to you.',
      request: { payload: settingsBody },
      returns: { description: 'Done', json: messageAnswer },
      errors: [...userCodes],
      handle: async ({ payload, principal }) => {
        await accountsOf(deps).users.saveSettings(
          (await callerOf(deps, principal)).id,
          payload as Readonly<Record<string, string>>,
        );
        return { json: { message: 'Settings updated' } };
      },
    }),
    defineEndpoint({
      id: 'completeInitialSetup',
      method: 'POST',
      path: 'user/complete-initial-setup',
      since,
      tag,
      access: forUsers,
      summary: 'Mark your onboarding as completed',
      returns: {
        description: 'Done',
        json: (joi) => joi.object({ success: joi.boolean().required() }).label('SetupCompleted'),
      },
      errors: [...userCodes],
      handle: async ({ principal }) => {
        await accountsOf(deps).own.completeSetup((await callerOf(deps, principal)).id);
        return { json: { success: true } };
      },
    }),
  ];
}

function picker(deps: UsersDeps): Endpoint {
  return defineEndpoint({
    id: 'listUsers',
    method: 'GET',
    path: 'user/users',
    since,
    tag,
    access: forUsers,
    summary: 'List users to choose from',
    notes:
      'Lists enabled users: all of them if `storage.signing.userListScope` is `org`, otherwise those of your ' +
      'team. Without a team the list contains only you.',
    returns: { description: 'The users', json: listed },
    errors: [...userCodes],
    handle: async ({ principal }) => {
      const accounts = accountsOf(deps);
      const caller = await callerOf(deps, principal);
      const users = listsEverybody(deps)
        ? await accounts.users.list()
        : accounts.teams.isSystem(caller.teamId)
          ? [caller]
          : await accounts.users.list(caller.teamId ?? undefined);
      const names = await accounts.teams.names();
      return {
        json: users.map(({ id, username, displayName, pictureVersion: version, teamId, enabled }) => ({
          userId: Number(id),
          username,
          displayName: displayName ?? username,
          pictureVersion: version,
          teamName: teamId === null ? null : (names.get(teamId) ?? null),
          enabled,
        })),
      };
    },
  });
}

/** Whether users can choose among all users of the server, and not only those of their team. */
export function listsEverybody({ settings }: UsersDeps): boolean {
  return settings.get('storage.signing.userListScope') === 'org';
}
