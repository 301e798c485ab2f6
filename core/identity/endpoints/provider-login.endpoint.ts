import { InputError, defineEndpoint, type Endpoint, type EndpointAnswer, type EndpointRequest } from '@quire/registry';
import type { LoginServices, User } from '../../accounts/index.js';
import { isDesktop } from '../../accounts/sessions/index.js';
import { cookieOf, type LoginState } from '../login-state.js';
import { SignInRefused, type ExternalIdentity } from '../model.js';
import type { FinishedLogin } from '../oidc/provider-client.js';
import {
  AUTHORIZATION,
  CALLBACK,
  readLinkTicket,
  rootOfPages,
  siteUrl,
  type IdentityEndpointDeps,
} from './identity-deps.js';
import { finishTrial } from './provider-trial.endpoint.js';

const shared = { since: '1.6.0', tag: 'auth', access: { role: 'public', needsLogin: true } } as const;
const params = (joi: Parameters<NonNullable<NonNullable<Endpoint['request']>['params']>>[0]) =>
  joi.object({
    registrationId: joi.string().max(100).required().example('keycloak').description('Id of the provider'),
  });
const REDIRECT_COOKIE = 'quire_redirect_path';
/** A path on this site: `//` and `/\` begin addresses of other sites. */
const OWN_PATH = /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/;
const LONGEST_PATH = 2000;

/** Login with a provider (`docs/interface/identity.yml`). */
export function startProviderLogin(deps: IdentityEndpointDeps): Endpoint {
  return defineEndpoint({
    ...shared,
    id: 'startProviderLogin',
    method: 'GET',
    path: `${AUTHORIZATION}/{registrationId}`,
    summary: 'Log in with a provider',
    notes:
      'For browsers. Afterwards the browser is at the path of the cookie quire_redirect_path, else at ' +
      '/auth/callback, with the session token in the fragment (`#access_token=…`), or with the reason of a refusal in the query ' +
      '(`?errorOAuth=…`). Desktop clients (`tauri=1`) come back at /auth/callback/tauri, with their `nonce`.',
    request: {
      params,
      query: (joi) =>
        joi.object({
          tauri: joi.string().max(10).description('1 for desktop clients'),
          nonce: joi.string().max(200).description('Of desktop clients, which compare it'),
          link: joi.string().max(2000).description('Links the identity to an account: from `linkIdentity`'),
        }),
    },
    returns: { description: 'The address of the provider', status: 302 },
    errors: ['NOT_FOUND', 'LOGIN_REQUIRED'],
    handle: async (request) => {
      const client = deps.providers.get(request.params['registrationId'] ?? '');
      if (client === undefined) throw new InputError('NOT_FOUND');
      const { tauri, nonce, link } = request.query as { tauri?: string; nonce?: string; link?: string };
      const desktop = tauri === '1';
      const back = backPath(deps, request, desktop);
      try {
        const redirectUri = `${siteUrl(deps, request.site)}/login/oauth2/code/${client.provider.id}`;
        const linkTo =
          link === undefined
            ? undefined
            : readLinkTicket(deps, { provider: client.provider.id, ticket: link, cookies: request.headers['cookie'] });
        const { url, pending } = await client.begin(redirectUri);
        const state = { ...pending, provider: client.provider.id, redirectUri, back, desktop, linkTo };
        const cookie = deps.states.cookie({ ...state, nonceOfClient: nonce }, isSecure(redirectUri));
        return redirect(url, cookie);
      } catch (error) {
        return refused(deps, request, { error, provider: client.provider.name, back });
      }
    },
  });
}

/** The way back from a provider, after a login or a trial login. */
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
        const { identity, session } = await client.finish(answerUrl(state, request), state);
        deps.debug(provider, identity);
        const user =
          state.linkTo === undefined
            ? await deps.signIn.logIn(identity)
            : await deps.signIn.link(identity, state.linkTo);
        if (state.linkTo === undefined) refuseWithoutFactor(deps, user, identity, request.address);
        deps.recordLogin(request, user, provider.name, state.linkTo !== undefined);
        const cookie = deps.states.forget(given, isSecure(state.redirectUri));
        if (state.linkTo !== undefined) return redirect(`${page(deps, back)}?linked=${provider.id}`, cookie);
        const token = await beginSession(deps.login, user, request, state, { session, identity });
        return redirect(`${page(deps, back)}#access_token=${token}${clientNonce(state)}`, cookie);
      } catch (error) {
        return refused(deps, request, { error, provider: provider.name, back });
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

/** Accounts with a password set a second factor up here; others need one at the provider. Throws SignInRefused. */
function refuseWithoutFactor(
  { login: { secondFactorPolicy } }: IdentityEndpointDeps,
  user: User,
  { secondFactor }: ExternalIdentity,
  address: string,
): void {
  if (user.authenticationType === 'web' || !secondFactorPolicy.lacks(user, { secondFactor }, address)) return;
  throw new SignInRefused(
    'second_factor_required',
    'security.secondFactor wants a second factor for the role of the user, or outside of the networks, and the ' +
      'provider does not say that one was used (claim amr)',
  );
}

async function beginSession(
  { sessions }: Pick<LoginServices, 'sessions'>,
  user: User,
  { address, headers }: EndpointRequest,
  { desktop }: LoginState,
  { session: provider, identity: { secondFactor } }: Pick<FinishedLogin, 'session' | 'identity'>,
): Promise<string> {
  const client = headers['user-agent'];
  const origin = { desktop: desktop || isDesktop(client), address, client: client ?? '', provider, secondFactor };
  return (await sessions.issue(user, { ...origin, method: 'provider' })).access_token;
}

/** The redirect URI with what the provider has added; the Host header of the call does not count. */
function answerUrl({ redirectUri }: LoginState, { query }: EndpointRequest): URL {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat()) url.searchParams.append(name, String(one));
  return url;
}

function refused(
  deps: IdentityEndpointDeps,
  request: EndpointRequest,
  { error, provider, back }: { readonly error: unknown; readonly provider: string; readonly back: string },
): EndpointAnswer {
  if (!(error instanceof SignInRefused)) throw error;
  deps.recordRefusal(request, provider, error);
  return redirect(`${page(deps, back)}?errorOAuth=${error.code}`);
}

function redirect(location: string, cookie?: string): EndpointAnswer {
  return {
    status: 302,
    headers: {
      location,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      ...(cookie === undefined ? {} : { 'set-cookie': cookie }),
    },
  };
}

/** The path alone, unless the pages lie on another site, which the operator has named. */
function page({ settings }: IdentityEndpointDeps, back: string): string {
  return `${settings.get('system.frontendUrl').replace(/\/+$/, '')}${back}`;
}

function backPath(deps: IdentityEndpointDeps, { headers }: EndpointRequest, desktop: boolean): string {
  const root = rootOfPages(deps);
  if (desktop) return `${root}${CALLBACK}/tauri`;
  const wished = decoded(cookieOf(headers['cookie'], REDIRECT_COOKIE));
  return wished.length <= LONGEST_PATH && OWN_PATH.test(wished) && !/[?#]/.test(wished) ? wished : `${root}${CALLBACK}`;
}

function decoded(text: string | undefined): string {
  try {
    return decodeURIComponent(text ?? '');
  } catch {
    return '';
  }
}

function clientNonce({ nonceOfClient }: LoginState): string {
  return nonceOfClient === undefined ? '' : `&nonce=${encodeURIComponent(nonceOfClient)}`;
}

function isSecure(url: string): boolean {
  return url.startsWith('https:');
}
