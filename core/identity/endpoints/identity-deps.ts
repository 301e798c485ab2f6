import type { Clock, EndpointRequest } from '@quire/registry';
import type { LoginServices, User } from '../../accounts/index.js';
import type { ServerSecret } from '../../secrets/index.js';
import type { Settings } from '../../settings/index.js';
import type { IdentityRecords } from '../identity-records.js';
import type { LoginProviders } from '../login-providers.js';
import type { LoginStates } from '../login-state.js';
import { SignInRefused, type ExternalIdentity, type Provider } from '../model.js';
import type { LogoutTokens } from '../oidc/logout-token.js';
import type { SignIn } from '../sign-in.js';

export interface IdentityEndpointDeps {
  readonly settings: Settings;
  readonly secret: ServerSecret;
  readonly clock: Clock;
  readonly login: Pick<LoginServices, 'accounts' | 'sessions'>;
  readonly providers: LoginProviders;
  readonly states: LoginStates;
  readonly identities: IdentityRecords;
  readonly signIn: SignIn;
  readonly logoutTokens: LogoutTokens;
  recordLogin(request: EndpointRequest, user: User, provider: string, linked: boolean): void;
  recordRefusal(request: EndpointRequest, provider: string, refusal: SignInRefused): void;
  /** Logs what a provider said, if the operator wants it. */
  debug(provider: Provider, identity: ExternalIdentity): void;
}

const TICKETS = 'tickets to link an identity';
const TICKET_MS = 120_000;

/** Scheme, host and sub-path under which the provider knows this server, without a slash at the end. */
export function siteUrl(
  { settings }: Pick<IdentityEndpointDeps, 'settings'>,
  { site }: Pick<EndpointRequest, 'site'>,
): string {
  return settings.get('system.backendUrl').replace(/\/+$/, '') || (site?.url ?? '');
}

/** Returns a text by which a browser, which has no session, may link an identity to an account for two minutes. */
export function linkTicket({ secret, clock }: IdentityEndpointDeps, provider: string, userId: string): string {
  const sealed = secret.seal(TICKETS, provider, { userId, until: clock.now().getTime() + TICKET_MS });
  return Buffer.from(sealed, 'base64').toString('base64url');
}

/** Returns the account of a ticket. Throws SignInRefused. */
export function readLinkTicket({ secret, clock }: IdentityEndpointDeps, provider: string, ticket: string): string {
  try {
    const sealed = Buffer.from(ticket, 'base64url').toString('base64');
    const { userId, until } = secret.open(TICKETS, provider, sealed) as { userId: string; until: number };
    if (until > clock.now().getTime()) return userId;
  } catch {
    // As below: it was not made here.
  }
  throw new SignInRefused('login_expired', 'the link to an account was not used within two minutes');
}
