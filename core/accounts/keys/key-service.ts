import { randomBytes, randomUUID } from 'node:crypto';
import { AccessError, InputError, type Clock, type KeyScope, type Logger } from '@quire/registry';
import { isDuplicateRecord, type Records, type Store } from '../../store/index.js';
import { INTERNAL_ROLE, type Accounts, type User } from '../model.js';
import type { ServerSecret } from '../../secrets/index.js';
import { KeyCache } from './key-cache.js';
import { KeyUsageMeter } from './key-usage.js';
import {
  MAX_NAMED_KEYS,
  SINGLE_KEY_NAME,
  hasExpired,
  toKeyWire,
  type KeyDayRecord,
  type KeyLimits,
  type KeyRecord,
  type KeyWire,
} from './model.js';

export interface KeyServiceDeps {
  readonly store: Pick<Store, 'records'>;
  readonly accounts: Pick<Accounts, 'byId' | 'onUserChange'>;
  readonly secret: ServerSecret;
  readonly clock: Clock;
  readonly log: Logger;
}

/** A recognised key and its owner. */
export interface FoundKey {
  readonly keyId: string;
  readonly user: User;
  readonly scope?: KeyScope | undefined;
  readonly expiresAtMs?: number | undefined;
}

const PURPOSE = 'api-keys';
/** Longer texts cannot be keys of this server and are not worth a digest. */
const LONGEST_KEY = 512;

/**
 * The API keys of users: a single key that its owner may read again, and up to 50 named keys that are shown once. Keys
 * have 122 or 160 random bits and are looked up by keyed digest, so that response times reveal nothing about a key.
 * Rejects with STORE_DOWN when the store is unreachable.
 */
export class KeyService {
  readonly #keys: Records<KeyRecord>;
  readonly #days: Records<KeyDayRecord>;
  readonly #usage: KeyUsageMeter;
  readonly #cache: KeyCache<FoundKey>;

  constructor(private readonly deps: KeyServiceDeps) {
    const { store, accounts, clock, log } = deps;
    this.#keys = store.records<KeyRecord>('api_keys', { keys: ['userId'], unique: ['digest', 'single'] });
    this.#days = store.records<KeyDayRecord>('api_key_days', { keys: ['keyId'] });
    this.#usage = new KeyUsageMeter(this.#keys, this.#days, clock, log);
    this.#cache = new KeyCache(clock);
    accounts.onUserChange(async (userId, what) => {
      this.#cache.dropWhere(({ user }) => user.id === userId);
      if (what === 'gone') await this.#removeAll(userId);
    });
  }

