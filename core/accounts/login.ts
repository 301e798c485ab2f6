import type { Clock } from '@quire/registry';
import type { ServerSecret } from '../secrets/index.js';
import { publicUser, type AccountRecords, type UserRecord } from './account-records.js';
import type { AttemptLock, Judged } from './attempt-lock.js';
import type { SecondFactor } from './second-factor.js';
import type { LoginAttempt, LoginOutcome, LoginRefusal } from './model.js';
import { MAX_NAME, nameKey } from './names.js';
import type { PasswordHasher } from './passwords.js';
import { networkOf } from './throttle.js';
import type { Users } from './users.js';

/** How long an address counts as known to the user after a login, days. */
const ADDRESS_DAYS = 90;
/** Number of logins after which old records are removed, so that attempts with invented names do not pile up. */
const SWEEP_EVERY = 500;

/**
 * Wrong passwords for one name from all unknown networks together, as a multiple of the limit for one network, that
 * lock the name for unknown networks: many networks that guess together need a limit too.
 */
const ALL_NETWORKS = 100;

/**
 * Logins. Wrong passwords, wrong codes and wrong answers of passkeys for one name from one network are counted
 * together; too many lock the name there for logins (never for its sessions and keys), and nowhere else. From a network
 * where the user has logged in before, attempts are never locked by those from others.
 */
export class Login {
  #attempts = 0;
  readonly #everywhere: AttemptLock;

  constructor(
    private readonly records: AccountRecords,
    private readonly users: Users,
    private readonly passwords: PasswordHasher,
    private readonly factor: SecondFactor,
    private readonly lock: AttemptLock,
    private readonly secret: ServerSecret,
    private readonly clock: Clock,
  ) {
    this.#everywhere = lock.times(ALL_NETWORKS);
  }

  async authenticate({ username, password, mfaCode, address }: LoginAttempt): Promise<LoginOutcome> {
    return this.attempt(username, address, async () =>
      this.#try(await this.users.recordByName(lockName(username)), password, mfaCode),
    );
  }

  /** Makes a login of any kind, unless the name is locked for the address, and counts it if it was wrong. */
  async attempt(username: string, address: string, login: () => Promise<LoginOutcome>): Promise<LoginOutcome> {
    if (++this.#attempts % SWEEP_EVERY === 0) await this.sweep();
    const name = lockName(username);
    const judge = async (): Promise<Judged<LoginOutcome>> => {
      const value = await login();
      return { value, outcome: outcomeOf(value) };
    };
    const outcome = (await this.isKnown(username, address))
      ? await this.#fromNetwork(name, address, judge)
      : await this.#fromAnywhere(name, () => this.#fromNetwork(name, address, judge));
    if ('user' in outcome) await this.#remember(name, address);
    return outcome;
  }

  /** Records a login that needed no password, unless the account is disabled or gone. */
  async succeed(userId: string): Promise<LoginOutcome> {
    const lastLogin = this.clock.now().toISOString();
    const now = await this.records.users.update(userId, { set: { lastLogin } }, { enabled: true });
    return now === undefined ? { refused: 'disabled' } : { user: publicUser(now) };
  }

  /** True if the user has logged in from the network of this address in the last 90 days. */
  async isKnown(username: string, address: string): Promise<boolean> {
    const known = await this.records.addresses.get(this.#addressId(lockName(username), address));
    return known !== undefined && known.until > this.clock.now().getTime();
  }

  /** Clears all locks of a name. */
  async unlock(username: string): Promise<void> {
    const name = this.#nameDigest(nameKey(username));
    await this.lock.forgetGroup(name);
    await this.lock.forget(name);
    for (const { id } of await this.records.addresses.find({ name })) await this.lock.forget(id);
  }

  async #fromNetwork(name: string, address: string, judge: () => Promise<Judged<LoginOutcome>>): Promise<LoginOutcome> {
    const key = this.#addressId(name, address);
    return (
      (await this.lock.attempt(key, judge, this.#nameDigest(name))) ?? {
        refused: 'locked',
        seconds: await this.lock.lockedFor(key),
      }
    );
  }

  async #fromAnywhere(name: string, login: () => Promise<LoginOutcome>): Promise<LoginOutcome> {
    const key = this.#nameDigest(name);
    const judge = async (): Promise<Judged<LoginOutcome>> => {
      const value = await login();
      return { value, outcome: outcomeOf(value) };
    };
    return (
      (await this.#everywhere.attempt(key, judge)) ?? {
        refused: 'locked',
        seconds: await this.#everywhere.lockedFor(key),
      }
    );
  }

  /** Removes attempts and addresses that no longer count. */
  async sweep(): Promise<void> {
    await this.lock.sweep();
    await this.records.addresses.deleteMany({}, { atMost: { until: this.clock.now().getTime() } });
  }

  async #try(record: UserRecord | undefined, password: string, mfaCode: string | undefined): Promise<LoginOutcome> {
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
    return this.secret.digest('login address', `${name}\n${networkOf(address)}`);
  }

  async #remember(name: string, address: string): Promise<void> {
    await this.records.addresses.put({
      id: this.#addressId(name, address),
      name: this.#nameDigest(name),
      until: this.clock.now().getTime() + ADDRESS_DAYS * 86_400_000,
    });
  }
}

/** Longer texts are no names; all of them are counted together. */
function lockName(username: string): string {
  return username.length > MAX_NAME * 2 ? '' : nameKey(username);
}

const WRONG: ReadonlySet<LoginRefusal> = new Set(['wrong', 'mfaInvalid', 'mfaReused', 'passkeyWrong', 'passkeyCopied']);

/** How a login counts: an attempt while locked, a missing code and a disabled account are not guesses. */
function outcomeOf(login: LoginOutcome): Judged<unknown>['outcome'] {
  if ('user' in login) return 'right';
  return WRONG.has(login.refused) ? 'wrong' : 'open';
}
