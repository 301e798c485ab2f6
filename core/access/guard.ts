import {
  AccessError,
  isQuireError,
  type Access,
  type AccountDuty,
  type CallConnection,
  type ErrorCode,
  type KeyScope,
  type Principal,
  type QuireError,
} from '@quire/registry';
import {
  INTERNAL_ROLE,
  dutyOf,
  principalOf,
  type Accounts,
  type FactorSession,
  type SecondFactorPolicy,
  type Throttle,
  type User,
} from '../accounts/index.js';
import type { Identified } from '../store/index.js';
import type { GlobalKey, KeyService } from '../accounts/keys/index.js';
import { scopeFault, type CalledRoute } from './key-scope.js';
import { refusalOf, type Refusal } from './refusal.js';
import { roleFault, type RoleRights } from './role-rights.js';
import { checkProduct, type Product, type Standing } from '../billing/index.js';

export interface Credentials {
  /** `X-API-KEY`; checked first. */
  readonly key?: string | undefined;
  /** The token of `Authorization: Bearer`. */
  readonly bearer?: string | undefined;
  /** Address of the client. */
  readonly address: string;
  /** For certificates that a proxy passes on. */
  readonly connection?: CallConnection;
}

export interface CertificateLogin {
  /** Whether the connection has a certificate that counts. */
  isPresent(connection: CallConnection): boolean;
  /** Returns whom the certificate belongs to. Rejects for one that is wrong. */
  recognise(connection: CallConnection): Promise<User>;
}

/** Recognises callers that other servers vouch for: the issuer of a token, or a proxy that has seen a certificate. */
export interface MachineLogin {
  /** Returns who calls; undefined for a token of this server. Rejects for one that is wrong. */
  byToken(
    bearer: string,
    address: string,
  ): Promise<{ readonly user: User; readonly scope: KeyScope | undefined } | undefined>;
  /** Certificates of clients; undefined where none are accepted. */
  readonly certificates: CertificateLogin | undefined;
  /** Returns the WWW-Authenticate header of an answer with this error (RFC 6750, 3); undefined for none. */
  challenge(error: QuireError): string | undefined;
}

/** Recognises callers; present only while login is on. */
export interface GuardLogin {
  readonly accounts: Pick<Accounts, 'byId' | 'byName'>;
  readonly keys: Pick<KeyService, 'find' | 'used'>;
  readonly globalKey: Pick<GlobalKey, 'find'>;
  readonly sessions: {
    verify(token: string): Promise<{ readonly user: User; readonly session: Identified & FactorSession }>;
  };
  readonly throttle: Pick<Throttle, 'failed'>;
  /** Undefined where no other server is trusted. */
  readonly machines?: MachineLogin | undefined;
  readonly secondFactorPolicy: Pick<SecondFactorPolicy, 'lacks' | 'blocksKeys'>;
}

/** Authenticates the calls of one route in its own way, instead of by API key or session. */
export interface RouteLogin {
  /** Pattern of the route, without the context path. */
  readonly path: string;
  /**
   * Returns the account that calls, none where the caller needs no account, a caller that has none, or other
   * credentials to check as usual. Rejects for callers that must not call.
   */
  recognise(
    given: Credentials,
  ): Promise<
    { readonly user: User | undefined } | { readonly principal: Principal } | { readonly credentials: Credentials }
  >;
  /**
   * Returns the WWW-Authenticate header of an answer with this error (RFC 9110, 11.6.1); undefined for none. `site`:
   * scheme, host and sub-path of the call.
   */
  challenge(error: QuireError, site: string): string | undefined;
}

/** Further facts of a call. */
export interface GuardedCall {
  readonly route?: CalledRoute;
  /** Called with a recognised caller before any later check rejects them. */
  readonly known?: (caller: Principal) => void;
}

interface Recognised {
  readonly principal: Principal;
  /** What the caller must do before anything else. */
  readonly duty?: AccountDuty | undefined;
  /** The duty cannot be done here: the second factor belongs to the login provider. */
  readonly elsewhere?: boolean;
}

const dutyCodes = {
  password: 'PASSWORD_CHANGE_REQUIRED',
  secondFactor: 'MFA_SETUP_REQUIRED',
} as const satisfies Record<AccountDuty, ErrorCode>;

const anonymous: Principal = Object.freeze({ id: '', name: 'anonymous', role: 'anonymous', via: 'none' });

/** Longer texts cannot be keys and are not hashed. */
const LONGEST_KEY = 512;

/**
 * Authorises every request by the access that its route declares, before its body is read; a route without a
 * declaration is for users.
 */
export class Guard {
  /**
   * `login` is missing while login is off: no credentials are required then, and no store is read. `standingOf` returns
   * the numbers of a 402 answer in the hosted product. `routeLogins` authenticate their routes, also while login is
   * off; limits of API keys are not checked there, but where the route uses an operation. Without `rights` every role
   * but that of administrators includes all tools.
   */
  constructor(
    private readonly product: Product,
    private readonly login?: GuardLogin,
    private readonly standingOf?: (caller: Principal) => Promise<Standing>,
    private readonly routeLogins: readonly RouteLogin[] = [],
    private readonly rights?: RoleRights,
  ) {
    if (product.loginEnabled !== (login !== undefined))
      throw new Error('the guard needs login services exactly when login is on');
  }

