import type { Identified, Records, Store } from '../../store/index.js';
import { isDuplicateRecord } from '../../store/index.js';
import type { Clock } from '@quire/registry';
import type { Provider } from '../model.js';
import { CLOCK_TOLERANCE, TokenRejected, verifyToken, type KeySets } from '../tokens/index.js';

/** Whose session has ended at the provider: one session, or all of a user. */
export type EndedAtProvider = { readonly sid: string } | { readonly subject: string };

interface UsedTokenRecord extends Identified {
  readonly expiresAtMs: number;
}

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** How old a token may be; providers send it at once (OpenID Connect Back-Channel Logout 1.0, 2.6). */
const OLDEST_SECONDS = 300;

/** Verifies logout tokens (OpenID Connect Back-Channel Logout 1.0, 2.6); each is accepted once. */
export class LogoutTokens {
  readonly #used: Records<UsedTokenRecord>;

  constructor(
    store: Pick<Store, 'records'>,
    private readonly keySets: KeySets,
    private readonly clock: Clock,
  ) {
    this.#used = store.records<UsedTokenRecord>('logout_tokens', { keys: ['expiresAtMs'] });
  }

  /**
   * Returns what has ended; undefined for a token that is wrong, old, used before, or of somebody else. Throws
   * ISSUER_UNREACHABLE.
   */
  async read(provider: Provider, token: string): Promise<EndedAtProvider | undefined> {
    const claims = await this.#verified(provider, token);
    if (claims === undefined) return undefined;
    const { jti, sid, sub, nonce, events } = claims;
    const isLogout = typeof events === 'object' && events !== null && EVENT in events;
    if (!isLogout || nonce !== undefined || typeof jti !== 'string') return undefined;
    const ended = typeof sid === 'string' ? { sid } : typeof sub === 'string' ? { subject: sub } : undefined;
    return ended !== undefined && (await this.#isFirst(`${provider.issuer}\n${jti}`)) ? ended : undefined;
  }

  async #isFirst(id: string): Promise<boolean> {
    const now = this.clock.now().getTime();
    await this.#used.deleteMany({}, { atMost: { expiresAtMs: now } });
    try {
      await this.#used.insert({ id, expiresAtMs: now + (OLDEST_SECONDS + 2 * CLOCK_TOLERANCE) * 1000 });
      return true;
    } catch (error) {
      if (!isDuplicateRecord(error)) throw error;
      return false;
    }
  }

  async #verified({ protocol, issuer, clientId, setting }: Provider, token: string) {
    if (protocol !== 'oidc') return undefined;
    const keys = this.keySets.of({ issuer, jwksUri: '', setting, keysSetting: setting });
    try {
      const { claims } = await verifyToken(token, keys, {
        audience: [clientId],
        maxAgeSeconds: OLDEST_SECONDS,
        requiredClaims: ['iat', 'jti', 'events'],
        now: this.clock.now(),
      });
      return claims;
    } catch (error) {
      if (!(error instanceof TokenRejected)) throw error;
      return undefined;
    }
  }
}
