import { AccessError, defineEndpoint, type Endpoint, type EndpointRequest } from '@quire/registry';
import { isDesktop, type SessionWire } from '../sessions/index.js';
import { principalOf, type ProviderSession, type UserWire } from '../index.js';
import { ownRights, ownRightsWire } from '../../roles/index.js';
import { bearerOf } from '../../http/request/index.js';
import { isLocalLoginOn, loginOf, type LoginDeps } from './login-of.js';
import { refusals, sessionBody, sessionFor, userBody } from './session-answer.js';
import type { Settings } from '../../settings/index.js';

export interface LoginEndpointDeps extends LoginDeps {
  readonly settings: Settings;
  /** Returns the address that ends the session of a provider; undefined where that is not possible. */
  logoutUrl(session: ProviderSession, site: EndpointRequest['site']): Promise<string | undefined>;
}

const base = { since: '1.0.0', tag: 'auth' };
const open = { role: 'public', needsLogin: true } as const;

/** Login, logout and the caller's account (`docs/interface/auth.yml`). */
export function loginEndpoints(deps: LoginEndpointDeps): Endpoint[] {
  return [passwordLogin(deps), ownAccount(deps), ...tokenEndpoints(deps)];
}

function passwordLogin(deps: LoginEndpointDeps): Endpoint {
  return defineEndpoint({
    ...base,
    id: 'login',
    method: 'POST',
    path: 'auth/login',
    summary: 'Log in with a password',
    access: open,
    notes:
      'Returns a session token. Desktop clients (detected by their User-Agent) get one that lasts longer. ' +
      'Wrong passwords are limited for each account and address (`security.loginAttemptCount`, ' +
      '`security.throttle.*`); Retry-After says when the right one is accepted again.',
    request: {
      payload: (joi) =>
        joi.object({
          username: joi.string().trim().max(1000).required().example('admin'),
          password: joi.string().max(4096).required().example('the password'),
          mfaCode: joi
            .string()
            .trim()
            .allow('')
            .max(20)
            .example('')
            .description('Six digits from the authenticator app, if a second factor is on'),
        }),
    },
    returns: { description: 'The user and the session', json: sessionBody },
    errors: [
      'INPUT_INVALID',
      'INPUT_MALFORMED',
      'INPUT_MEDIA_TYPE',
      'LOGIN_FAILED',
      'LOGIN_LOCKED',
      'LOGIN_DISABLED',
      'MFA_CODE_REQUIRED',
      'MFA_CODE_INVALID',
      'LOGIN_METHOD_OFF',
      'LOGIN_REQUIRED',
      'TOO_MANY_ATTEMPTS',
    ],
    handle: async (request) => ({ json: await logIn(deps, request) }),
  });
}

function ownAccount(deps: LoginEndpointDeps): Endpoint {
  return defineEndpoint({
    ...base,
    id: 'getMe',
    method: 'GET',
    path: 'auth/me',
    summary: 'Get your account',
    access: { needsLogin: true, openBefore: ['password', 'secondFactor'] },
    notes: '`rights`: what your role includes, with what was granted to you and your team.',
    returns: {
      description: 'The user',
      json: (joi) => joi.object({ user: userBody(joi).required(), rights: ownRights(joi).required() }).label('Me'),
    },
    errors: ['KEY_INVALID', 'TOKEN_INVALID', 'ACCOUNT_DISABLED', 'LOGIN_REQUIRED'],
    handle: async ({ principal }) => {
      const { accounts, roles } = loginOf(deps);
      const user = await accounts.byId(principal.id);
      if (user === undefined) throw new AccessError('ACCOUNT_DISABLED');
      return { json: { user: await accounts.toWire(user), rights: ownRightsWire(roles, principalOf(user, 'none')) } };
    },
  });
}

function tokenEndpoints(deps: LoginEndpointDeps): Endpoint[] {
  return [
    defineEndpoint({
      ...base,
      id: 'refreshSession',
      method: 'POST',
      path: 'auth/refresh',
      summary: 'Refresh a session token',
      access: open,
      notes:
        'Send the old token in the Authorization header. An expired token is accepted for a limited time ' +
        '(security.jwt.refreshGraceMinutes), at most three times. No token lasts longer than the session ' +
        '(security.sessionMaxDays).',
      returns: { description: 'The user and the new session', json: sessionBody },
      errors: ['KEY_INVALID', 'TOKEN_INVALID', 'ACCOUNT_DISABLED', 'REFRESH_LIMIT', 'LOGIN_REQUIRED'],
      handle: async ({ headers }) => {
        const { accounts, sessions } = loginOf(deps);
        const token = bearerOf(headers['authorization']);
        if (token === undefined) throw new AccessError('KEY_INVALID', { given: false });
        const { user, session } = await sessions.refresh(token, { desktop: isDesktop(headers['user-agent']) });
        return { json: { user: await accounts.toWire(user), session } };
      },
    }),
    defineEndpoint({
      ...base,
      id: 'logout',
      method: 'POST',
      path: 'auth/logout',
      summary: 'Log out',
      access: open,
      notes:
        'Ends the session of the token in the Authorization header: all tokens of the session stop working. ' +
        'Without a valid token nothing happens. A session that began at a login provider has another one there, ' +
        'which ends when the browser opens `logoutUrl`.',
      returns: {
        description: 'Done',
        json: (joi) =>
          joi
            .object({
              message: joi.string().required(),
              logoutUrl: joi
                .string()
                .uri()
                .description('Where the browser logs out at the login provider; missing when there is nothing to do'),
            })
            .label('LoggedOut'),
      },
      errors: ['LOGIN_REQUIRED'],
      handle: async ({ headers, site }) => {
        const token = bearerOf(headers['authorization']);
        const session = token === undefined ? undefined : await loginOf(deps).sessions.end(token);
        const logoutUrl = session === undefined ? undefined : await deps.logoutUrl(session, site);
        return { json: { message: 'Logged out successfully', ...(logoutUrl === undefined ? {} : { logoutUrl }) } };
      },
    }),
  ];
}

async function logIn(
  deps: LoginEndpointDeps,
  request: EndpointRequest,
): Promise<{ user: UserWire; session: SessionWire }> {
  const { accounts, throttle } = loginOf(deps);
  if (!isLocalLoginOn(deps.settings)) throw new AccessError('LOGIN_METHOD_OFF');
  const { payload, address } = request;
  const { username, password, mfaCode } = payload as { username: string; password: string; mfaCode?: string };
  await throttle.admitPassword(address, username, () => accounts.isKnown(username, address));
  const outcome = await accounts.authenticate({ username, password, mfaCode, address });
  if ('refused' in outcome) {
    // A right password without a code, or for a disabled account, is not a guess.
    if (outcome.refused === 'mfaRequired' || outcome.refused === 'disabled')
      await throttle.passwordOpen(address, username);
    throw new AccessError(refusals[outcome.refused], outcome.seconds === undefined ? {} : { seconds: outcome.seconds });
  }
  await throttle.passwordRight(address, username);
  return sessionFor(deps, outcome.user, request, 'password');
}
