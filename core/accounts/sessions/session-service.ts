import { AccessError, type Clock, type Logger } from '@quire/registry';
import type { JWTPayload } from 'jose';
import { isDuplicateRecord, type Identified, type Records, type Store } from '../../store/index.js';
import type { Accounts, User } from '../model.js';
import type { ServerSecret } from '../../secrets/index.js';
import { ALGORITHM, SigningKeys } from './signing-keys.js';

/** Settings `security.jwt.*`. */
export interface SessionSettings {
  readonly expiryMinutes: number;
  readonly desktopExpiryMinutes: number;
  readonly clockSkewSeconds: number;
  readonly refreshGraceMinutes: number;
  readonly keepKeys: boolean;
  readonly cleanUpKeys: boolean;
}

export interface SessionServiceDeps {
  readonly store: Pick<Store, 'records'>;
  readonly accounts: Pick<Accounts, 'byId'>;
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

/** How often an expired token can be refreshed (`docs/interface/auth.yml`, refresh). */
const MAX_REFRESHES = 3;
/** `iss` of every token; tokens of other issuers are rejected, whatever key signed them. */
const ISSUER = 'quire';
const LONGEST_TOKEN = 4096;

interface RefreshRecord extends Identified {
  readonly count: number;
  readonly expiresAtMs: number;
}

/**
 * Sessions without a stored record: signed tokens (RFC 7519, RS256) that are valid until their user's `sessionVersion`
 * changes.
 */
export class SessionService {
  readonly #keys: SigningKeys;
  readonly #refreshes: Records<RefreshRecord>;

  constructor(private readonly deps: SessionServiceDeps) {
    const { store, secret, settings, clock, log } = deps;
    const longestTokenMs =
      (Math.max(settings.expiryMinutes, settings.desktopExpiryMinutes) + settings.refreshGraceMinutes) * 60_000 +
      settings.clockSkewSeconds * 1000;
    this.#keys = new SigningKeys(
      store,
      secret,
      { keep: settings.keepKeys, cleanup: settings.cleanUpKeys, longestTokenMs },
      clock,
      log,
    );
    this.#refreshes = store.records<RefreshRecord>('session_refreshes', { keys: ['expiresAtMs'] });
  }

  /** Returns a new token for a user. Tokens of desktop clients last longer. */
  async issue(user: User, { desktop }: { readonly desktop: boolean }): Promise<SessionWire> {
    const { SignJWT } = await import('jose');
    const { kid, privateKey } = await this.#keys.current();
    const lifeSeconds = (desktop ? this.deps.settings.desktopExpiryMinutes : this.deps.settings.expiryMinutes) * 60;
    const now = Math.floor(this.#now() / 1000);
    const token = await new SignJWT({
      authType: user.authenticationType,
      role: user.role,
      uid: user.id,
      ver: user.sessionVersion,
    })
      .setProtectedHeader({ alg: ALGORITHM, kid, typ: 'JWT' })
      .setSubject(user.username)
      .setIssuer(ISSUER)
      .setIssuedAt(now)
      .setExpirationTime(now + lifeSeconds)
      .sign(privateKey);
    return { access_token: token, expires_in: lifeSeconds };
  }

  /**
   * Returns the user of a token. Throws TOKEN_INVALID (401), or ACCOUNT_DISABLED (403) for a valid token of a disabled
   * account.
   */
  async verify(token: string): Promise<User> {
    return this.#userOf(await this.#payload(token, 0));
  }

  /**
   * Returns a new token for one that is valid or expired within the grace time. Throws as `verify` does, and
   * REFRESH_LIMIT (429) if the same expired token was refreshed three times; that count is in the store.
   */
  async refresh(
    token: string,
    { desktop }: { readonly desktop: boolean },
  ): Promise<{ user: User; session: SessionWire }> {
    const payload = await this.#payload(token, this.deps.settings.refreshGraceMinutes * 60);
    const user = await this.#userOf(payload);
    const expiredAt = (payload.exp ?? 0) * 1000;
    if (expiredAt <= this.#now()) await this.#countRefresh(token, expiredAt);
    return { user, session: await this.issue(user, { desktop }) };
  }

  async #payload(token: string, graceSeconds: number): Promise<JWTPayload> {
    if (token.length > LONGEST_TOKEN) throw invalid('Invalid token');
    const { errors, jwtVerify } = await import('jose');
    try {
      const { payload } = await jwtVerify(
        token,
        async ({ kid }) => {
          const key = typeof kid === 'string' ? await this.#keys.publicKey(kid) : undefined;
          if (key === undefined) throw new errors.JWKSNoMatchingKey();
          return key;
        },
        {
          algorithms: [ALGORITHM],
          issuer: ISSUER,
          requiredClaims: ['sub', 'iat', 'exp'],
          clockTolerance: this.deps.settings.clockSkewSeconds + graceSeconds,
          currentDate: this.deps.clock.now(),
        },
      );
      return payload;
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw invalid('Token expired');
      if (error instanceof errors.JWSSignatureVerificationFailed || error instanceof errors.JWKSNoMatchingKey)
        throw invalid('Invalid token signature');
      if (error instanceof errors.JOSEError || error instanceof TypeError) throw invalid('Invalid token');
      throw error;
    }
  }

  async #userOf({ uid, ver }: JWTPayload): Promise<User> {
    const user = typeof uid === 'string' ? await this.deps.accounts.byId(uid) : undefined;
    if (user === undefined) throw invalid('Invalid token');
    if (!user.enabled) throw new AccessError('ACCOUNT_DISABLED');
    if (user.sessionVersion !== ver) throw invalid('Token no longer valid');
    return user;
  }

  async #countRefresh(token: string, expiredAtMs: number): Promise<void> {
    const id = this.deps.secret.digest('session-refreshes', token);
    const count =
      (await this.#refreshes.update(id, { inc: { count: 1 } }))?.count ?? (await this.#firstRefresh(id, expiredAtMs));
    if (count > MAX_REFRESHES) throw new AccessError('REFRESH_LIMIT', { attempts: MAX_REFRESHES });
  }

  async #firstRefresh(id: string, expiredAtMs: number): Promise<number> {
    const { refreshGraceMinutes, clockSkewSeconds } = this.deps.settings;
    await this.#refreshes.deleteMany({}, { atMost: { expiresAtMs: this.#now() } });
    try {
      // Kept until the token can no longer be refreshed.
      await this.#refreshes.insert({
        id,
        count: 1,
        expiresAtMs: expiredAtMs + (refreshGraceMinutes * 60 + clockSkewSeconds + 60) * 1000,
      });
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

function invalid(detail: string): AccessError {
  return new AccessError('TOKEN_INVALID', { detail });
}
