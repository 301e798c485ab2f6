import { StartupError, type Clock, type Endpoint, type Logger } from '@quire/registry';
import type { LoginServices, ProviderSession } from '../../accounts/index.js';
import type { AuditLog } from '../../audit/index.js';
import { shortOrigin, type Settings } from '../../settings/index.js';
import type { Store } from '../../store/index.js';
import { IdentityRecords } from '../identity-records.js';
import type { LoginProviders, OfferedProvider } from '../login-providers.js';
import { loginRecorder } from '../login-recorder.js';
import { Refusals } from '../machines/refusals.js';
import { proxyRulesOf } from '../sign-in-rules.js';
import { SignIn } from '../sign-in.js';
import { PROXY_ID, PROXY_PATH, proxyLoginEndpoints, proxyProvider } from './proxy-login.endpoint.js';
import { PROXY_ISSUER, ProxyLogin } from './proxy-login.js';

export interface CreateProxyLoginDeps {
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  readonly login: LoginServices | undefined;
  readonly providers: LoginProviders;
  readonly audit: AuditLog | undefined;
}

export interface ProxyLoginFeature {
  readonly endpoints: readonly Endpoint[];
  /** All ways to log in at another server, for the login page. */
  readonly loginProviders: { readonly list: readonly OfferedProvider[] };
}

/** Returns the address that ends the session at the proxy; undefined for other sessions, and without one. */
export function proxyLogoutUrl(settings: Settings, { issuer }: Pick<ProviderSession, 'issuer'>): string | undefined {
  return issuer === PROXY_ISSUER ? settings.get('security.proxyLogin.logoutUrl') || undefined : undefined;
}

/** Creates the login by the headers of a proxy; off without `security.proxyLogin.enabled`. Throws SETTINGS_INVALID. */
export function createProxyLogin(deps: CreateProxyLoginDeps): ProxyLoginFeature {
  const { settings, store, clock, log, login, providers, audit } = deps;
  if (!settings.get('security.proxyLogin.enabled')) return { endpoints: [], loginProviders: providers };
  if (login === undefined || !['all', 'oauth2'].includes(settings.get('security.loginMethod'))) {
    const setting = login === undefined ? 'security.enableLogin' : 'security.loginMethod';
    log.warn({ setting }, 'login by a proxy is on (security.proxyLogin), but this setting leaves it out');
    return { endpoints: [], loginProviders: providers };
  }
  if (providers.get(PROXY_ID) !== undefined)
    throw new StartupError('SETTINGS_INVALID', {
      where: shortOrigin(settings.origin('security.oauth2.provider')),
      detail: `security.oauth2.provider is "${PROXY_ID}", the name of the login by a proxy; give it another name`,
    });
  const identities = new IdentityRecords(store, clock);
  const { accounts } = login;
  const rules = proxyRulesOf(settings);
  const signIn = new SignIn({ accounts, identities, log, rules: () => rules });
  const proxyLogin = new ProxyLogin({ settings, accounts, identities, signIn });
  if (proxyLogin.hasNoSecret)
    log.warn(
      { setting: 'security.proxyLogin.secret' },
      'login by a proxy has no secret: whatever can connect from the addresses of the proxies can log in as any user',
    );
  const refusals = new Refusals(log, () => clock.now().getTime());
  const recorder = loginRecorder({ log, audit, debugging: () => false });
  return {
    endpoints: proxyLoginEndpoints({ settings, login, proxyLogin, refusals, ...recorder }),
    loginProviders: { list: [...providers.list, { ...proxyProvider(settings), path: PROXY_PATH }] },
  };
}
