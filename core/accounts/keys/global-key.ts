import { timingSafeEqual } from 'node:crypto';
import type { Clock } from '@quire/registry';
import { API_USER, type Accounts, type User } from '../model.js';
import type { ServerSecret } from '../../secrets/index.js';
import { KeyCache } from './key-cache.js';

const PURPOSE = 'global-key';

/**
 * The operator's single key for the whole server (`security.customGlobalAPIKey`). Calls with it act as the built-in
 * user, who is not an administrator.
 */
export class GlobalKey {
  readonly #digest: Buffer | undefined;
  readonly #cache: KeyCache<User>;

  /** `key`: empty for none. Only a keyed digest of it is stored. */
  constructor(
    key: string,
    private readonly accounts: Pick<Accounts, 'byName' | 'onUserChange'>,
    private readonly secret: ServerSecret,
    clock: Clock,
  ) {
    this.#digest = key === '' ? undefined : this.#digestOf(key);
    this.#cache = new KeyCache(clock);
    accounts.onUserChange((userId) => this.#cache.dropWhere(({ id }) => id === userId));
  }

  /**
   * Returns the built-in user if this is the key; undefined for any other key, and while that user is missing or
   * disabled.
   */
  async find(key: string): Promise<User | undefined> {
    // Comparing digests of equal length in constant time does not reveal how much of a guess is right.
    if (this.#digest === undefined || !timingSafeEqual(this.#digestOf(key), this.#digest)) return undefined;
    const user = this.#cache.get(API_USER) ?? (await this.#cache.load(API_USER, () => this.accounts.byName(API_USER)));
    return user?.enabled === true ? user : undefined;
  }

  #digestOf(key: string): Buffer {
    return Buffer.from(this.secret.digest(PURPOSE, key), 'base64url');
  }
}
