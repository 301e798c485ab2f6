import type { Identified, Records, Store } from '../../store/index.js';
import { isDuplicateRecord } from '../../store/index.js';
import type { Clock, Outbound } from '@quire/registry';
import type { ProviderClient } from './provider-client.js';

/** Whose session has ended at the provider: one session, or all of a user. */
export type EndedAtProvider = { readonly sid: string } | { readonly subject: string };

interface UsedTokenRecord extends Identified {
  readonly expiresAtMs: number;
}

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
const LONGEST_TOKEN = 16 * 1024;
/** How old a token may be; providers send it at once (OpenID Connect Back-Channel Logout 1.0, 2.6). */
const OLDEST_SECONDS = 300;
const CLOCK_SKEW_SECONDS = 30;
const FETCH_MS = 5000;
const KEY_BYTES = 256 * 1024;

/** Verifies logout tokens (OpenID Connect Back-Channel Logout 1.0, 2.6); each is accepted once. */
export class LogoutTokens {
  readonly #used: Records<UsedTokenRecord>;

  constructor(
    store: Pick<Store, 'records'>,
    private readonly outbound: Pick<Outbound, 'call'>,
    private readonly clock: Clock,
  ) {
    this.#used = store.records<UsedTokenRecord>('logout_tokens', { keys: ['expiresAtMs'] });
  }

  /** Returns what has ended; undefined for a token that is wrong, old, used before, or of somebody else. */
  async read(client: ProviderClient, token: string): Promise<EndedAtProvider | undefined> {
    if (token.length > LONGEST_TOKEN) return undefined;
    const { jwtVerify, createLocalJWKSet } = await import('jose');
    const keys = createLocalJWKSet(await this.#keysOf(client));
    const { issuer, clientId } = client.provider;
    let claims: Readonly<Record<string, unknown>>;
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer: [issuer, `${issuer}/`],
        audience: clientId,
        algorithms: ALGORITHMS,
        clockTolerance: CLOCK_SKEW_SECONDS,
        maxTokenAge: OLDEST_SECONDS,
        currentDate: this.clock.now(),
        requiredClaims: ['iat', 'jti', 'events'],
      });
      claims = payload;
    } catch {
      return undefined;
    }
    const { jti, sid, sub, nonce, events } = claims;
    const isLogout = typeof events === 'object' && events !== null && EVENT in events;
    if (!isLogout || nonce !== undefined || typeof jti !== 'string') return undefined;
    const ended = typeof sid === 'string' ? { sid } : typeof sub === 'string' ? { subject: sub } : undefined;
    return ended !== undefined && (await this.#isFirst(`${issuer}\n${jti}`)) ? ended : undefined;
  }

  async #isFirst(id: string): Promise<boolean> {
    const now = this.clock.now().getTime();
    await this.#used.deleteMany({}, { atMost: { expiresAtMs: now } });
    try {
      await this.#used.insert({ id, expiresAtMs: now + (OLDEST_SECONDS + 2 * CLOCK_SKEW_SECONDS) * 1000 });
      return true;
    } catch (error) {
      if (!isDuplicateRecord(error)) throw error;
      return false;
    }
  }

  async #keysOf(client: ProviderClient): Promise<{ keys: object[] }> {
    const url = await client.keysUrl();
    if (url === undefined) return { keys: [] };
    const { status, body } = await this.outbound.call({
      url,
      field: client.provider.setting,
      ofOperator: true,
      headers: { accept: 'application/json' },
      limits: { timeoutMs: FETCH_MS, maxBytes: KEY_BYTES },
    });
    if (status !== 200) return { keys: [] };
    const read: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
    const keys = typeof read === 'object' && read !== null && 'keys' in read ? read.keys : [];
    return { keys: Array.isArray(keys) ? keys : [] };
  }
}
