import type { Clock } from '@quire/registry';
import type { ServerSecret } from '../secrets/index.js';
import { publicUser, type AccountRecords, type UserRecord } from './account-records.js';
import type { AttemptLock } from './attempt-lock.js';
import type { SecondFactor } from './second-factor.js';
import type { LoginAttempt, LoginRefusal, User } from './model.js';
import { MAX_NAME, nameKey } from './names.js';
import type { PasswordHasher } from './passwords.js';
import type { Users } from './users.js';

/** How long an address counts as known to the user after a login, days. */
const ADDRESS_DAYS = 90;
/** Number of logins after which old records are removed, so that attempts with invented names do not pile up. */
const SWEEP_EVERY = 500;

type Outcome = { readonly user: User } | { readonly refused: LoginRefusal };

/**
 * Password logins. Wrong passwords and wrong codes of one name are counted together; too many lock the name for logins
 * (never for its sessions and keys). An address from which the user has logged in before has its own count, so that
 * strangers cannot lock the user out there.
 */
export class Login {
  #attempts = 0;

  constructor(
    private readonly records: AccountRecords,
    private readonly users: Users,
    private readonly passwords: PasswordHasher,
    private readonly factor: SecondFactor,
    private readonly lock: AttemptLock,
    private readonly secret: ServerSecret,
    private readonly clock: Clock,
  ) {}

  async authenticate({ username, password, mfaCode, address }: LoginAttempt): Promise<Outcome> {
    if (++this.#attempts % SWEEP_EVERY === 0) await this.sweep();
    const name = username.length > MAX_NAME * 2 ? '' : nameKey(username);
    const key = await this.#lockKey(name, address);
    const outcome = await this.lock.attempt(key, async () => {
      const value = await this.#try(await this.users.recordByName(name), password, mfaCode);
      return {
        value,
        outcome:
          'user' in value ? 'right' : ['wrong', 'mfaInvalid', 'mfaReused'].includes(value.refused) ? 'wrong' : 'open',
      };
    });
    if (outcome === undefined) return { refused: 'locked' };
    if ('user' in outcome) await this.#remember(name, address);
    return outcome;
  }

  /** Clears all locks of a name. */
  async unlock(username: string): Promise<void> {
    const name = this.#nameDigest(nameKey(username));
    await this.lock.forget(name);
    for (const { id } of await this.records.addresses.find({ name })) await this.lock.forget(id);
  }

  /** Removes attempts and addresses that no longer count. */
  async sweep(): Promise<void> {
    await this.lock.sweep();
    await this.records.addresses.deleteMany({}, { atMost: { until: this.clock.now().getTime() } });
  }

  async #try(record: UserRecord | undefined, password: string, mfaCode: string | undefined): Promise<Outcome> {
    const right = await this.passwords.verify(password, record?.passwordHash);
    if (record === undefined || !right) return { refused: 'wrong' };
    if (!record.enabled) return { refused: 'disabled' };
    if (record.mfaEnabled) {
      if (mfaCode === undefined || mfaCode.trim() === '') return { refused: 'mfaRequired' };
      const code = await this.factor.take(record, mfaCode);
      if (code !== 'ok') return { refused: code === 'reused' ? 'mfaReused' : 'mfaInvalid' };
    }
    const rehashed = this.passwords.outdated(record.passwordHash ?? '')
      ? { passwordHash: await this.passwords.hash(password) }
      : {};
    // Replace only the hash that was checked: a password that was changed meanwhile must not come back.
    const now = await this.records.users.update(
      record.id,
      { set: { lastLogin: this.clock.now().toISOString(), ...rehashed } },
      { passwordHash: record.passwordHash, enabled: true },
    );
    return now === undefined ? { refused: 'wrong' } : { user: publicUser(now) };
  }

  #nameDigest(name: string): string {
    return this.secret.digest('login name', name);
  }

  #addressId(name: string, address: string): string {
    return this.secret.digest('login address', `${name}\n${address}`);
  }

  async #lockKey(name: string, address: string): Promise<string> {
    const id = this.#addressId(name, address);
    const known = await this.records.addresses.get(id);
    return known !== undefined && known.until > this.clock.now().getTime() ? id : this.#nameDigest(name);
  }

  async #remember(name: string, address: string): Promise<void> {
    await this.records.addresses.put({
      id: this.#addressId(name, address),
      name: this.#nameDigest(name),
      until: this.clock.now().getTime() + ADDRESS_DAYS * 86_400_000,
    });
  }
}
