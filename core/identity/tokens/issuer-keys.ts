import { OperationalError, isQuireError, type Logger, type Outbound } from '@quire/registry';
import type { JWTVerifyGetKey } from 'jose';
import { discoverKeys, readPublic, type Issuer } from './discover-keys.js';

export interface KeySetsDeps {
  readonly outbound: Pick<Outbound, 'call'>;
  readonly log: Logger;
  /** Milliseconds since 1970. */
  now(): number;
}

/** How long keys are used without being read again, ms: a key that the issuer has revoked counts so long. */
const FRESH_MS = 10 * 60_000;
/** How long they are used while the issuer cannot be reached, ms. */
const STALE_MS = 60 * 60_000;
/** How soon an issuer that could not be reached is asked again, ms. */
const RETRY_MS = 5000;
/**
 * How often keys are read again within this time because a token names an unknown one: a rotated key is found at once,
 * and tokens with invented keys cause no storm.
 */
const MOST_LOOKS = 3;
const LOOKS_MS = 30_000;

/** The public keys of all issuers; each issuer's are read once, however many features use them. */
export class KeySets {
  readonly #keys = new Map<string, IssuerKeys>();

  constructor(private readonly deps: KeySetsDeps) {}

  of(issuer: Issuer): IssuerKeys {
    const id = `${issuer.issuer.replace(/\/+$/, '')}\n${issuer.jwksUri}`;
    const keys = this.#keys.get(id) ?? new IssuerKeys(issuer, this.deps);
    this.#keys.set(id, keys);
    return keys;
  }
}

/** The public keys of one issuer, read when a token needs them. */
export class IssuerKeys {
  #known: { readonly find: JWTVerifyGetKey; readonly readAt: number } | undefined;
  #failed: { readonly until: number; readonly error: unknown } | undefined;
  #reading: Promise<JWTVerifyGetKey> | undefined;
  /** When tokens with unknown keys made us look. */
  #looks: readonly number[] = [];

  constructor(
    readonly issuer: Issuer,
    private readonly deps: KeySetsDeps,
  ) {}

  /**
   * Returns the key of a token. Rejects with the errors of `jose` for a token that names none of the keys, with
   * ISSUER_UNREACHABLE, and with SERVICE_NOT_SET_UP for an issuer that describes no keys.
   */
  async find(...[header, token]: Parameters<JWTVerifyGetKey>): Promise<Awaited<ReturnType<JWTVerifyGetKey>>> {
    const find = await this.#current();
    try {
      return await find(header, token);
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'ERR_JWKS_NO_MATCHING_KEY' || !this.#mayLook()) throw error;
      return (await this.#read())(header, token);
    }
  }

  async #current(): Promise<JWTVerifyGetKey> {
    const age = this.#known === undefined ? Infinity : this.deps.now() - this.#known.readAt;
    if (this.#known !== undefined && age < FRESH_MS) return this.#known.find;
    const old = age < STALE_MS ? this.#known?.find : undefined;
    if (this.#failed !== undefined && this.deps.now() < this.#failed.until) {
      if (old === undefined) throw this.#failed.error;
      return old;
    }
    return this.#read().catch((error: unknown) => {
      if (old === undefined) throw error;
      return old;
    });
  }

  #mayLook(): boolean {
    const now = this.deps.now();
    if (this.#failed !== undefined && now < this.#failed.until) return false;
    const recent = this.#looks.filter((at) => now - at < LOOKS_MS);
    this.#looks = recent.length < MOST_LOOKS ? [...recent, now] : recent;
    return recent.length < MOST_LOOKS;
  }

  /** Calls at the same time share one reading. */
  #read(): Promise<JWTVerifyGetKey> {
    this.#reading ??= this.#load().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  async #load(): Promise<JWTVerifyGetKey> {
    const { createLocalJWKSet } = await import('jose');
    try {
      const find = createLocalJWKSet(await this.#readSet());
      this.#known = { find, readAt: this.deps.now() };
      this.#failed = undefined;
      return find;
    } catch (error) {
      const { issuer, setting } = this.issuer;
      const reason = (error as Error).message;
      this.deps.log.warn({ issuer, setting, reason }, 'the keys of an issuer of tokens cannot be read');
      const isOurs = isQuireError(error) && error.code === 'SERVICE_NOT_SET_UP';
      const told = isOurs ? error : new OperationalError('ISSUER_UNREACHABLE', {}, { cause: error });
      this.#failed = { until: this.deps.now() + RETRY_MS, error: told };
      throw told;
    }
  }

  async #readSet(): Promise<{ keys: object[] }> {
    const { issuer, jwksUri, setting, keysSetting } = this.issuer;
    const url = jwksUri === '' ? await discoverKeys(this.deps.outbound, { issuer, setting, keysSetting }) : jwksUri;
    const { status, body } = await readPublic(this.deps.outbound, url, jwksUri === '' ? setting : keysSetting);
    if (status !== 200) throw new Error(`${url} answers with status ${status}`);
    const read: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
    const keys = typeof read === 'object' && read !== null && 'keys' in read ? read.keys : undefined;
    if (!Array.isArray(keys)) throw new Error(`${url} has no keys`);
    return { keys: keys as object[] };
  }
}
