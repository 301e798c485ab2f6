import {
  InputError,
  defineEndpoint,
  type Endpoint,
  type EndpointRequest,
  type JoiRoot,
  type Logger,
  type Mailer,
} from '@quire/registry';
import { MAX_INVITE_HOURS, MAX_NAME, isTellable, type InviteRecord } from '../index.js';
import { localDateTime } from '../../jobs/index.js';
import {
  accountsOf,
  forUserAdmins,
  idField,
  idText,
  messageAnswer,
  passwordField,
  userAdminCodes,
} from './account-caller.js';
import { checkGives } from './act-upon.js';
import { inviteMail, languageHints, publicAddress } from './account-mails.js';
import type { LoginDeps } from './login-of.js';
import type { Settings } from '../../settings/index.js';

export interface InviteDeps extends LoginDeps {
  readonly log: Logger;
  readonly mailer: Mailer;
  readonly settings: Settings;
}

const shared = { since: '1.0.0', tag: 'invite' };
const byToken = { needsLogin: true, role: 'public' as const };
const token = (joi: JoiRoot) =>
  joi.object({ token: joi.string().max(200).required().description('Token of the invite') });
const address = (joi: JoiRoot) =>
  joi
    .string()
    .max(MAX_NAME * 2)
    .allow('')
    .empty('');

const localTime = (ms: number): string => localDateTime(new Date(ms));

/** Endpoints of invites (`docs/interface/auth.yml`, `/api/v1/invite/`). */
export function inviteEndpoints(deps: InviteDeps): Endpoint[] {
  return [generate(deps), ...manage(deps), ...answer(deps)];
}

function generate(deps: InviteDeps): Endpoint {
  return defineEndpoint({
    ...shared,
    id: 'generateInvite',
    method: 'POST',
    path: 'invite/generate',
    access: forUserAdmins,
    summary: 'Create an invite link',
    notes: 'The token is returned only by this call; the server stores a digest of it.',
    request: {
      payloadType: 'form',
      payload: (joi) =>
        joi.object({
          email: address(joi).description(
            'Mail address of the invited person; if it is missing, the person enters an address',
          ),
          role: joi
            .string()
            .max(100)
            .empty('')
            .description('Role of the new account; default: security.defaultRole')
            .example('ROLE_USER'),
          teamId: idField(joi).description('Team of the new account; default: the default team'),
          expiryHours: joi
            .number()
            .integer()
            .empty('')
            .min(1)
            .max(MAX_INVITE_HOURS)
            .description('Hours until the invite expires; default: mail.inviteLinkExpiryHours'),
          sendEmail: joi.boolean().default(false).description('Send the link to the mail address'),
          frontendBaseUrl: joi
            .string()
            .uri({ scheme: ['http', 'https'] })
            .max(2000)
            .allow('')
            .empty('')
            .description('Base URL of the link if system.frontendUrl is not set'),
        }),
    },
    returns: {
      description: 'The invite',
      json: (joi) =>
        joi
          .object({
            token: joi.string().required(),
            inviteUrl: joi.string().required(),
            email: joi.string().allow(null).required(),
            expiresAt: joi.string().isoDate().required(),
            expiryHours: joi.number().integer().required(),
            emailSent: joi.boolean(),
            emailError: joi.string(),
          })
          .label('Invite'),
      links: ['validateInvite', 'acceptInvite'].map((to) => ({ to, parameters: { token: '$response.body#/token' } })),
    },
    examples: [
      { title: 'anybody with the link' },
      { title: 'a person with a mail address', payload: { email: 'bob@example.com' } },
    ],
    errors: [
      ...userAdminCodes,
      'INVITES_OFF',
      'INVITE_INVALID',
      'ROLE_INVALID',
      'TEAM_INVALID',
      'USER_CAP_REACHED',
      'INVITE_TAKEN',
    ],
    handle: (call) => createInvite(deps, call),
  });
}

async function createInvite(
  deps: InviteDeps,
  { payload, principal, site, headers }: EndpointRequest,
): Promise<{ readonly json: object }> {
  const { email, role, teamId, expiryHours, sendEmail, frontendBaseUrl } = payload as {
    email?: string;
    role?: string;
    teamId?: number;
    expiryHours?: number;
    sendEmail: boolean;
    frontendBaseUrl?: string;
  };
  if (!deps.settings.get('mail.enableInvites')) throw new InputError('INVITES_OFF');
  if (sendEmail && email === undefined)
    throw new InputError('INVITE_INVALID', { detail: 'To send the invite, enter a mail address' });
  const hours = expiryHours ?? deps.settings.get('mail.inviteLinkExpiryHours');
  const { invite, token: newToken } = await accountsOf(deps).invites.create({
    email,
    role: checkGives(deps, principal, { role, teamId: idText(teamId) }),
    teamId: idText(teamId),
    hours,
    createdBy: principal.name,
  });
  const { url, believed } = publicAddress(deps.settings, frontendBaseUrl, site);
  const path = `/invite/${newToken}`;
  const inviteUrl = `${url}${path}`;
  const sent =
    sendEmail && invite.email !== null
      ? await send(
          deps,
          invite.email,
          believed ? { url: inviteUrl } : { path: `${deps.settings.get('system.rootUriPath')}${path}` },
          invite.expiresAt,
          headers,
        )
      : {};
  return {
    json: {
      token: newToken,
      inviteUrl,
      email: invite.email,
      expiresAt: localTime(invite.expiresAt),
      expiryHours: hours,
      ...sent,
    },
  };
}

