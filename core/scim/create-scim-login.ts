import { timingSafeEqual } from 'node:crypto';
import { AccessError, type Logger, type Principal, type QuireError } from '@quire/registry';
import type { Credentials, RouteLogin } from '../access/index.js';
import type { LoginServices } from '../accounts/index.js';
import type { ServerSecret } from '../secrets/index.js';
import type { Settings } from '../settings/index.js';
import { scimRoutes } from './scim-routes.js';
import { SCIM_NAME } from './scim-call.js';

export interface ScimLoginDeps {
  readonly settings: Settings;
  readonly login: LoginServices | undefined;
  readonly secret: ServerSecret;
  readonly log: Logger;
}

const PURPOSE = 'token of SCIM';
/** Longer texts are not tokens and are not hashed. */
const LONGEST_TOKEN = 1024;

/** The identity provider; it may call the routes of SCIM only, since no other route knows its token. */
const provider: Principal = Object.freeze({ id: 'scim', name: SCIM_NAME, role: 'admin', via: 'key' });

/** Creates the authentication of the identity provider, before the guard that uses it; none while SCIM is off. */
export function createScimLogin({ settings, login, secret, log }: ScimLoginDeps): readonly RouteLogin[] {
  if (!settings.get('scim.enabled')) return [];
  if (login === undefined) {
    log.warn({ setting: 'scim.enabled' }, 'SCIM is on, but there are no accounts while security.enableLogin is off');
    return [];
  }
  const token = settings.get('scim.token');
  if (token === '') log.warn({ setting: 'scim.token' }, 'SCIM is on and has no token, so every call is refused');
  const wanted = token === '' ? undefined : digestOf(secret, token);
  const recognise = async ({ bearer, address }: Credentials) => {
    if (bearer === undefined) throw new AccessError('SCIM_TOKEN_INVALID');
    if (wanted === undefined) throw new AccessError('SCIM_TOKEN_INVALID', { unset: true });
    const isRight = bearer.length <= LONGEST_TOKEN && timingSafeEqual(digestOf(secret, bearer), wanted);
    if (isRight) return { principal: provider };
    log.warn({ address }, 'a call of SCIM had a wrong token');
    await login.throttle.failed(address);
    throw new AccessError('SCIM_TOKEN_INVALID', { wrong: true });
  };
  return scimRoutes.map((path) => ({ path, recognise, challenge }));
}

/** RFC 6750, 3. */
function challenge({ code, data }: QuireError): string | undefined {
  if (code !== 'SCIM_TOKEN_INVALID') return undefined;
  return data['wrong'] === true ? 'Bearer realm="scim", error="invalid_token"' : 'Bearer realm="scim"';
}

/** Digests have one length, and comparing them shows nothing of the token. */
function digestOf(secret: ServerSecret, token: string): Buffer {
  return Buffer.from(secret.digest(PURPOSE, token), 'base64url');
}
