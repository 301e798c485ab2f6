import { randomBytes } from 'node:crypto';
import type { Clock, EndpointRequest, Logger } from '@quire/registry';
import type { LoginServices, User } from '../../accounts/index.js';
import type { ServerSecret } from '../../secrets/index.js';
import type { Settings, SettingsFile } from '../../settings/index.js';
import type { IdentityRecords } from '../identity-records.js';
import { beginsAt, type LoginProviders, type OfferedProvider } from '../login-providers.js';
import { cookieOf, type LoginStates } from '../login-state.js';
import { SignInRefused, type ExternalIdentity, type LoginProvider, type Provider } from '../model.js';
import type { LogoutTokens } from '../oidc/logout-token.js';
import type { ProviderClient } from '../oidc/provider-client.js';
import type { SamlProvider, SamlSettings, UsedMessages } from '../saml/index.js';
import type { SignIn, SignInRules } from '../sign-in.js';
import { openTicket, sealedTicket, TICKET_SECONDS } from '../ticket.js';
import type { LoginTrials } from '../trial/login-trials.js';

export interface IdentityEndpointDeps {
  readonly settings: Settings;
  readonly secret: ServerSecret;
  readonly clock: Clock;
  readonly login: Pick<LoginServices, 'accounts' | 'sessions' | 'secondFactorPolicy'>;
  readonly providers: LoginProviders;
  readonly states: LoginStates;
  readonly identities: IdentityRecords;
  readonly signIn: SignIn;
  readonly trials: LoginTrials;
  /** Logs in at a provider with other settings than the server runs with. */
  readonly trialClient: (provider: Provider, groupsClaim: string) => ProviderClient;
  /** The same with SAML. */
  readonly trialSaml: (settings: SamlSettings) => SamlProvider;
  readonly trialSignIn: (rules: SignInRules) => Pick<SignIn, 'forecast'>;
  readonly settingsFile: Pick<SettingsFile, 'preview'>;
  readonly logoutTokens: LogoutTokens;
  readonly usedMessages: UsedMessages;
  readonly log: Logger;
  recordLogin(request: EndpointRequest, user: User, provider: LoginProvider, linked: boolean): void;
  recordRefusal(request: EndpointRequest, provider: LoginProvider, refusal: SignInRefused): void;
  recordTrial(request: EndpointRequest, administrator: string, reason: string): void;
  /** Logs what a provider said, if the operator wants it. */
  debug(identity: ExternalIdentity): void;
}

const TICKETS = 'tickets to link an identity';
/** Cookie of the browser that may use a ticket. */
const TICKET_COOKIE = 'quire_link';

/** Scheme, host and sub-path under which the provider knows this server, without a slash at the end. */
export function siteUrl({ settings }: Pick<IdentityEndpointDeps, 'settings'>, site: EndpointRequest['site']): string {
  return settings.get('system.backendUrl').replace(/\/+$/, '') || (site?.url ?? '');
}

/**
 * Returns a text by which the browser that gets it, which sends no session to pages, may link an identity to an account
 * for two minutes, and the cookie that binds it to this browser: in another one it would link somebody else's identity
 * to this account.
 */
export function linkTicket(
  { secret, clock, settings }: IdentityEndpointDeps,
  {
    provider,
    userId,
    secure,
  }: { readonly provider: OfferedProvider; readonly userId: string; readonly secure: boolean },
): { readonly ticket: string; readonly cookie: string } {
  const browser = randomBytes(16).toString('base64url');
  const value = { userId, browser: secret.digest(TICKETS, browser) };
  const path = `${settings.get('system.rootUriPath')}${beginsAt(provider.protocol)}`;
  const attributes = [`Path=${path}`, `Max-Age=${TICKET_SECONDS}`, 'HttpOnly', 'SameSite=Lax'];
  return {
    ticket: sealedTicket(secret, TICKETS, provider.id, value, clock.now().getTime()),
    cookie: [`${TICKET_COOKIE}=${browser}`, ...attributes, ...(secure ? ['Secure'] : [])].join('; '),
  };
}

/** Returns the account of a ticket, if there is a ticket. Throws SignInRefused. */
export function readLinkTicket(
  { secret, clock }: IdentityEndpointDeps,
  provider: string,
  { query, headers }: EndpointRequest,
): string | undefined {
  const { link } = query as { readonly link?: string };
  if (link === undefined) return undefined;
  const found = openTicket(secret, TICKETS, provider, link, clock.now().getTime()) as
    | { readonly userId: string; readonly browser: string }
    | undefined;
  if (found !== undefined && secret.digest(TICKETS, cookieOf(headers['cookie'], TICKET_COOKIE) ?? '') === found.browser)
    return found.userId;
  throw new SignInRefused('login_expired', 'the link to an account was not used within two minutes, in its browser');
}