  /**
   * Returns the owner of a key and which of the owner's keys it is; undefined for an unknown, revoked or expired key,
   * for a disabled owner, and for the built-in user.
   */
  async find(key: string): Promise<FoundKey | undefined> {
    if (key === '' || key.length > LONGEST_KEY) return undefined;
    const digest = this.deps.secret.digest(PURPOSE, key);
    const found = this.#cache.get(digest) ?? (await this.#cache.load(digest, () => this.#look(digest)));
    return found === undefined || hasExpired(found, this.#now()) ? undefined : found;
  }

  /** Counts one use of a key. */
  used(keyId: string): void {
    this.#usage.used(keyId);
  }

  /** Returns the user's single key and its id; undefined if there is none. */
  async existingSingle(userId: string): Promise<{ readonly id: string; readonly key: string } | undefined> {
    const record = await this.#keys.findOne({ single: userId });
    return typeof record?.sealed === 'string'
      ? { id: record.id, key: this.#open(record.id, record.sealed) }
      : undefined;
  }

  /** Returns the user's single key; creates it if there is none. */
  async single(userId: string): Promise<string> {
    for (;;) {
      const present = await this.existingSingle(userId);
      if (present !== undefined) return present.key;
      const { key, fields } = this.#newSingle(randomUUID(), userId);
      try {
        await this.#keys.insert(fields);
        return key;
      } catch (error) {
        // Another request created it first: use that one.
        if (!isDuplicateRecord(error)) throw error;
      }
    }
  }

  /**
   * Replaces the user's single key. The old key stops working at once on this server, and within five seconds on others
   * that share the store.
   */
  async renewSingle(userId: string): Promise<string> {
    for (;;) {
      const old = await this.#keys.findOne({ single: userId });
      if (old === undefined) return this.single(userId);
      const { key, fields } = this.#newSingle(old.id, userId);
      const { digest, sealed, prefix, createdAtMs } = fields;
      const changed = await this.#keys.update(
        old.id,
        { set: { digest, sealed, prefix, createdAtMs } },
        { digest: old.digest, single: userId },
      );
      this.#cache.drop(old.digest);
      if (changed !== undefined) return key;
    }
  }

  /** Returns the user's keys, including revoked ones: the single key first, then by age. */
  async list(userId: string): Promise<KeyWire[]> {
    await this.#usage.settled();
    const records = await this.#keys.find(
      { userId },
      {
        sort: [
          { field: 'kind', order: 'descending' },
          { field: 'createdAtMs', order: 'ascending' },
          { field: 'name', order: 'ascending' },
        ],
      },
    );
    return Promise.all(records.map(async (record) => toKeyWire(record, await this.#usage.of(record), this.#now())));
  }

  /** Creates a named key; `secret` is never shown again. Throws KEY_LIMIT if the user has 50 active ones. */
  async create(
    userId: string,
    name: string,
    { expiresInDays, ...scope }: KeyLimits = {},
  ): Promise<{ key: KeyWire; secret: string }> {
    const secret = `sk_${randomBytes(20).toString('hex')}`;
    const record: KeyRecord = {
      id: randomUUID(),
      userId,
      kind: 'named',
      name,
      digest: this.deps.secret.digest(PURPOSE, secret),
      prefix: secret.slice(0, 11),
      single: null,
      sealed: null,
      status: 'active',
      createdAtMs: this.#now(),
      lastUsedAtMs: null,
      usageTotal: 0,
      ...(Object.keys(scope).length === 0 ? {} : { scope }),
      ...(expiresInDays === undefined ? {} : { expiresAtMs: this.#now() + expiresInDays * 86_400_000 }),
    };
    await this.#keys.insert(record);
    // Count after the insert, so that two simultaneous requests cannot both get the last key.
    const active = await this.#keys.find({ userId, kind: 'named', status: 'active' });
    if (active.filter((key) => !hasExpired(key, this.#now())).length > MAX_NAMED_KEYS) {
      await this.#keys.delete(record.id);
      throw new AccessError('KEY_LIMIT', { limit: MAX_NAMED_KEYS });
    }
    return { key: toKeyWire(record, { today: 0, month: 0, total: 0, lastUsedAtMs: null }, this.#now()), secret };
  }

  /**
   * Revokes a key of the user. Throws NOT_FOUND for an unknown key, another user's key, and one that is already
   * revoked.
   */
  async revoke(userId: string, keyId: string): Promise<void> {
    const revoked = await this.#keys.update(
      keyId,
      { set: { status: 'revoked', single: null, sealed: null } },
      { userId, status: 'active' },
    );
    if (revoked === undefined) throw new InputError('NOT_FOUND');
    this.#cache.drop(revoked.digest);
  }

  /** Revokes all keys of the user. */
  async revokeAll(userId: string): Promise<void> {
    for (const { id, digest } of await this.#keys.find({ userId, status: 'active' })) {
      await this.#keys.update(id, { set: { status: 'revoked', single: null, sealed: null } }, { status: 'active' });
      this.#cache.drop(digest);
    }
  }

  /** Writes counts that are still in memory. */
  async close(): Promise<void> {
    await this.#usage.flush();
  }

  async #look(digest: string): Promise<FoundKey | undefined> {
    const record = await this.#keys.findOne({ digest });
    if (record === undefined || record.status !== 'active') return undefined;
    const user = await this.deps.accounts.byId(record.userId);
    // The built-in user has the global key only: a key that it created must not outlive a change of that setting.
    return user?.enabled === true && user.role !== INTERNAL_ROLE
      ? { keyId: record.id, user, scope: record.scope, expiresAtMs: record.expiresAtMs }
      : undefined;
  }

  #newSingle(id: string, userId: string): { key: string; fields: KeyRecord } {
    const key = randomUUID();
    const fields: KeyRecord = {
      id,
      userId,
      kind: 'single',
      name: SINGLE_KEY_NAME,
      digest: this.deps.secret.digest(PURPOSE, key),
      prefix: key.slice(0, 11),
      single: userId,
      sealed: this.deps.secret.seal(PURPOSE, id, key),
      status: 'active',
      createdAtMs: this.#now(),
      lastUsedAtMs: null,
      usageTotal: 0,
    };
    return { key, fields };
  }

  #open(id: string, sealed: string): string {
    return String(this.deps.secret.open(PURPOSE, id, sealed));
  }

  async #removeAll(userId: string): Promise<void> {
    for (const { id } of await this.#keys.find({ userId })) await this.#days.deleteMany({ keyId: id });
    await this.#keys.deleteMany({ userId });
  }

  #now(): number {
    return this.deps.clock.now().getTime();
  }
}