  get loginEnabled(): boolean {
    return this.login !== undefined;
  }

  /**
   * Returns the caller, or throws an AccessError: 404 LOGIN_REQUIRED for routes that exist only with login, 401
   * KEY_INVALID, TOKEN_INVALID or an error of `MachineLogin`, 403 ACCOUNT_DISABLED, 429 TOO_MANY_ATTEMPTS after too
   * many wrong keys, then 403 PASSWORD_CHANGE_REQUIRED or MFA_SETUP_REQUIRED, those of `checkProduct`, and 403
   * BUILT_IN_REFUSED, ADMIN_ONLY, RIGHTS_MISSING, SESSION_REQUIRED, KEY_SCOPE or ACCESS_TOKEN_SCOPE. Public routes
   * ignore credentials that are wrong or do not suffice.
   */
  async check(access: Access | undefined, credentials: Credentials, call: GuardedCall = {}): Promise<Principal> {
    const routeLogin = this.#routeLogin(call.route?.path);
    if (routeLogin !== undefined) return this.#checkBy(routeLogin, access, credentials, call);
    if (this.login === undefined) {
      await checkProduct(this.product, access, () => this.#standing(anonymous));
      return anonymous;
    }
    const isPublic = access?.role === 'public';
    const caller = isPublic
      ? await this.#recogniseIfAny(this.login, credentials)
      : await this.#recognise(this.login, credentials);
    const { principal } = caller;
    await this.#admit(caller, access, call);
    // On public routes too: what the key may not do is done as nobody.
    const fault = call.route === undefined ? undefined : scopeFault(principal.scope, call.route);
    if (fault !== undefined && isPublic) return anonymous;
    if (fault !== undefined)
      throw new AccessError(principal.via === 'token' ? 'ACCESS_TOKEN_SCOPE' : 'KEY_SCOPE', { detail: fault });
    if (principal.keyId !== undefined) this.login.keys.used(principal.keyId);
    return principal;
  }

  /** Returns the WWW-Authenticate header of an answer of this route (`RouteLogin`). */
  challengeOf(path: string, error: QuireError, site: string): string | undefined {
    const routeLogin = this.#routeLogin(path);
    return routeLogin === undefined ? this.login?.machines?.challenge(error) : routeLogin.challenge(error, site);
  }

  /**
   * Why this caller may not use something with this access as a step of a pipeline, as a sentence; undefined if they
   * may. A step needs no session of its own.
   */
  whyNot(access: Access | undefined, principal: Principal, route: CalledRoute): string | undefined {
    const { needsSession: _, ...ofStep } = access ?? {};
    return this.refusal(ofStep, principal, route)?.reason;
  }

  /**
   * For work that was begun earlier: throws KEY_SCOPE, ADMIN_ONLY or RIGHTS_MISSING if the caller could not begin it
   * now.
   */
  recheck(access: Access | undefined, principal: Principal, route: CalledRoute): void {
    if (!this.loginEnabled) return;
    const scope = scopeFault(principal.scope, route);
    if (scope !== undefined) throw new AccessError('KEY_SCOPE', { detail: scope });
    const fault = roleFault(access, principal, route, this.rights);
    if (fault !== undefined) throw fault;
  }

  /** Why the caller's role does not include a call for users, as a sentence; undefined if it does. */
  lack(access: Access | undefined, principal: Principal, route: CalledRoute): string | undefined {
    if (!this.loginEnabled || access?.role === 'admin') return undefined;
    return roleFault(access, principal, route, this.rights)?.message;
  }

  /** Why this caller may not use something with this access; undefined if they may. */
  refusal(access: Access | undefined, principal: Principal, route: CalledRoute): Refusal | undefined {
    return refusalOf(this.product, access, principal, route, this.rights);
  }

  /**
   * Returns the caller of work that was begun earlier, with the account's current rights. Throws ACCOUNT_DISABLED when
   * the account is disabled or gone, or when the work was begun while login was off.
   */
  async resume(caller: Principal | undefined): Promise<Principal> {
    if (this.login === undefined) return anonymous;
    const user = caller === undefined || caller.via === 'none' ? undefined : await this.login.accounts.byId(caller.id);
    if (user?.enabled !== true) throw new AccessError('ACCOUNT_DISABLED');
    return principalOf(user, caller?.via ?? 'none', caller);
  }

  /**
   * Returns the account that the settings name for the server's own work, with its current rights; while login is off,
   * the local caller. Throws ACCOUNT_DISABLED when no account is named, or it is disabled or unknown.
   */
  async actAs(username: string): Promise<Principal> {
    if (this.login === undefined) return anonymous;
    const user = username === '' ? undefined : await this.login.accounts.byName(username);
    if (user?.enabled !== true) throw new AccessError('ACCOUNT_DISABLED');
    return principalOf(user, 'key');
  }

  #routeLogin(path: string | undefined): RouteLogin | undefined {
    return this.routeLogins.find((login) => login.path === path);
  }

