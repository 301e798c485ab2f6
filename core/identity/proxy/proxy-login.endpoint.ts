import { AccessError, defineEndpoint, type CallConnection, type Endpoint, type EndpointRequest } from '@quire/registry';
import type { LoginServices } from '../../accounts/index.js';
import { sessionBody, sessionFor } from '../../accounts/endpoints/index.js';
import { createOriginCheck, headerValues } from '../../http/request/index.js';
import type { Settings } from '../../settings/index.js';
import type { IdentityEndpointDeps } from '../endpoints/identity-deps.js';
import { backPath, page, redirect } from '../endpoints/complete-login.js';
import type { Refusals } from '../machines/refusals.js';
import { beginsAt } from '../login-providers.js';
import { SignInRefused, type LoginProvider } from '../model.js';
import { PROXY_ISSUER, ProxyNotTrusted, type ProxyLogin } from './proxy-login.js';

export interface ProxyLoginEndpointDeps extends Pick<IdentityEndpointDeps, 'recordLogin' | 'recordRefusal'> {
  readonly settings: Settings;
  readonly login: LoginServices;
  readonly proxyLogin: ProxyLogin;
  readonly refusals: Refusals;
}

/** In the addresses of the login page, like those of providers. */
export const PROXY_ID = 'proxy';
/** Where a browser logs in by the proxy. */
export const PROXY_PATH = `${beginsAt('proxy')}/${PROXY_ID}`;

/** The proxy, as the login offers it. */
export function proxyProvider(settings: Settings): LoginProvider {
  return { id: PROXY_ID, name: settings.get('security.proxyLogin.name').trim(), protocol: 'proxy' };
}

const shared = { since: '1.6.0', tag: 'auth', access: { role: 'public', needsLogin: true } } as const;

/** Exchanges the headers of a trusted proxy for a session: nothing else believes them. */
export function proxyLoginEndpoints(deps: ProxyLoginEndpointDeps): Endpoint[] {
  const otherSite = createOriginCheck(deps.settings);
  return [exchange(deps, otherSite), inBrowser(deps, otherSite)];
}

/** Lets a logout go on to the proxy. */
function sessionOf({ settings }: ProxyLoginEndpointDeps) {
  return {
    session: { issuer: PROXY_ISSUER, sid: undefined, idToken: undefined },
    secondFactor: settings.get('security.proxyLogin.secondFactor'),
  };
}

type OriginCheck = ReturnType<typeof createOriginCheck>;

function exchange(deps: ProxyLoginEndpointDeps, otherSite: OriginCheck): Endpoint {
  return defineEndpoint({
    ...shared,
    id: 'logInByProxy',
    method: 'POST',
    path: 'auth/proxy-login',
    summary: 'Log in by the proxy in front of the server',
    notes:
      'Returns a session token, as auth/login does, for the user whom the proxy names in a header ' +
      '(security.proxyLogin). Pages of other sites cannot call it.',
    returns: { description: 'The user and the session', json: sessionBody },
    errors: ['PROXY_LOGIN_FAILED', 'CROSS_SITE_REFUSED', 'LOGIN_REQUIRED', 'STORE_DOWN'],
    handle: async (request) => {
      const connection = connectionOf(request);
      const site = otherSite(originOf(connection));
      if (site !== undefined) throw new AccessError('CROSS_SITE_REFUSED', { site, login: true });
      try {
        const user = await deps.proxyLogin.logIn(connection);
        request.about?.(user.username);
        return {
          json: await sessionFor(deps, user, request, 'provider', sessionOf(deps)),
          headers: { 'cache-control': 'no-store' },
        };
      } catch (error) {
        if (error instanceof ProxyNotTrusted) noteIgnored(deps, error);
        else if (!(error instanceof SignInRefused)) throw error;
        throw new AccessError('PROXY_LOGIN_FAILED', {}, { cause: error });
      }
    },
  });
}

function inBrowser(deps: ProxyLoginEndpointDeps, otherSite: OriginCheck): Endpoint {
  const provider = proxyProvider(deps.settings);
  return defineEndpoint({
    ...shared,
    id: 'startProxyLogin',
    method: 'GET',
    changes: true,
    path: PROXY_PATH,
    summary: 'Log in by the proxy in front of the server, in a browser',
    notes: 'Ends as the login with a provider does (`startProviderLogin`).',
    returns: { description: 'The page that the login began at', status: 302 },
    errors: ['LOGIN_REQUIRED', 'STORE_DOWN'],
    handle: async (request) => {
      const connection = connectionOf(request);
      const back = page(deps, backPath(deps, request, false));
      try {
        const site = otherSite(originOf(connection));
        if (site !== undefined) throw new SignInRefused('login_expired', `the login was started by a page of ${site}`);
        const user = await deps.proxyLogin.logIn(connection);
        const { session } = await sessionFor(deps, user, request, 'provider', sessionOf(deps));
        deps.recordLogin(request, user, provider, false);
        return redirect(`${back}#access_token=${session.access_token}`);
      } catch (error) {
        if (error instanceof SignInRefused) deps.recordRefusal(request, provider, error);
        else if (error instanceof ProxyNotTrusted) noteIgnored(deps, error);
        else throw error;
        return redirect(`${back}?errorOAuth=${error instanceof SignInRefused ? error.code : 'access_denied'}`);
      }
    },
  });
}

function noteIgnored({ refusals }: ProxyLoginEndpointDeps, { message }: ProxyNotTrusted): void {
  refusals.note({ reason: message }, 'the headers of a proxy were ignored');
}

function connectionOf({ connection }: EndpointRequest): CallConnection {
  return connection ?? { peer: '', rawHeaders: [] };
}

function originOf(connection: CallConnection): Parameters<OriginCheck>[0] {
  const [host, origin, fetchSite] = ['host', 'origin', 'sec-fetch-site'].map(
    (header) => headerValues(connection, header)[0],
  );
  return { host, origin, fetchSite };
}
