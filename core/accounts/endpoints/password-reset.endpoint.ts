import {
  InputError,
  defineEndpoint,
  isQuireError,
  type Endpoint,
  type EndpointRequest,
  type JoiRoot,
  type Logger,
  type Mailer,
} from '@quire/registry';
import type { Settings } from '../../settings/index.js';
import { MAX_NAME, type User } from '../index.js';
import { accountsOf, messageAnswer, passwordField, revokeFields } from './account-caller.js';
import { configuredAddress, languageHints, passwordResetMail, passwordWasResetMail } from './account-mails.js';
import { isLocalLoginOn, loginOf, type LoginDeps } from './login-of.js';

export interface PasswordResetDeps extends LoginDeps {
  readonly log: Logger;
  readonly mailer: Mailer;
  readonly settings: Settings;
}

const base = { since: '1.4.0', tag: 'auth', method: 'POST', access: { role: 'public', needsLogin: true } } as const;
const codes = [
  'INPUT_INVALID',
  'INPUT_MALFORMED',
  'INPUT_MEDIA_TYPE',
  'LOGIN_REQUIRED',
  'PASSWORD_RESET_OFF',
  'TOO_MANY_ATTEMPTS',
  'STORE_DOWN',
] as const;
const tokenField = (joi: JoiRoot) =>
  joi.string().max(200).required().description('From the link of the mail').example('the token of the mail');

/** Whether users can reset their password by mail; the link needs a configured address of this server. */
export function isPasswordResetOn(settings: Settings, mailer: Mailer): boolean {
  return (
    settings.get('security.enableLogin') &&
    settings.get('mail.enablePasswordReset') &&
    isLocalLoginOn(settings) &&
    mailer.usable &&
    configuredAddress(settings) !== ''
  );
}

/** A new password by mail, for users who cannot log in. */
export function passwordResetEndpoints(deps: PasswordResetDeps): Endpoint[] {
  return [requestReset(deps), checkReset(deps), finishReset(deps)];
}

function requestReset(deps: PasswordResetDeps): Endpoint {
  return defineEndpoint({
    ...base,
    id: 'requestPasswordReset',
    path: 'auth/password-reset/request',
    summary: 'Ask for a mail that resets your password',
    notes:
      'The answer is the same for every name, also for one that does not exist. The mail goes to accounts whose name ' +
      'is a mail address, which are enabled and have a password here; its link works once, for ' +
      '`mail.passwordResetExpiryMinutes`. Needs `mail.enabled` and `system.frontendUrl` (or `system.backendUrl`).',
    request: {
      payload: (joi) =>
        joi.object({
          username: joi
            .string()
            .trim()
            .max(MAX_NAME)
            .required()
            .description('User name: the mail address of the account')
            .example('ann@example.com'),
        }),
    },
    returns: { description: 'The request was accepted', json: messageAnswer },
    errors: codes,
    handle: async ({ payload, address, headers }) => {
      refuseWhenOff(deps);
      const username = String(payload['username']);
      await loginOf(deps).throttle.admitReset(address, username);
      // Not awaited: the time of the answer must not tell whether the account exists.
      void mailLink(deps, username, headers).catch((error: unknown) =>
        deps.log.warn({ err: error }, 'a mail that resets a password could not be sent'),
      );
      return { json: { message: 'If the account exists and has a mail address, a mail is on its way.' } };
    },
  });
}

function checkReset(deps: PasswordResetDeps): Endpoint {
  return defineEndpoint({
    ...base,
    id: 'checkPasswordReset',
    path: 'auth/password-reset/check',
    summary: 'Check the link that resets a password',
    notes: 'Does not use the link up.',
    request: { payload: (joi) => joi.object({ token: tokenField(joi) }) },
    returns: {
      description: 'The account, and how long the link works',
      json: (joi) =>
        joi
          .object({ username: joi.string().required(), expiresAt: joi.string().isoDate().required() })
          .label('PasswordReset'),
    },
    errors: [...codes, 'PASSWORD_RESET_UNKNOWN'],
    handle: async (request) => {
      const { user, expiresAt } = await withToken(deps, request, (token) => accountsOf(deps).resets.open(token));
      return { json: { username: user.username, expiresAt: expiresAt.toISOString() } };
    },
  });
}

function finishReset(deps: PasswordResetDeps): Endpoint {
  return defineEndpoint({
    ...base,
    id: 'finishPasswordReset',
    path: 'auth/password-reset/finish',
    summary: 'Set a new password with the link of a mail',
    notes:
      'Ends all sessions of the account, whose owner gets a mail about it. A second factor stays on. No session ' +
      'begins: log in with the new password.',
    request: {
      payload: (joi) =>
        joi.object({
          token: tokenField(joi),
          newPassword: passwordField(joi)
            .required()
            .description('At least 8 characters, not a common password')
            .example('the next password'),
          ...revokeFields(joi),
        }),
    },
    returns: { description: 'The password was changed', json: messageAnswer },
    errors: [...codes, 'PASSWORD_RESET_UNKNOWN', 'PASSWORD_INVALID'],
    handle: async (request) => {
      const { newPassword, revokeKeys, revokePasskeys } = request.payload;
      const { accounts, keys, sessions } = loginOf(deps);
      const changed = await withToken(deps, request, (token) => accounts.resets.finish(token, String(newPassword)));
      request.about?.(changed.username);
      const last =
        revokePasskeys === true ? ((await accounts.passkeys.removeAll(changed.id)).changed ?? changed) : changed;
      await sessions.keepOnly(last, undefined);
      if (revokeKeys === true) await keys.revokeAll(changed.id);
      void languageHints(deps.settings, request.headers, { users: accounts.users, id: changed.id })
        .then((hints) => passwordWasResetMail(changed.username, { settings: deps.settings, hints }))
        .then((mail) => deps.mailer.send(mail))
        .catch((error: unknown) => deps.log.warn({ err: error }, 'a mail about a new password could not be sent'));
      return { json: { message: 'The password was changed. Log in with it.' } };
    },
  });
}

/** Throws PASSWORD_RESET_OFF. */
function refuseWhenOff({ settings, mailer }: PasswordResetDeps): void {
  if (!isPasswordResetOn(settings, mailer)) throw new InputError('PASSWORD_RESET_OFF');
}

/** Uses the token of a request; wrong ones are counted against the address that sends them. */
async function withToken<T>(
  deps: PasswordResetDeps,
  { payload, address }: EndpointRequest,
  use: (token: string) => Promise<T>,
): Promise<T> {
  refuseWhenOff(deps);
  try {
    return await use(String(payload['token']));
  } catch (error) {
    if (isQuireError(error) && error.code === 'PASSWORD_RESET_UNKNOWN')
      await loginOf(deps).throttle.admitReset(address);
    throw error;
  }
}

async function mailLink(
  { login, mailer, settings, log }: PasswordResetDeps,
  username: string,
  headers: EndpointRequest['headers'],
): Promise<void> {
  const minutes = settings.get('mail.passwordResetExpiryMinutes');
  const issued = await accountsOf({ login }).resets.issue(username, minutes);
  if (typeof issued === 'string') {
    // Without the name: what was typed may be a password.
    log.info({ reason: issued }, 'no mail was sent for a password reset');
    return;
  }
  const { users } = accountsOf({ login });
  const hints = await languageHints(settings, headers, { users, id: issued.user.id });
  await mailer.send(await passwordResetMail(issued, { settings, hints }));
  log.info({ userId: issued.user.id satisfies User['id'] }, 'a mail that resets a password was sent');
}
