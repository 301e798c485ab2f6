import type { Endpoint, EndpointAnswer, EndpointRequest } from '@quire/registry';
import type { LoginServices, User } from '../../accounts/index.js';
import { isDesktop } from '../../accounts/sessions/index.js';
import { cookieOf, type LoginState } from '../login-state.js';
import { SignInRefused, type ExternalIdentity, type FinishedLogin, type LoginProvider } from '../model.js';
import type { IdentityEndpointDeps } from './identity-deps.js';

export const shared = { since: '1.6.0', tag: 'auth', access: { role: 'public', needsLogin: true } } as const;
export const params = (joi: Parameters<NonNullable<NonNullable<Endpoint['request']>['params']>>[0]) =>
  joi.object({
    registrationId: joi.string().max(100).required().example('keycloak').description('Id of the provider'),
  });
/** What a login begins with. */
export const beginQuery: NonNullable<NonNullable<Endpoint['request']>['query']> = (joi) =>
  joi.object({
    tauri: joi.string().max(10).description('1 for desktop clients'),
    nonce: joi.string().max(200).description('Of desktop clients, which compare it'),
    link: joi.string().max(2000).description('Links the identity to an account: from `linkIdentity`'),
  });

const REDIRECT_COOKIE = 'quire_redirect_path';
/** Page of the console that logins come back to. */
export const CALLBACK = '/auth/callback';
/** A path on this site: `//` and `/\` begin addresses of other sites. */
const OWN_PATH = /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/;
const LONGEST_PATH = 2000;

/** What a login needs of the state that it began with. */
export type Begun = Pick<LoginState, 'back' | 'desktop' | 'nonceOfClient' | 'linkTo'>;

/** Reads where a login shall end. */
export function begunOf(deps: IdentityEndpointDeps, request: EndpointRequest): Omit<Begun, 'linkTo'> {
  const { tauri, nonce } = request.query as { tauri?: string; nonce?: string };
  const desktop = tauri === '1';
  return { desktop, nonceOfClient: nonce, back: backPath(deps, request, desktop) };
}

/** Logs the user in, or links the identity, and sends the browser to where it began. Throws SignInRefused. */
export async function completeLogin(
  deps: IdentityEndpointDeps,
  request: EndpointRequest,
  {
    provider,
    begun,
    login: { identity, session },
    cookie,
  }: {
    readonly provider: LoginProvider;
    readonly begun: Begun;
    readonly login: FinishedLogin;
    /** Removes the state. */
    readonly cookie: string | undefined;
  },
): Promise<EndpointAnswer> {
  deps.debug(identity);
  const { linkTo, back } = begun;
  const user = linkTo === undefined ? await deps.signIn.logIn(identity) : await deps.signIn.link(identity, linkTo);
  if (linkTo === undefined) refuseWithoutFactor(deps, user, identity, request.address);
  deps.recordLogin(request, user, provider, linkTo !== undefined);
  if (linkTo !== undefined) return redirect(`${page(deps, back)}?linked=${provider.id}`, cookie);
  const token = await beginSession(deps.login, user, request, begun, { session, identity });
  return redirect(`${page(deps, back)}#access_token=${token}${clientNonce(begun)}`, cookie);
}

/** Accounts with a password set a second factor up here; others need one at the provider. Throws SignInRefused. */
function refuseWithoutFactor(
  { login: { secondFactorPolicy } }: IdentityEndpointDeps,
  user: User,
  { secondFactor, provider }: ExternalIdentity,
  address: string,
): void {
  if (user.authenticationType === 'web' || !secondFactorPolicy.lacks(user, { secondFactor }, address)) return;
  throw new SignInRefused(
    'second_factor_required',
    'security.secondFactor wants a second factor for the role of the user, or outside of the networks, and ' +
      `${provider.name} does not say that one was used`,
  );
}

async function beginSession(
  { sessions }: Pick<LoginServices, 'sessions'>,
  user: User,
  { address, headers }: EndpointRequest,
  { desktop }: Begun,
  { session: provider, identity: { secondFactor } }: FinishedLogin,
): Promise<string> {
  const client = headers['user-agent'];
  const origin = { desktop: desktop || isDesktop(client), address, client: client ?? '', provider, secondFactor };
  return (await sessions.issue(user, { ...origin, method: 'provider' })).access_token;
}

/** Redirects the browser with the reason for a rejected login, and logs the details for administrators. */
export function refused(
  deps: IdentityEndpointDeps,
  request: EndpointRequest,
  { error, provider, back }: { readonly error: unknown; readonly provider: LoginProvider; readonly back: string },
): EndpointAnswer {
  if (!(error instanceof SignInRefused)) throw error;
  deps.recordRefusal(request, provider, error);
  return redirect(`${page(deps, back)}?errorOAuth=${error.code}`);
}

export function redirect(location: string, cookie?: string): EndpointAnswer {
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
export function page({ settings }: Pick<IdentityEndpointDeps, 'settings'>, back: string): string {
  return `${settings.get('system.frontendUrl').replace(/\/+$/, '')}${back}`;
}

export function backPath(
  { settings }: Pick<IdentityEndpointDeps, 'settings'>,
  { headers }: EndpointRequest,
  desktop: boolean,
): string {
  const root = pagesRoot(settings);
  if (desktop) return `${root}${CALLBACK}/tauri`;
  const wished = decoded(cookieOf(headers['cookie'], REDIRECT_COOKIE));
  return wished.length <= LONGEST_PATH && OWN_PATH.test(wished) && !/[?#]/.test(wished) ? wished : `${root}${CALLBACK}`;
}

/** Path of the start page, without a slash at its end. */
export function pagesRoot(settings: IdentityEndpointDeps['settings']): string {
  return settings.get('system.frontendUrl') === '' ? settings.get('system.rootUriPath') : '';
}

function decoded(text: string | undefined): string {
  try {
    return decodeURIComponent(text ?? '');
  } catch {
    return '';
  }
}

function clientNonce({ nonceOfClient }: Begun): string {
  return nonceOfClient === undefined ? '' : `&nonce=${encodeURIComponent(nonceOfClient)}`;
}

export function isSecure(url: string): boolean {
  return url.startsWith('https:');
}
