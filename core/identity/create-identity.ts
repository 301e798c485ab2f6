import type { Clock, Endpoint, Logger, Outbound } from '@quire/registry';
import type { LoginServices } from '../accounts/index.js';
import type { AuditLog } from '../audit/index.js';
import type { ServerSecret } from '../secrets/index.js';
import type { Settings, SettingsFile } from '../settings/index.js';
import type { Store } from '../store/index.js';
import { identityEndpoints } from './endpoints/identities.endpoint.js';
import { loginProvidersEndpoint } from './endpoints/login-providers.endpoint.js';
import { finishProviderLogin, startProviderLogin } from './endpoints/provider-login.endpoint.js';
import { providerLogoutEndpoints } from './endpoints/provider-logout.endpoint.js';
import { providerTrialEndpoints } from './endpoints/provider-trial.endpoint.js';
import { IdentityRecords } from './identity-records.js';
import { loginRecorder } from './login-recorder.js';
import { LoginStates } from './login-state.js';
import type { LoginProviders } from './login-providers.js';
import type { Provider } from './model.js';
import { LogoutTokens } from './oidc/logout-token.js';
import { ProviderClient } from './oidc/provider-client.js';
import { SignIn, type SignInRules } from './sign-in.js';
import { signInRulesOf } from './sign-in-rules.js';
import { groupRulesOf } from './group-rules.js';
import { providersOf } from './presets.js';
import { LoginTrials } from './trial/login-trials.js';

export interface CreateIdentityDeps {
  readonly settings: Settings;
  readonly settingsFile: SettingsFile;
  readonly store: Store;
  readonly secret: ServerSecret;
  readonly clock: Clock;
  readonly log: Logger;
  readonly outbound: Outbound;
  readonly login: LoginServices | undefined;
  readonly providers: LoginProviders;
  readonly audit: AuditLog | undefined;
}

export interface IdentityFeature {
  /** Names of the login providers of each account that has some. */
  providersOfUsers(): Promise<ReadonlyMap<string, readonly string[]>>;
  readonly endpoints: readonly Endpoint[];
}

/** While no provider is set up, nobody logs in with one. */
const NOBODY: SignInRules = {
  autoCreate: false,
  blockRegistration: true,
  acceptUnverified: false,
  requireSecondFactor: true,
  groups: { roles: [], teams: [] },
};

/** Creates the login with providers; providers that are not set up can be tried. Throws SETTINGS_INVALID. */
export function createIdentity(deps: CreateIdentityDeps): IdentityFeature {
  const { settings, settingsFile, store, secret, clock, log, outbound, login, providers, audit } = deps;
  if (login === undefined) return { endpoints: [], providersOfUsers: () => Promise.resolve(new Map()) };
  const isUsed = providers.list.length > 0;
  // What administrators save must not keep the server from starting again.
  settingsFile.onCheck((next) => {
    if (providersOf(next).length > 0) groupRulesOf(next);
  });
  if (!isUsed && settings.get('security.oauth2.enabled'))
    log.warn(
      { setting: 'security.oauth2' },
      'login with providers is on, but none has an issuer and a client id, or security.loginMethod leaves it out',
    );
  const identities = new IdentityRecords(store, clock);
  login.accounts.onUserChange((userId, what) => (what === 'gone' ? identities.removeAll(userId) : undefined));
  const signInWith = (rules: SignInRules) => new SignIn({ accounts: login.accounts, identities, log, rules });
  const endpointDeps = {
    settings,
    secret,
    clock,
    login,
    providers,
    identities,
    // Rules of providers that are not used may be wrong.
    signIn: signInWith(isUsed ? signInRulesOf(settings) : NOBODY),
    settingsFile,
    trials: new LoginTrials(store, secret, clock),
    trialSignIn: signInWith,
    trialClient: (provider: Provider, groupsClaim: string) =>
      new ProviderClient(provider, { outbound, now: () => clock.now().getTime(), groupsClaim }),
    states: new LoginStates(secret, clock, `${settings.get('system.rootUriPath')}/login`),
    logoutTokens: new LogoutTokens(store, outbound, clock),
    ...loginRecorder({ log, audit, debugging: settings.get('security.oauth2.debugLogging') }),
  };
  const always = [
    finishProviderLogin(endpointDeps),
    loginProvidersEndpoint(endpointDeps),
    ...providerTrialEndpoints(endpointDeps),
  ];
  const used = [
    startProviderLogin(endpointDeps),
    ...providerLogoutEndpoints(endpointDeps),
    ...identityEndpoints(endpointDeps),
  ];
  return {
    endpoints: isUsed ? [...used, ...always] : always,
    providersOfUsers: () => identities.providersOfUsers(),
  };
}
