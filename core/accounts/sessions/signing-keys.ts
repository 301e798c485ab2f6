import { randomUUID } from 'node:crypto';
import type { Clock, Logger } from '@quire/registry';
import { OperationalError } from '@quire/registry';
import type { CryptoKey, JWK } from 'jose';
import type { Identified, Records, Store } from '../../store/index.js';
import type { ServerSecret } from '../../secrets/index.js';

/** The algorithm of every session token (`docs/interface/auth.yml`, login; RFC 7518, 3.3). */
export const ALGORITHM = 'RS256';
const PURPOSE = 'signing-keys';
/** How long a pair signs, ms; then a new one takes over, and the old one only verifies. */
const SIGNS_MS = 90 * 86_400_000;
/** How long pairs read from the store are cached, ms: after that, a pair that another server created is found. */
const FRESH_MS = 5000;

interface PairRecord extends Identified {
  /** The private key as JWK, encrypted. */
  readonly sealed: string;
  readonly publicKey: string;
  readonly createdAtMs: number;
}

/** A key pair that signs or verifies tokens. */
export interface SigningPair {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly createdAtMs: number;
}

export interface SigningKeySettings {
  /** False: pairs are only in memory, and every restart ends all sessions (`security.jwt.enableKeystore`). */
  readonly keep: boolean;
  /** Delete pairs whose last token has expired (`security.jwt.enableKeyCleanup`). */
  readonly cleanup: boolean;
  /** Longest lifetime of a token, including the time in which it can be refreshed, ms. */
  readonly longestTokenMs: number;
}

/**
 * The server's key pairs: created at the first use, encrypted with the server's secret in the store, and replaced after
 * 90 days.
 */
export class SigningKeys {
  readonly #records: Records<PairRecord>;
  #pairs = new Map<string, SigningPair>();
  #readAtMs = -Infinity;
  #busy: Promise<void> | undefined;

  constructor(
    store: Pick<Store, 'records'>,
    private readonly secret: ServerSecret,
    private readonly settings: SigningKeySettings,
    private readonly clock: Clock,
    private readonly log: Logger,
  ) {
    this.#records = store.records<PairRecord>('signing_keys');
  }

  /** Returns the pair that signs now. */
  async current(): Promise<SigningPair> {
    const young = (): SigningPair | undefined =>
      [...this.#pairs.values()]
        .filter(({ createdAtMs }) => this.#now() - createdAtMs < SIGNS_MS)
        .sort((a, b) => b.createdAtMs - a.createdAtMs)[0];
    if (young() === undefined) await this.#together(() => this.#read());
    if (young() === undefined)
      await this.#together(async () => {
        if (young() === undefined) await this.#make();
      });
    const pair = young();
    if (pair === undefined) throw new OperationalError('STORE_DOWN');
    return pair;
  }

  /** Returns the public key of a pair; undefined for a pair of another server. */
  async publicKey(kid: string): Promise<CryptoKey | undefined> {
    if (!this.#pairs.has(kid) && this.#now() - this.#readAtMs > FRESH_MS) await this.#together(() => this.#read());
    return this.#pairs.get(kid)?.publicKey;
  }

  /** Runs work one after another, so that two simultaneous first logins create one pair. */
  async #together(work: () => Promise<void>): Promise<void> {
    while (this.#busy !== undefined) await this.#busy.catch(() => undefined);
    this.#busy = work().finally(() => (this.#busy = undefined));
    await this.#busy;
  }

  async #read(): Promise<void> {
    this.#readAtMs = this.#now();
    if (!this.settings.keep) return;
    for (const record of await this.#records.find()) {
      if (this.settings.cleanup && this.#now() - record.createdAtMs > SIGNS_MS + this.settings.longestTokenMs) {
        await this.#records.delete(record.id);
        this.#pairs.delete(record.id);
      } else if (!this.#pairs.has(record.id)) await this.#open(record);
    }
  }

  async #open(record: PairRecord): Promise<void> {
    const { importJWK } = await import('jose');
    try {
      const privateKey = await importJWK(this.secret.open(PURPOSE, record.id, record.sealed) as JWK, ALGORITHM);
      const publicKey = await importJWK(JSON.parse(record.publicKey) as JWK, ALGORITHM);
      this.#pairs.set(record.id, {
        kid: record.id,
        privateKey: privateKey as CryptoKey,
        publicKey: publicKey as CryptoKey,
        createdAtMs: record.createdAtMs,
      });
    } catch (error) {
      this.log.warn(
        { err: error, kid: record.id },
        "a session key pair was encrypted with another server's secret and is not used; servers that share a " +
          'store must share store.secret, or the file store/server.key',
      );
    }
  }

  async #make(): Promise<void> {
    const { exportJWK, generateKeyPair } = await import('jose');
    const { privateKey, publicKey } = await generateKeyPair(ALGORITHM, { modulusLength: 2048, extractable: true });
    const pair = { kid: randomUUID(), privateKey, publicKey, createdAtMs: this.#now() };
    if (this.settings.keep) {
      await this.#records.insert({
        id: pair.kid,
        sealed: this.secret.seal(PURPOSE, pair.kid, await exportJWK(privateKey)),
        publicKey: JSON.stringify(await exportJWK(publicKey)),
        createdAtMs: pair.createdAtMs,
      });
    }
    this.#pairs.set(pair.kid, pair);
  }

  #now(): number {
    return this.clock.now().getTime();
  }
}
