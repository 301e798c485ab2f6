import { InputError, defineEndpoint, type Endpoint, type JoiRoot } from '@quire/registry';
import { forUsers, userCodes } from '../../accounts/endpoints/index.js';
import { linkTicket, siteUrl, type IdentityEndpointDeps } from './identity-deps.js';
import { offeredProviderShape } from './offered-provider-shape.js';

const shared = { since: '1.6.0', tag: 'auth', access: { ...forUsers, needsSession: true } } as const;

const identityBody = (joi: JoiRoot) =>
  joi
    .object({
      id: joi.string().required(),
      provider: joi.string().required().description('Name of the provider'),
      username: joi.string().allow(null).required().description('As the provider wrote it at the last login'),
      email: joi.string().allow(null).required(),
      displayName: joi.string().allow(null).required(),
      picture: joi.string().uri().allow(null).required().description('Address of a picture of the user'),
      linkedAt: joi.string().isoDate().required(),
      lastLogin: joi.string().isoDate().allow(null).required(),
    })
    .label('LoginIdentity');

/** The logins at providers that belong to the caller's account. */
export function identityEndpoints(deps: IdentityEndpointDeps): Endpoint[] {
  return [list(deps), link(deps), unlink(deps)];
}

function list({ identities, providers }: IdentityEndpointDeps): Endpoint {
  return defineEndpoint({
    ...shared,
    id: 'listIdentities',
    method: 'GET',
    path: 'auth/identities',
    summary: 'List the providers that you can log in with',
    returns: {
      description: 'Linked identities, and providers that can be linked',
      json: (joi) =>
        joi
          .object({
            identities: joi.array().items(identityBody(joi)).required(),
            providers: joi.array().items(offeredProviderShape(joi)).required(),
          })
          .label('LoginIdentities'),
      links: [{ to: 'unlinkIdentity', parameters: { id: '$response.body#/identities/0/id' } }],
    },
    errors: [...userCodes],
    handle: async ({ principal }) => ({
      json: {
        identities: (await identities.list(principal.id)).map(
          ({ id, provider, username, email, displayName, picture, linkedAt, lastLogin }) => ({
            id,
            provider,
            username,
            email,
            displayName,
            picture,
            linkedAt,
            lastLogin,
          }),
        ),
        providers: providers.list.map(({ id, name, path }) => ({ id, name, path })),
      },
    }),
  });
}

function link(deps: IdentityEndpointDeps): Endpoint {
  return defineEndpoint({
    ...shared,
    id: 'linkIdentity',
    method: 'POST',
    path: 'auth/identities/{registrationId}/link',
    summary: 'Begin to link a provider to your account',
    notes: 'Open `url` within two minutes, in the browser that has sent this call: it has the cookie of the answer.',
    request: {
      params: (joi) =>
        joi.object({
          registrationId: joi.string().max(100).required().example('keycloak').description('Id of the provider'),
        }),
    },
    returns: {
      description: 'Where the browser continues',
      json: (joi) =>
        joi
          .object({ url: joi.string().required().description('Path on this server, with the sub-path') })
          .label('IdentityLink'),
    },
    errors: [...userCodes, 'NOT_FOUND'],
    handle: async ({ principal, site, params: { registrationId = '' } }) => {
      const provider = deps.providers.list.find(({ id }) => id === registrationId);
      if (provider === undefined) throw new InputError('NOT_FOUND');
      const root = deps.settings.get('system.rootUriPath');
      const secure = siteUrl(deps, site).startsWith('https:');
      const { ticket, cookie } = linkTicket(deps, { provider, userId: principal.id, secure });
      return {
        json: { url: `${root}${provider.path}?link=${ticket}` },
        headers: { 'set-cookie': cookie, 'cache-control': 'no-store' },
      };
    },
  });
}

function unlink({ identities, login }: IdentityEndpointDeps): Endpoint {
  return defineEndpoint({
    ...shared,
    id: 'unlinkIdentity',
    method: 'DELETE',
    path: 'auth/identities/{id}',
    summary: 'Unlink a provider from your account',
    notes: 'Refused for the last one of an account without a password: nobody could log in any more.',
    request: {
      params: (joi) => joi.object({ id: joi.string().max(100).required().description('Id of the identity') }),
    },
    returns: { description: 'Unlinked', status: 204 },
    errors: [...userCodes, 'NOT_FOUND', 'IDENTITY_LAST'],
    handle: async ({ principal, params: { id = '' } }) => {
      const [own, user] = [await identities.list(principal.id), await login.accounts.byId(principal.id)];
      if (!own.some((one) => one.id === id)) throw new InputError('NOT_FOUND');
      if (own.length === 1 && user?.authenticationType !== 'web') throw new InputError('IDENTITY_LAST');
      await identities.unlink(principal.id, id);
      return { status: 204 };
    },
  });
}
