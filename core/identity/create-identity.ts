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
import { finishSamlLogin, samlLoginEndpoints } from './endpoints/saml-login.endpoint.js';
import { samlLogoutEndpoints } from './endpoints/saml-logout.endpoint.js';
import { IdentityRecords } from './identity-records.js';
import { loginRecorder } from './login-recorder.js';
import { LoginStates } from './login-state.js';
import type { LoginProviders } from './login-providers.js';
import type { Protocol, Provider } from './model.js';
import { LogoutTokens } from './oidc/logout-token.js';
import { ProviderClient } from './oidc/provider-client.js';
import type { KeySets } from './tokens/index.js';
import { samlSettingsOf, SamlProvider, UsedMessages, type SamlSettings } from './saml/index.js';
import { SignIn, type SignInRules } from './sign-in.js';
import { rulesOf } from './sign-in-rules.js';
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
  readonly keySets: KeySets;
  readonly login: LoginServices | undefined;
  readonly providers: LoginProviders;
  readonly audit: AuditLog | undefined;
}

export interface IdentityFeature {
  /** Names of the login providers of each account that has some. */
  providersOfUsers(): Promise<ReadonlyMap<string, readonly string[]>>;
  readonly endpoints: readonly Endpoint[];
}

/** Creates the login with providers; providers that are not set up can be tried. Throws SETTINGS_INVALID. */
export function createIdentity(deps: CreateIdentityDeps): IdentityFeature {
  const { settings, settingsFile, store, secret, clock, log, outbound, keySets, login, providers, audit } = deps;
  if (login === undefined) return { endpoints: [], providersOfUsers: () => Promise.resolve(new Map()) };
  warnOfNothing(deps);
  // What administrators save must not keep the server from starting again.
  settingsFile.onCheck((next) => {
    if (providersOf(next).length > 0) groupRulesOf(next, 'security.oauth2');
    if (samlSettingsOf(next) !== undefined) groupRulesOf(next, 'security.saml2');
  });
  const identities = new IdentityRecords(store, clock);
  login.accounts.onUserChange((userId, what) => (what === 'gone' ? identities.removeAll(userId) : undefined));
  const signInWith = (rules: (protocol: Protocol) => SignInRules) =>
    new SignIn({ accounts: login.accounts, identities, log, rules });
  const endpointDeps = {
    settings,
    secret,
    clock,
    log,
    login,
    providers,
    identities,
    signIn: signInWith(rulesOf(settings, providers)),
    settingsFile,
    trials: new LoginTrials(store, secret, clock),
    trialSignIn: (rules: SignInRules) => signInWith(() => rules),
    trialClient: (provider: Provider, groupsClaim: string) =>
      new ProviderClient(provider, { outbound, now: () => clock.now().getTime(), groupsClaim }),
    trialSaml: (saml: SamlSettings) => new SamlProvider(saml, { outbound, now: () => clock.now().getTime() }),
    states: new LoginStates(secret, clock, `${settings.get('system.rootUriPath')}/login`),
    logoutTokens: new LogoutTokens(store, keySets, clock),
    usedMessages: new UsedMessages(store, clock),
    ...loginRecorder({
      log,
      audit,
      debugging: (protocol) => settings.get(`security.${protocol === 'saml' ? 'saml2' : 'oauth2'}.debugLogging`),
    }),
  };
  const always = [
    finishProviderLogin(endpointDeps),
    finishSamlLogin(endpointDeps, providers.saml),
    loginProvidersEndpoint(endpointDeps),
    ...providerTrialEndpoints(endpointDeps),
  ];
  const used = [
    startProviderLogin(endpointDeps),
    ...providerLogoutEndpoints(endpointDeps),
    ...(providers.saml === undefined ? [] : samlLoginEndpoints(endpointDeps, providers.saml)),
    ...(providers.saml === undefined ? [] : samlLogoutEndpoints(endpointDeps, providers.saml)),
    ...identityEndpoints(endpointDeps),
  ];
  return {
    endpoints: providers.list.length > 0 ? [...used, ...always] : always,
    providersOfUsers: () => identities.providersOfUsers(),
  };
}

function warnOfNothing({ settings, log, providers }: CreateIdentityDeps): void {
  const saml = providers.saml;
  if (settings.get('security.oauth2.enabled') && !providers.list.some(({ protocol }) => protocol !== 'saml'))
    log.warn(
      { setting: 'security.oauth2' },
      'login with providers is on, but none has an issuer and a client id, or security.loginMethod leaves it out',
    );
  if (settings.get('security.saml2.enabled') && saml === undefined)
    log.warn({ setting: 'security.saml2' }, 'login with SAML is on, but security.loginMethod leaves it out');
  if (saml !== undefined && settings.get('system.backendUrl') === '')
    log.warn(
      { setting: 'system.backendUrl' },
      'login with SAML is on: set system.backendUrl to the address of this server, which assertions are made for; ' +
        'without it SAML works only under the address that the server listens on',
    );
  const place = saml?.provider.metadata;
  if (place !== undefined && 'url' in place && /^http:/i.test(place.url))
    log.warn(
      { setting: 'security.saml2.idpMetadataUri' },
      'the metadata of the identity provider is read without encryption: whoever changes it on the way logs in as ' +
        'anybody',
    );
}
