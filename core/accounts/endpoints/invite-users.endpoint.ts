import {
  InputError,
  OperationalError,
  defineEndpoint,
  type Endpoint,
  type EndpointRequest,
  type JoiRoot,
} from '@quire/registry';
import { isMailAddress, isTellable, randomPassword } from '../index.js';
import { accountsOf, forUserAdmins, idField, idText, userAdminCodes } from './account-caller.js';
import { accountMail, languageHints } from './account-mails.js';
import { checkGives } from './act-upon.js';
import { roleField, type UserAdminDeps } from './user-admin.endpoint.js';

/** Most mail addresses in one call. */
const MAX_INVITED = 200;

/** Creates many users at once; each gets a mail. */
export function inviteUsers(deps: UserAdminDeps): Endpoint {
  const count = (joi: JoiRoot) => joi.number().integer().required();
  return defineEndpoint({
    since: '1.0.0',
    tag: 'user',
    access: forUserAdmins,
    method: 'POST',
    id: 'inviteUsers',
    path: 'user/admin/inviteUsers',
    summary: 'Create users and send them their passwords by mail',
    notes: 'Each user gets a mail with a password that must be changed at the first login.',
    request: {
      payloadType: 'form',
      payload: (joi) =>
        joi.object({
          emails: joi
            .string()
            .max(100_000)
            .required()
            .description('Mail addresses, separated by commas')
            .example('ann@example.com,bob@example.com'),
          role: roleField(joi).empty('').description('Default: security.defaultRole'),
          teamId: idField(joi).description('Team of the users; default: the default team'),
        }),
    },
    returns: {
      description: 'Number of created users',
      json: (joi) =>
        joi
          .object({ successCount: count(joi), failureCount: count(joi), errors: joi.string(), message: joi.string() })
          .label('UsersInvited'),
    },
    errors: [
      ...userAdminCodes,
      'TEAM_INVALID',
      'INVITES_OFF',
      'INVITE_INVALID',
      'ROLE_INVALID',
      'USER_CAP_REACHED',
      'SERVICE_NOT_SET_UP',
    ],
    handle: (call) => inviteAll(deps, call),
  });
}

async function inviteAll(
  deps: UserAdminDeps,
  { payload, headers, principal }: EndpointRequest,
): Promise<{ readonly json: object }> {
  const accounts = accountsOf(deps);
  if (!deps.settings.get('mail.enableInvites')) throw new InputError('INVITES_OFF');
  if (!deps.mailer.usable)
    throw new OperationalError('SERVICE_NOT_SET_UP', { service: 'Mail', detail: 'see the mail.* settings' });
  const emails = [
    ...new Set(
      (payload['emails'] as string)
        .split(',')
        .map((email) => email.trim().toLowerCase())
        .filter((email) => email !== ''),
    ),
  ];
  if (emails.length === 0 || emails.length > MAX_INVITED)
    throw new InputError('INVITE_INVALID', { detail: `Send 1 to ${MAX_INVITED} mail addresses` });
  const teamId = idText(payload['teamId']);
  const role = checkGives(deps, principal, { role: payload['role'] as string | undefined, teamId });
  await accounts.users.refuseWhenFull();
  const basis = { settings: deps.settings, hints: await languageHints(deps.settings, headers) };
  const faults: string[] = [];
  for (const email of emails) {
    try {
      if (!isMailAddress(email)) throw new InputError('INVITE_INVALID', { detail: 'The mail address is not valid' });
      const password = randomPassword();
      const user = await accounts.administration.create({
        username: email,
        password,
        role,
        teamId,
        authenticationType: 'web',
        mustChangePassword: true,
        mfaRequired: false,
      });
      await deps.mailer.send(await accountMail(email, password, basis)).catch(async (error: unknown) => {
        // An account whose password nobody knows is useless.
        await accounts.users.takeRights(user, 'delete');
        throw error;
      });
    } catch (error) {
      if (!isTellable(error)) throw error;
      faults.push(`${email.slice(0, 320)}: ${error.message}`);
    }
  }
  const successCount = emails.length - faults.length;
  if (successCount === 0)
    throw new InputError('INVITE_INVALID', { detail: `No user was invited: ${faults.join('; ')}` });
  return {
    json: {
      successCount,
      failureCount: faults.length,
      ...(faults.length > 0 ? { errors: faults.join('; ') } : {}),
      message: `${successCount} user(s) invited`,
    },
  };
}