  async #checkBy(
    routeLogin: RouteLogin,
    access: Access | undefined,
    credentials: Credentials,
    call: GuardedCall,
  ): Promise<Principal> {
    const found = await routeLogin.recognise(credentials);
    const caller = await this.#callerOf(found);
    await this.#admit(caller, access, call);
    if (caller.principal.keyId !== undefined) this.login?.keys.used(caller.principal.keyId);
    return caller.principal;
  }

  async #callerOf(found: Awaited<ReturnType<RouteLogin['recognise']>>): Promise<Recognised> {
    if ('principal' in found) return { principal: found.principal };
    if ('user' in found) return found.user === undefined ? { principal: anonymous } : recognised(found.user, 'key');
    return this.login === undefined ? { principal: anonymous } : this.#recognise(this.login, found.credentials);
  }

  /** Throws what a recognised caller is rejected for, except the limits of an API key. */
  async #admit(
    { principal, duty, elsewhere }: Recognised,
    access: Access | undefined,
    call: GuardedCall,
  ): Promise<void> {
    call.known?.(principal);
    if (duty !== undefined && access?.openBefore?.includes(duty) !== true)
      throw new AccessError(elsewhere === true ? 'SECOND_FACTOR_REQUIRED' : dutyCodes[duty]);
    await checkProduct(this.product, access, () => this.#standing(principal));
    authorise(access, principal, call.route, this.rights);
  }

  async #standing(caller: Principal): Promise<Standing> {
    return (await this.standingOf?.(caller)) ?? { subscribed: false, state: 'LIMIT', spendUnits: 0 };
  }

  async #recogniseIfAny(login: GuardLogin, credentials: Credentials): Promise<Recognised> {
    const { key, bearer } = credentials;
    if (isMissing(key) && isMissing(bearer) && certificateLogin(login, credentials) === undefined)
      return { principal: anonymous };
    try {
      const found = await this.#recognise(login, credentials);
      return found.duty === undefined ? found : { principal: anonymous };
    } catch (error) {
      // Also while the store is down: public routes answer without it.
      if (isQuireError(error)) return { principal: anonymous };
      throw error;
    }
  }

  async #recognise(login: GuardLogin, credentials: Credentials): Promise<Recognised> {
    const { keys, globalKey, sessions, throttle, machines, secondFactorPolicy } = login;
    const { key, bearer, address } = credentials;
    if (!isMissing(key)) {
      const found = key.length > LONGEST_KEY ? undefined : await keys.find(key);
      if (found !== undefined) {
        const known = recognised(found.user, 'key', found);
        return known.duty === undefined && (await secondFactorPolicy.blocksKeys(found.user))
          ? { ...known, duty: 'secondFactor' }
          : known;
      }
      const builtIn = key.length > LONGEST_KEY ? undefined : await globalKey.find(key);
      if (builtIn !== undefined) return recognised(builtIn, 'globalKey');
      await throttle.failed(address);
      throw new AccessError('KEY_INVALID', { given: true });
    }
    if (isMissing(bearer)) {
      // What is added to every call by itself counts last.
      const user = await certificateLogin(login, credentials)?.();
      if (user === undefined) throw new AccessError('KEY_INVALID', { given: false });
      return recognised(user, 'certificate');
    }
    const machine = await machines?.byToken(bearer, address);
    if (machine !== undefined) return recognised(machine.user, 'token', { scope: machine.scope });
    const { user, session } = await sessions.verify(bearer);
    const duty = dutyOf(user, session.method);
    const principal = principalOf(user, 'session', { sessionId: session.id });
    if (duty !== undefined || !secondFactorPolicy.lacks(user, session, address)) return { principal, duty };
    return { principal, duty: 'secondFactor', elsewhere: user.authenticationType !== 'web' };
  }
}

/** Throws BUILT_IN_REFUSED, ADMIN_ONLY, RIGHTS_MISSING or SESSION_REQUIRED. */
function authorise(
  access: Access | undefined,
  principal: Principal,
  route: CalledRoute | undefined,
  rights: RoleRights | undefined,
): void {
  const { roles, via } = principal;
  if (access?.personal === true && roles?.includes(INTERNAL_ROLE) === true) throw new AccessError('BUILT_IN_REFUSED');
  const fault = roleFault(access, principal, route, rights);
  if (fault !== undefined) throw fault;
  if (access?.needsSession === true && via !== 'session') throw new AccessError('SESSION_REQUIRED');
}

function recognised(...[user, via, credential]: Parameters<typeof principalOf>): Recognised {
  return { principal: principalOf(user, via, credential), duty: dutyOf(user) };
}

/** Returns how to find the account of the client's certificate; undefined without one that counts. */
function certificateLogin({ machines }: GuardLogin, { connection }: Credentials): (() => Promise<User>) | undefined {
  const certificates = machines?.certificates;
  if (certificates === undefined || connection === undefined || !certificates.isPresent(connection)) return undefined;
  return () => certificates.recognise(connection);
}

function isMissing(text: string | undefined): text is undefined | '' {
  return text === undefined || text === '';
}
