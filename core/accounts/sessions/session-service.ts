import { randomUUID } from 'node:crypto';
import { AccessError, InputError, isQuireError, type Clock, type Logger } from '@quire/registry';
import { isDuplicateRecord, type Identified, type Records, type Store } from '../../store/index.js';
import type { Accounts, LoginMethod, ProviderSession, User } from '../model.js';
import type { ServerSecret } from '../../secrets/index.js';
import { SessionTokens, invalidToken, type TokenClaims, type TokenLife } from './session-tokens.js';
import { SigningKeys } from './signing-keys.js';

/** Settings `security.jwt.*` and `security.sessionMaxDays`. */
export interface SessionSettings {
  readonly expiryMinutes: number;
  readonly desktopExpiryMinutes: number;
  readonly clockSkewSeconds: number;
  readonly refreshGraceMinutes: number;
  readonly keepKeys: boolean;
  readonly cleanUpKeys: boolean;
  /** Days after the login at which a session ends, however often its token was refreshed. */
  readonly maxDays: number;
}

export interface SessionServiceDeps {
  readonly store: Pick<Store, 'records'>;
  readonly accounts: Pick<Accounts, 'byId' | 'onUserChange'>;
  readonly secret: ServerSecret;
  readonly settings: SessionSettings;
  readonly clock: Clock;
  readonly log: Logger;
}

/** A session as the API returns it (`docs/interface/auth.yml`, login). */
export interface SessionWire {
  readonly access_token: string;
  /** Seconds. */
  readonly expires_in: number;
}

/** Where a login came from. */
export interface SessionOrigin {
  /** Desktop clients get tokens that last longer. */
  readonly desktop: boolean;
  /** IP address of the client. */
  readonly address: string;
  /** The client's User-Agent; empty if it sent none. */
  readonly client: string;
  /** Default: a password. */
  readonly method?: LoginMethod;
  /** Of a login with a provider. */
  readonly provider?: ProviderSession;
  /** The provider has said that a second factor was used. */
  readonly secondFactor?: boolean;
}

/** A session as stored. Times are milliseconds since 1970. */
export interface SessionRecord extends Identified {
  readonly userId: string;
  /** The session is valid while this is the user's `sessionVersion`. */
  readonly version: number;
  readonly desktop: boolean;
  readonly address: string;
  readonly client: string;
  /** Missing for a login with a password. */
  readonly method?: LoginMethod;
  /** A login provider has said that a second factor was used. */
  readonly secondFactor?: boolean;
  /** Of a login with a provider: its issuer, a digest of issuer and `sid`, and the sealed ID token. */
  readonly issuer?: string;
  readonly providerSid?: string;
  readonly idToken?: string;
  readonly signedInAtMs: number;
  /** Exact to ten minutes. */
  readonly lastUsedAtMs: number;
  /** The absolute end. */
  readonly endsAtMs: number;
  /** When the record can be deleted: its last token can no longer be used or refreshed. */
  readonly sweepAtMs: number;
}

/** How often an expired token can be refreshed (`docs/interface/auth.yml`, refresh). */
const MAX_REFRESHES = 3;
/** Sessions of one user; a further login ends the oldest, so that logins in a loop do not fill the store. */
const MAX_SESSIONS = 1000;
const LONGEST_CLIENT = 200;
/** How long the time of the last use may be out of date, ms; a write for each call would cost too much. */
const USE_FRESH_MS = 10 * 60_000;
const DAY_MS = 86_400_000;
const ID_TOKENS = 'ID tokens of sessions';

interface RefreshRecord extends Identified {
  readonly count: number;
  readonly expiresAtMs: number;
}

/**
 * Sessions: a record in the store for each login, and signed tokens that name it. A session ends at its absolute end,
 * when it is revoked, or when its user's `sessionVersion` changes.
 */
export class SessionService {
  readonly #tokens: SessionTokens;
  readonly #sessions: Records<SessionRecord>;
  readonly #refreshes: Records<RefreshRecord>;

  constructor(private readonly deps: SessionServiceDeps) {
    const { store, secret, settings, clock, log, accounts } = deps;
    const longestTokenMs =
      (Math.max(settings.expiryMinutes, settings.desktopExpiryMinutes) + settings.refreshGraceMinutes) * 60_000 +
      settings.clockSkewSeconds * 1000;
    const keys = new SigningKeys(
      store,
      secret,
      { keep: settings.keepKeys, cleanup: settings.cleanUpKeys, longestTokenMs },
      clock,
      log,
    );
    this.#tokens = new SessionTokens(keys, clock, settings.clockSkewSeconds);
    this.#sessions = store.records<SessionRecord>('sessions', { keys: ['userId', 'sweepAtMs', 'providerSid'] });
    this.#refreshes = store.records<RefreshRecord>('session_refreshes', { keys: ['expiresAtMs'] });
    accounts.onUserChange(async (userId, what) => {
      if (what === 'gone') await this.#sessions.deleteMany({ userId });
    });
  }

