import { randomBytes } from 'node:crypto';
import type { Clock, EndpointRequest } from '@quire/registry';
import type { LoginServices, User } from '../../accounts/index.js';
import type { ServerSecret } from '../../secrets/index.js';
import type { Settings, SettingsFile } from '../../settings/index.js';
import type { IdentityRecords } from '../identity-records.js';
import type { LoginProviders } from '../login-providers.js';
import { cookieOf, type LoginStates } from '../login-state.js';
import { SignInRefused, type ExternalIdentity, type Provider } from '../model.js';
import type { LogoutTokens } from '../oidc/logout-token.js';
import type { ProviderClient } from '../oidc/provider-client.js';
import type { SignIn, SignInRules } from '../sign-in.js';
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
  readonly trialSignIn: (rules: SignInRules) => Pick<SignIn, 'forecast'>;
  readonly settingsFile: Pick<SettingsFile, 'preview'>;
  readonly logoutTokens: LogoutTokens;
  recordLogin(request: EndpointRequest, user: User, provider: string, linked: boolean): void;
  recordRefusal(request: EndpointRequest, provider: string, refusal: SignInRefused): void;
  recordTrial(request: EndpointRequest, administrator: string, reason: string): void;
  /** Logs what a provider said, if the operator wants it. */
  debug(provider: Provider, identity: ExternalIdentity): void;
}

const TICKETS = 'tickets to link an identity';
const TICKET_MS = 120_000;

/** Scheme, host and sub-path under which the provider knows this server, without a slash at the end. */
export function siteUrl({ settings }: Pick<IdentityEndpointDeps, 'settings'>, site: EndpointRequest['site']): string {
  return settings.get('system.backendUrl').replace(/\/+$/, '') || (site?.url ?? '');
}

/** The sub-path of the console's pages; none where they are on another site. */
export function rootOfPages({ settings }: Pick<IdentityEndpointDeps, 'settings'>): string {
  return settings.get('system.frontendUrl') === '' ? settings.get('system.rootUriPath') : '';
}

/** Page of the console that logins come back to. */
export const CALLBACK = '/auth/callback';
/** Path and cookie of the browser that may use a ticket. */
const TICKET_COOKIE = 'quire_link';
export const AUTHORIZATION = '/oauth2/authorization';

/**
 * Returns a text by which the browser that gets it, which sends no session to pages, may link an identity to an account
 * for two minutes, and the cookie that binds it to this browser: in another one it would link somebody else's identity
 * to this account.
 */
export function linkTicket(
  { secret, clock, settings }: IdentityEndpointDeps,
  { provider, userId, secure }: { readonly provider: string; readonly userId: string; readonly secure: boolean },
): { readonly ticket: string; readonly cookie: string } {
  const browser = randomBytes(16).toString('base64url');
  const until = clock.now().getTime() + TICKET_MS;
  const sealed = secret.seal(TICKETS, provider, { userId, until, browser: secret.digest(TICKETS, browser) });
  const path = `${settings.get('system.rootUriPath')}${AUTHORIZATION}`;
  const attributes = [`Path=${path}`, `Max-Age=${TICKET_MS / 1000}`, 'HttpOnly', 'SameSite=Lax'];
  return {
    ticket: Buffer.from(sealed, 'base64').toString('base64url'),
    cookie: [`${TICKET_COOKIE}=${browser}`, ...attributes, ...(secure ? ['Secure'] : [])].join('; '),
  };
}

/** Returns the account of a ticket. Throws SignInRefused. */
export function readLinkTicket(
  { secret, clock }: IdentityEndpointDeps,
  {
    provider,
    ticket,
    cookies,
  }: { readonly provider: string; readonly ticket: string; readonly cookies: string | undefined },
): string {
  try {
    const sealed = Buffer.from(ticket, 'base64url').toString('base64');
    const found = secret.open(TICKETS, provider, sealed) as { userId: string; until: number; browser: string };
    const isOwn = secret.digest(TICKETS, cookieOf(cookies, TICKET_COOKIE) ?? '') === found.browser;
    if (isOwn && found.until > clock.now().getTime()) return found.userId;
  } catch {
    // As below: it was not made here.
  }
  throw new SignInRefused('login_expired', 'the link to an account was not used within two minutes, in its browser');
}
