import { InputError, defineEndpoint, type Endpoint, type JoiRoot } from '@quire/registry';
import type { IdentityEndpointDeps } from './identity-deps.js';

const shared = { since: '1.6.0', tag: 'auth', access: { role: 'public', needsLogin: true } } as const;
const params = (joi: JoiRoot) =>
  joi.object({
    registrationId: joi.string().max(100).required().example('keycloak').description('Id of the provider'),
  });

/** Logouts that begin at a provider: sessions of this server end with that of the provider. */
export function providerLogoutEndpoints(deps: IdentityEndpointDeps): Endpoint[] {
  return [backChannel(deps), frontChannel(deps)];
}

function backChannel({ providers, logoutTokens, identities, login }: IdentityEndpointDeps): Endpoint {
  return defineEndpoint({
    ...shared,
    id: 'endProviderSession',
    method: 'POST',
    path: '/logout/connect/back-channel/{registrationId}',
    summary: 'End the sessions of a provider session (for providers)',
    notes: 'OpenID Connect Back-Channel Logout 1.0; the address to enter at the provider.',
    request: {
      params,
      payloadType: 'form',
      payload: (joi) =>
        joi
          .object({ logout_token: joi.string().max(20_000).required().description('Signed by the provider') })
          .unknown(),
    },
    returns: { description: 'Done; the body is empty', mediaType: 'text/plain' },
    errors: [
      'NOT_FOUND',
      'LOGIN_REQUIRED',
      'INPUT_INVALID',
      'INPUT_MALFORMED',
      'INPUT_MEDIA_TYPE',
      'LOGOUT_TOKEN_INVALID',
      'SERVICE_NOT_SET_UP',
      'ISSUER_UNREACHABLE',
    ],
    handle: async ({ params: { registrationId = '' }, payload }) => {
      const client = providers.get(registrationId);
      if (client === undefined) throw new InputError('NOT_FOUND');
      const ended = await logoutTokens.read(client.provider, String(payload['logout_token']));
      if (ended === undefined) throw new InputError('LOGOUT_TOKEN_INVALID');
      const { issuer } = client.provider;
      if ('sid' in ended) await login.sessions.endOfProvider(issuer, ended.sid);
      else {
        const userId = await identities.userOf(issuer, ended.subject);
        if (userId !== undefined) await login.sessions.endOfIssuer(userId, issuer);
      }
      return { text: '', headers: { 'cache-control': 'no-store' } };
    },
  });
}

function frontChannel({ providers, login }: IdentityEndpointDeps): Endpoint {
  return defineEndpoint({
    ...shared,
    id: 'endProviderSessionInBrowser',
    method: 'GET',
    changes: true,
    path: '/logout/connect/front-channel/{registrationId}',
    summary: 'End the sessions of a provider session (for browsers)',
    notes:
      'OpenID Connect Front-Channel Logout 1.0; the address to enter at the provider. Without `sid`, which nobody ' +
      'else knows, nothing happens.',
    request: {
      params,
      query: (joi) =>
        joi
          .object({
            iss: joi.string().max(2000).description('Issuer'),
            sid: joi.string().max(500).description('Session of the provider'),
          })
          .unknown(),
    },
    returns: { description: 'An empty page', mediaType: 'text/html' },
    errors: ['NOT_FOUND', 'LOGIN_REQUIRED'],
    handle: async ({ params: { registrationId = '' }, query }) => {
      const client = providers.get(registrationId);
      if (client === undefined) throw new InputError('NOT_FOUND');
      const { issuer } = client.provider;
      const { iss = issuer, sid } = query as { iss?: string; sid?: string };
      if (sid !== undefined && iss.replace(/\/+$/, '') === issuer) await login.sessions.endOfProvider(issuer, sid);
      return { text: '', headers: { 'cache-control': 'no-store', 'content-type': 'text/html; charset=utf-8' } };
    },
  });
}