  /** Begins a session after a login and returns its token. */
  async issue(
    user: User,
    { desktop, address, client, method, provider, secondFactor = false }: SessionOrigin,
  ): Promise<SessionWire> {
    const now = this.#now();
    await this.#sessions.deleteMany({}, { atMost: { sweepAtMs: now } });
    const id = randomUUID();
    const record: SessionRecord = {
      id,
      userId: user.id,
      version: user.sessionVersion,
      desktop,
      address,
      client: client.slice(0, LONGEST_CLIENT),
      ...(method === undefined ? {} : { method }),
      ...(secondFactor ? { secondFactor } : {}),
      ...(provider === undefined ? {} : this.#ofProvider(id, provider)),
      signedInAtMs: now,
      lastUsedAtMs: now,
      endsAtMs: now + this.deps.settings.maxDays * DAY_MS,
      sweepAtMs: 0,
    };
    const token = this.#tokenLife(record, desktop, now);
    await this.#sessions.insert({ ...record, sweepAtMs: this.#sweepAt(token.expiresAt * 1000) });
    await this.#endOldest(user.id);
    return this.#wire(user, record.id, token);
  }

  /**
   * Returns the user and the session of a token. Throws TOKEN_INVALID (401), or ACCOUNT_DISABLED (403) for a valid
   * token of a disabled account.
   */
  async verify(token: string): Promise<{ readonly user: User; readonly session: SessionRecord }> {
    const found = await this.#valid(await this.#tokens.verify(token, 0));
    const now = this.#now();
    if (now - found.session.lastUsedAtMs >= USE_FRESH_MS)
      await this.#sessions.update(found.session.id, { set: { lastUsedAtMs: now } });
    return found;
  }

  /**
   * Returns a new token of the same session for one that is valid or expired within the grace time; no token outlasts
   * the session's absolute end. Throws as `verify` does, and REFRESH_LIMIT (429) if the same expired token was
   * refreshed three times; that count is in the store.
   */
  async refresh(
    token: string,
    { desktop }: Pick<SessionOrigin, 'desktop'>,
  ): Promise<{ user: User; session: SessionWire }> {
    const claims = await this.#tokens.verify(token, this.deps.settings.refreshGraceMinutes * 60);
    const { user, session } = await this.#valid(claims);
    if (claims.expiresAtMs <= this.#now()) await this.#countRefresh(token, claims.expiresAtMs);
    const now = this.#now();
    const next = this.#tokenLife(session, desktop, now);
    const sweepAtMs = Math.max(session.sweepAtMs, this.#sweepAt(next.expiresAt * 1000));
    // Without the record the session was revoked meanwhile.
    if (!(await this.#sessions.update(session.id, { set: { lastUsedAtMs: now, sweepAtMs } })))
      throw invalidToken('Token no longer valid');
    return { user, session: await this.#wire(user, session.id, next) };
  }

  /**
   * Ends the session of a token, also of an expired one. Does nothing for a token that is not from this server. Returns
   * the session of the provider that it began at.
   */
  async end(token: string): Promise<ProviderSession | undefined> {
    try {
      const { sessionId, userId } = await this.#tokens.verify(token, this.deps.settings.maxDays * 86_400);
      const session = await this.#sessions.get(sessionId);
      if (!(await this.#sessions.delete(sessionId, { userId })) || session?.issuer === undefined) return undefined;
      const { issuer, idToken } = session;
      return {
        issuer,
        sid: undefined,
        idToken: idToken === undefined ? undefined : String(this.deps.secret.open(ID_TOKENS, sessionId, idToken)),
      };
    } catch (error) {
      if (!isQuireError(error) || error.code !== 'TOKEN_INVALID') throw error;
      return undefined;
    }
  }

  /** Ends all sessions that began in one session of a provider; returns how many. */
  endOfProvider(issuer: string, sid: string): Promise<number> {
    return this.#sessions.deleteMany({ providerSid: this.#sidDigest(issuer, sid) });
  }

  /** Ends all sessions of a user that began at a provider; returns how many. */
  endOfIssuer(userId: string, issuer: string): Promise<number> {
    return this.#sessions.deleteMany({ userId, issuer });
  }

  /** Returns whether a session began at most this many minutes ago. */
  async isRecent(sessionId: string, minutes: number): Promise<boolean> {
    const session = await this.#sessions.get(sessionId);
    return session !== undefined && this.#now() - session.signedInAtMs < minutes * 60_000;
  }

  /** Returns the user's sessions, the latest login first. */
  async list({ id, sessionVersion }: User): Promise<SessionRecord[]> {
    const found = await this.#sessions.find(
      { userId: id, version: sessionVersion },
      { sort: [{ field: 'signedInAtMs', order: 'descending' }] },
    );
    return found.filter((session) => !this.#isOver(session));
  }

  /** Ends one session of the user. Throws NOT_FOUND for one that is unknown or over, or belongs to another user. */
  async revoke(user: User, sessionId: string): Promise<void> {
    const session = (await this.list(user)).find(({ id }) => id === sessionId);
    if (session === undefined || !(await this.#sessions.delete(session.id))) throw new InputError('NOT_FOUND');
  }

  /** Ends the user's sessions except one; returns how many. */
  async revokeAll(user: User, except?: string): Promise<number> {
    const others = (await this.list(user)).filter(({ id }) => id !== except);
    for (const { id } of others) await this.#sessions.delete(id);
    return others.length;
  }

  /**
   * Keeps one session after a change that raised its user's `sessionVersion`, and deletes the user's others. `user` is
   * the user after the change; without an id no session is kept.
   */
  async keepOnly(user: User, sessionId: string | undefined): Promise<void> {
    if (sessionId !== undefined)
      await this.#sessions.update(sessionId, { set: { version: user.sessionVersion } }, { userId: user.id });
    for (const { id, version } of await this.#sessions.find({ userId: user.id }))
      if (version < user.sessionVersion) await this.#sessions.delete(id);
  }

  async #valid({ sessionId, userId }: TokenClaims): Promise<{ user: User; session: SessionRecord }> {
    const user = await this.deps.accounts.byId(userId);
    if (user === undefined) throw invalidToken('Invalid token');
    if (!user.enabled) throw new AccessError('ACCOUNT_DISABLED');
    const session = await this.#sessions.get(sessionId);
    if (session?.userId !== user.id || session.version !== user.sessionVersion)
      throw invalidToken('Token no longer valid');
    if (this.#isOver(session)) throw invalidToken('Token expired');
    return { user, session };
  }

  #ofProvider(
    sessionId: string,
    { issuer, sid, idToken }: ProviderSession,
  ): Pick<SessionRecord, 'issuer' | 'providerSid' | 'idToken'> {
    return {
      issuer,
      ...(sid === undefined ? {} : { providerSid: this.#sidDigest(issuer, sid) }),
      ...(idToken === undefined ? {} : { idToken: this.deps.secret.seal(ID_TOKENS, sessionId, idToken) }),
    };
  }

  #sidDigest(issuer: string, sid: string): string {
    return this.deps.secret.digest('sessions of providers', `${issuer}\n${sid}`);
  }

  #isOver({ endsAtMs }: SessionRecord): boolean {
    return endsAtMs <= this.#now();
  }

  /** Returns how long a token that is created now is valid. */
  #tokenLife({ endsAtMs }: SessionRecord, desktop: boolean, now: number): TokenLife {
    const { desktopExpiryMinutes, expiryMinutes } = this.deps.settings;
    const expiresAtMs = Math.min(now + (desktop ? desktopExpiryMinutes : expiryMinutes) * 60_000, endsAtMs);
    return { issuedAt: Math.floor(now / 1000), expiresAt: Math.floor(expiresAtMs / 1000) };
  }

  #sweepAt(expiresAtMs: number): number {
    const { refreshGraceMinutes, clockSkewSeconds } = this.deps.settings;
    return expiresAtMs + (refreshGraceMinutes * 60 + clockSkewSeconds + 60) * 1000;
  }

  async #wire(user: User, sessionId: string, life: TokenLife): Promise<SessionWire> {
    return {
      access_token: await this.#tokens.sign(user, sessionId, life),
      expires_in: life.expiresAt - life.issuedAt,
    };
  }

  async #endOldest(userId: string): Promise<void> {
    const most = await this.#sessions.count({ userId });
    if (most <= MAX_SESSIONS) return;
    const oldest = await this.#sessions.find(
      { userId },
      { sort: [{ field: 'signedInAtMs', order: 'ascending' }], limit: most - MAX_SESSIONS },
    );
    for (const { id } of oldest) await this.#sessions.delete(id);
  }

  async #countRefresh(token: string, expiredAtMs: number): Promise<void> {
    const id = this.deps.secret.digest('session-refreshes', token);
    const count =
      (await this.#refreshes.update(id, { inc: { count: 1 } }))?.count ?? (await this.#firstRefresh(id, expiredAtMs));
    if (count > MAX_REFRESHES) throw new AccessError('REFRESH_LIMIT', { attempts: MAX_REFRESHES });
  }

  async #firstRefresh(id: string, expiredAtMs: number): Promise<number> {
    await this.#refreshes.deleteMany({}, { atMost: { expiresAtMs: this.#now() } });
    try {
      // Kept until the token can no longer be refreshed.
      await this.#refreshes.insert({ id, count: 1, expiresAtMs: this.#sweepAt(expiredAtMs) });
      return 1;
    } catch (error) {
      if (!isDuplicateRecord(error)) throw error;
      return (await this.#refreshes.update(id, { inc: { count: 1 } }))?.count ?? 1;
    }
  }

  #now(): number {
    return this.deps.clock.now().getTime();
  }
}

/**
 * Returns true for desktop clients, which are detected by their User-Agent (`docs/interface/auth.yml`, how a request is
 * authenticated).
 */
export function isDesktop(userAgent: string | undefined): boolean {
  return /tauri|desktop|electron/i.test(userAgent ?? '');
}
