import { InputError, defineEndpoint, type Endpoint, type EndpointAnswer, type EndpointRequest } from '@quire/registry';
import type { LoginState } from '../login-state.js';
import { SignInRefused } from '../model.js';
import {
  backPath,
  begunOf,
  beginQuery,
  completeLogin,
  isSecure,
  page,
  params,
  redirect,
  refused,
  shared,
} from './complete-login.js';
import { readLinkTicket, siteUrl, type IdentityEndpointDeps } from './identity-deps.js';
import { finishTrial } from './provider-trial.endpoint.js';

/** Login with a provider of OpenID Connect or OAuth 2.0 (`docs/interface/identity.yml`). */
export function startProviderLogin(deps: IdentityEndpointDeps): Endpoint {
  return defineEndpoint({
    ...shared,
    id: 'startProviderLogin',
    method: 'GET',
    path: '/oauth2/authorization/{registrationId}',
    summary: 'Log in with a provider',
    notes:
      'For browsers. Afterwards the browser is at the path of the cookie quire_redirect_path, else at ' +
      '/auth/callback, with the session token in the fragment (`#access_token=…`), ' +
      'or with the reason of a refusal in the query ' +
      '(`?errorOAuth=…`). Desktop clients (`tauri=1`) come back at /auth/callback/tauri, with their `nonce`.',
    request: { params, query: beginQuery },
    returns: { description: 'The address of the provider', status: 302 },
    errors: ['NOT_FOUND', 'LOGIN_REQUIRED'],
    handle: async (request) => {
      const client = deps.providers.get(request.params['registrationId'] ?? '');
      if (client === undefined) throw new InputError('NOT_FOUND');
      const { provider } = client;
      const begun = begunOf(deps, request);
      try {
        const redirectUri = `${siteUrl(deps, request.site)}/login/oauth2/code/${provider.id}`;
        const linkTo = readLinkTicket(deps, provider.id, request);
        const { url, pending } = await client.begin(redirectUri);
        const state = { ...pending, ...begun, provider: provider.id, redirectUri, linkTo };
        return redirect(url, deps.states.cookie(state, isSecure(redirectUri)));
      } catch (error) {
        return refused(deps, request, { error, provider, back: begun.back });
      }
    },
  });
}

/** The way back, also of trials of providers that are not set up. */
export function finishProviderLogin(deps: IdentityEndpointDeps): Endpoint {
  return defineEndpoint({
    ...shared,
    id: 'finishProviderLogin',
    method: 'GET',
    path: '/login/oauth2/code/{registrationId}',
    summary: 'Come back from a provider',
    notes: 'The redirect URI to enter at the provider.',
    request: {
      params,
      query: (joi) =>
        joi
          .object({
            code: joi.string().max(4000),
            state: joi.string().max(500),
            error: joi.string().max(500),
            error_description: joi.string().max(2000),
          })
          // Providers add members of their own, such as `session_state` and `iss`.
          .unknown(),
    },
    returns: { description: 'The page that the login began at', status: 302 },
    errors: ['NOT_FOUND', 'LOGIN_REQUIRED'],
    handle: async (request) => {
      const { registrationId = '' } = request.params;
      const given = typeof request.query['state'] === 'string' ? request.query['state'] : '';
      const state = deps.states.read(request.headers['cookie'], registrationId, given);
      if (state?.trial !== undefined) return endTrial(deps, request, state, state.trial);
      const client = deps.providers.get(registrationId);
      if (client === undefined) throw new InputError('NOT_FOUND');
      const { provider } = client;
      const back = state?.back ?? backPath(deps, request, false);
      try {
        if (state === undefined)
          throw new SignInRefused('login_expired', 'this browser has begun no such login, or it took too long');
        const login = await client.finish(answerUrl(state, request), state);
        const cookie = deps.states.forget(given, isSecure(state.redirectUri));
        return await completeLogin(deps, request, { provider, begun: state, login, cookie });
      } catch (error) {
        return refused(deps, request, { error, provider, back });
      }
    },
  });
}

/** An administrator is back from a trial login, which logs nobody in. */
async function endTrial(
  deps: IdentityEndpointDeps,
  request: EndpointRequest,
  state: LoginState,
  trial: string,
): Promise<EndpointAnswer> {
  const isKnown = await finishTrial(deps, request, trial, (client) => client.finish(answerUrl(state, request), state));
  const outcome = isKnown ? 'trial=done' : 'errorOAuth=login_expired';
  return redirect(`${page(deps, state.back)}?${outcome}`, deps.states.forget(state.state, isSecure(state.redirectUri)));
}

/** The redirect URI with what the provider has added; the Host header of the call does not count. */
function answerUrl({ redirectUri }: LoginState, { query }: EndpointRequest): URL {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat()) url.searchParams.append(name, String(one));
  return url;
}
