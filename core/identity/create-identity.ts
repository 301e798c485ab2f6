import type { Clock, Endpoint, Logger } from '@quire/registry';
import type { LoginServices } from '../accounts/index.js';
import type { AuditLog } from '../audit/index.js';
import type { ServerSecret } from '../secrets/index.js';
import type { Settings } from '../settings/index.js';
import type { Store } from '../store/index.js';
import { identityEndpoints } from './endpoints/identities.endpoint.js';
import { providerLoginEndpoints } from './endpoints/provider-login.endpoint.js';
import { providerLogoutEndpoints } from './endpoints/provider-logout.endpoint.js';
import { groupRulesOf } from './group-rules.js';
import { IdentityRecords } from './identity-records.js';
import { loginRecorder } from './login-recorder.js';
import { LoginStates } from './login-state.js';
import type { LoginProviders } from './login-providers.js';
import { LogoutTokens } from './oidc/logout-token.js';
import { SignIn } from './sign-in.js';
import type { KeySets } from './tokens/index.js';

export interface CreateIdentityDeps {
  readonly settings: Settings;
  readonly store: Store;
  readonly secret: ServerSecret;
  readonly clock: Clock;
  readonly log: Logger;
  readonly keySets: KeySets;
  readonly login: LoginServices | undefined;
  readonly providers: LoginProviders;
  readonly audit: AuditLog | undefined;
}

export interface IdentityFeature {
  readonly endpoints: readonly Endpoint[];
}

/** Creates the login with providers; without one its addresses answer 404. Throws SETTINGS_INVALID. */
export function createIdentity(deps: CreateIdentityDeps): IdentityFeature {
  const { settings, store, secret, clock, log, keySets, login, providers, audit } = deps;
  if (login === undefined || providers.list.length === 0) {
    if (login !== undefined && settings.get('security.oauth2.enabled'))
      log.warn(
        { setting: 'security.oauth2' },
        'login with providers is on, but none has an issuer and a client id, or security.loginMethod leaves it out',
      );
    return { endpoints: [] };
  }
  const identities = new IdentityRecords(store, clock);
  login.accounts.onUserChange((userId, what) => (what === 'gone' ? identities.removeAll(userId) : undefined));
  const signIn = new SignIn({
    accounts: login.accounts,
    identities,
    log,
    rules: {
      autoCreate: settings.get('security.oauth2.autoCreateUser'),
      blockRegistration: settings.get('security.oauth2.blockRegistration'),
      acceptUnverified: settings.get('security.oauth2.acceptUnverifiedEmail'),
      requireSecondFactor: settings.get('security.oauth2.requireSecondFactor'),
      groups: groupRulesOf(settings),
    },
  });
  const endpointDeps = {
    settings,
    secret,
    clock,
    login,
    providers,
    identities,
    signIn,
    states: new LoginStates(secret, clock, `${settings.get('system.rootUriPath')}/login`),
    logoutTokens: new LogoutTokens(store, keySets, clock),
    ...loginRecorder({ log, audit, debugging: settings.get('security.oauth2.debugLogging') }),
  };
  return {
    endpoints: [
      ...providerLoginEndpoints(endpointDeps),
      ...providerLogoutEndpoints(endpointDeps),
      ...identityEndpoints(endpointDeps),
    ],
  };
}