/** If the mail cannot be sent, the response still has the link, which the administrator can pass on. */
async function send(
  deps: InviteDeps,
  to: string,
  place: { readonly url: string } | { readonly path: string },
  expiresAt: number,
  headers: EndpointRequest['headers'],
): Promise<{ emailSent: boolean; emailError?: string }> {
  try {
    const basis = { settings: deps.settings, hints: await languageHints(deps.settings, headers) };
    await deps.mailer.send(await inviteMail(to, place, new Date(expiresAt), basis));
    if (!('url' in place))
      deps.log.warn(
        { setting: 'system.frontendUrl' },
        'an invitation was sent without the address of this server, because only the Host header of the ' +
          'request names it; set system.frontendUrl',
      );
    return { emailSent: true };
  } catch (error) {
    if (!isTellable(error)) throw error;
    return { emailSent: false, emailError: error.message };
  }
}

function manage(deps: InviteDeps): Endpoint[] {
  const text = (joi: JoiRoot) => joi.string().required();
  const wire = ({ id, email, role, teamId, createdBy, createdAt, expiresAt }: InviteRecord) => ({
    id: Number(id),
    email,
    role,
    teamId: Number(teamId),
    createdBy,
    createdAt: localTime(createdAt),
    expiresAt: localTime(expiresAt),
  });
  return [
    defineEndpoint({
      ...shared,
      id: 'listInvites',
      method: 'GET',
      path: 'invite/list',
      access: forUserAdmins,
      summary: 'List open invites',
      returns: {
        description: 'Unused invites that have not expired',
        json: (joi) =>
          joi
            .object({
              invites: joi
                .array()
                .required()
                .items(
                  joi
                    .object({
                      id: joi.number().integer().required(),
                      email: joi.string().allow(null).required(),
                      role: text(joi),
                      teamId: joi.number().integer().required(),
                      createdBy: text(joi),
                      createdAt: joi.string().isoDate().required(),
                      expiresAt: joi.string().isoDate().required(),
                    })
                    .label('OpenInvite'),
                ),
            })
            .label('OpenInvites'),
        links: [{ to: 'revokeInvite', parameters: { inviteId: '$response.body#/invites/0/id' } }],
      },
      errors: [...userAdminCodes],
      handle: async () => ({ json: { invites: (await accountsOf(deps).invites.list()).map(wire) } }),
    }),
    defineEndpoint({
      ...shared,
      id: 'revokeInvite',
      method: 'DELETE',
      path: 'invite/revoke/{inviteId}',
      access: forUserAdmins,
      summary: 'Delete an invite',
      request: { params: (joi) => joi.object({ inviteId: idField(joi).required().description('Id of the invite') }) },
      returns: { description: 'Done', json: messageAnswer },
      errors: [...userAdminCodes, 'INVITE_UNKNOWN'],
      handle: async ({ params }) => {
        await accountsOf(deps).invites.revoke(String(params['inviteId']));
        return { json: { message: 'Invite revoked' } };
      },
    }),
    defineEndpoint({
      ...shared,
      id: 'cleanUpInvites',
      method: 'POST',
      path: 'invite/cleanup',
      access: forUserAdmins,
      summary: 'Delete used and expired invites',
      returns: {
        description: 'Number of deleted invites',
        json: (joi) => joi.object({ deletedCount: joi.number().integer().required() }).label('InviteCleanup'),
      },
      errors: [...userAdminCodes],
      handle: async () => ({ json: { deletedCount: await accountsOf(deps).invites.cleanUp() } }),
    }),
  ];
}

function answer(deps: InviteDeps): Endpoint[] {
  const text = (joi: JoiRoot) => joi.string().required();
  return [
    defineEndpoint({
      ...shared,
      id: 'validateInvite',
      method: 'GET',
      path: 'invite/validate/{token}',
      access: byToken,
      summary: 'Get the details of an invite',
      request: { params: token },
      returns: {
        description: 'Role and mail address of the invite',
        json: (joi) =>
          joi
            .object({
              email: joi.string().allow(null).required(),
              role: text(joi),
              expiresAt: joi.string().isoDate().required(),
              emailRequired: joi.boolean().required(),
            })
            .label('InviteOffer'),
      },
      errors: ['LOGIN_REQUIRED', 'INVITE_UNKNOWN', 'STORE_DOWN'],
      handle: async ({ params }) => {
        const { email, role, expiresAt } = await accountsOf(deps).invites.open(params['token'] ?? '');
        return { json: { email, role, expiresAt: localTime(expiresAt), emailRequired: email === null } };
      },
    }),
    defineEndpoint({
      ...shared,
      id: 'acceptInvite',
      method: 'POST',
      path: 'invite/accept/{token}',
      access: byToken,
      summary: 'Accept an invite and create the account',
      request: {
        params: token,
        payloadType: 'form',
        payload: (joi) =>
          joi.object({
            email: address(joi).description('Required if the invite has no address'),
            password: passwordField(joi).required().description('At least 8 characters, not a common password'),
          }),
      },
      examples: [{ title: 'an account', payload: { email: 'carol@example.com', password: 'her password' } }],
      returns: {
        description: 'The account was created',
        json: (joi) => joi.object({ message: text(joi), username: text(joi) }).label('InviteAccepted'),
      },
      errors: [
        'LOGIN_REQUIRED',
        'INVITE_UNKNOWN',
        'INVITE_INVALID',
        'PASSWORD_INVALID',
        'USERNAME_INVALID',
        'USERNAME_TAKEN',
        'USER_CAP_REACHED',
        'STORE_DOWN',
      ],
      handle: async ({ params, payload }) => {
        const { username } = await accountsOf(deps).invites.accept(
          params['token'] ?? '',
          payload['email'] as string | undefined,
          payload['password'] as string,
        );
        return { json: { message: 'Account created', username } };
      },
    }),
  ];
}
