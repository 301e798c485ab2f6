import { createHash, timingSafeEqual } from 'node:crypto';
import type { Clock } from '@quire/registry';
import type { ServerSecret } from '../secrets/index.js';
import type { PendingLogin } from './model.js';

/** A login that has begun in a browser. */
export interface LoginState extends PendingLogin {
  readonly provider: string;
  /** As it was sent to the provider; the answer must come there. Of SAML the address of this server. */
  readonly redirectUri: string;
  /** Path that the browser comes back to, with the sub-path. */
  readonly back: string;
  /** Of desktop clients, which compare it. */
  readonly nonceOfClient: string | undefined;
  readonly desktop: boolean;
  /** The account that the identity is to be linked to. */
  readonly linkTo: string | undefined;
  /** Id of the trial login of an administrator; nobody is logged in by it. */
  readonly trial?: string;
  readonly expiresAt: number;
}

/** How the browser comes back from the provider. */
export type Comes = 'by link' | 'by form';

/** How long a user may take at the provider, ms. */
const LIFE_MS = 15 * 60_000;
const PURPOSE = 'login states';
const PREFIX = 'quire_login_';

/**
 * Keeps the state of a login in a sealed cookie of the browser that began it, so that an answer which was made for
 * another browser is refused (RFC 6749, 10.12), on whichever node it arrives. Each login has a cookie of its own, since
 * several tabs may log in.
 */
export class LoginStates {
  constructor(
    private readonly secret: ServerSecret,
    private readonly clock: Clock,
    /** Path of the cookie. */
    private readonly path: string,
  ) {}

  /** Returns the Set-Cookie header (RFC 6265, 4.1). */
  cookie(state: Omit<LoginState, 'expiresAt'>, secure: boolean, comes: Comes = 'by link'): string {
    const name = nameOf(state.state);
    const sealed = this.secret.seal(PURPOSE, name, { ...state, expiresAt: this.clock.now().getTime() + LIFE_MS });
    return this.#header(name, Buffer.from(sealed, 'base64').toString('base64url'), LIFE_MS / 1000, secure, comes);
  }

  /** Returns the state that a browser sends back with this `state` parameter; undefined for any other. */
  read(cookies: string | undefined, provider: string, state: string): LoginState | undefined {
    const name = nameOf(state);
    const sealed = cookieOf(cookies, name);
    if (sealed === undefined) return undefined;
    let found: LoginState;
    try {
      found = this.secret.open(PURPOSE, name, Buffer.from(sealed, 'base64url').toString('base64')) as LoginState;
    } catch {
      return undefined;
    }
    const fits = found.provider === provider && isSame(found.state, state);
    return fits && found.expiresAt > this.clock.now().getTime() ? found : undefined;
  }

  /** Returns the Set-Cookie header that removes the cookie. */
  forget(state: string, secure: boolean): string {
    return this.#header(nameOf(state), '', 0, secure, 'by link');
  }

  #header(name: string, value: string, seconds: number, secure: boolean, comes: Comes): string {
    // Lax: the provider sends the browser here by a link of its own. Its forms need None, which browsers accept with
    // Secure only; without either they send the cookie with forms for two minutes, or always.
    const sameSite = comes === 'by link' ? ['SameSite=Lax'] : secure ? ['SameSite=None'] : [];
    const attributes = [`Path=${this.path}`, `Max-Age=${seconds}`, 'HttpOnly', ...sameSite];
    return [`${name}=${value}`, ...attributes, ...(secure ? ['Secure'] : [])].join('; ');
  }
}

/** Returns the value of a cookie in a Cookie header (RFC 6265, 4.2.1). */
export function cookieOf(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

function nameOf(state: string): string {
  return `${PREFIX}${createHash('sha256').update(state).digest('base64url').slice(0, 12)}`;
}

function isSame(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}
