import { AccessError, InputError, type Clock } from '@quire/registry';
import type { ServerSecret } from '../secrets/index.js';
import type { AccountRecords, UserRecord } from './account-records.js';
import type { AttemptLock } from './attempt-lock.js';
import type { User } from './model.js';
import { newTotpSecret, totpStep } from './totp.js';
import type { Users } from './users.js';

const PURPOSE = 'second factor';

/** The second factor of users: TOTP (RFC 6238) with an encrypted secret in the store; each code is valid once. */
export class SecondFactor {
  constructor(
    private readonly records: AccountRecords,
    private readonly users: Users,
    private readonly lock: AttemptLock,
    private readonly secret: ServerSecret,
    private readonly clock: Clock,
    private readonly issuer: string,
  ) {}

  /** Starts the enrolment, or restarts it. Throws MFA_WEB_ONLY or MFA_ALREADY_ON. */
  async setup(userId: string): Promise<{ secret: string; otpauthUri: string }> {
    const { username } = await this.#enrolling(userId);
    const made = await newTotpSecret(this.issuer, username);
    const kept = await this.records.users.update(
      userId,
      { set: { mfaPending: this.secret.seal(PURPOSE, userId, made.secret) } },
      { mfaEnabled: false },
    );
    if (kept === undefined) throw new InputError('MFA_ALREADY_ON');
    return made;
  }

  /**
   * Completes the enrolment with the first code and ends the user's sessions. Throws MFA_WEB_ONLY, MFA_ALREADY_ON,
   * MFA_NOT_STARTED or MFA_CODE_INVALID.
   */
  async enable(userId: string, code: string): Promise<User> {
    const { mfaPending } = await this.#enrolling(userId);
    if (mfaPending === null) throw new InputError('MFA_NOT_STARTED');
    const step = await this.#step(userId, mfaPending, code);
    if (step === undefined) throw new AccessError('MFA_CODE_INVALID');
    // Only for the secret that the code was checked with; of two simultaneous calls one succeeds.
    const set = { mfaEnabled: true, mfaSecret: mfaPending, mfaPending: null, mfaLastStep: step };
    if ((await this.records.users.update(userId, { set }, { mfaPending, mfaEnabled: false })) === undefined)
      throw new AccessError('MFA_CODE_INVALID');
    // The listeners must learn of it, and sessions from before the factor must end.
    return this.users.change(userId, { mfaEnabled: true }, true);
  }

  /**
   * Turns the factor off with a code and ends the user's sessions; returns undefined if it was off. Throws
   * MFA_CODE_INVALID or ATTEMPTS_USED_UP.
   */
  async disable(userId: string, code: string): Promise<User | undefined> {
    const record = await this.users.record(userId);
    if (!record.mfaEnabled) return undefined;
    const key = `factor:${userId}`;
    const taken = await this.lock.attempt(key, async () => {
      const value = await this.take(record, code);
      return { value, outcome: value === 'ok' ? 'right' : 'wrong' };
    });
    if (taken === undefined) throw new AccessError('ATTEMPTS_USED_UP', { seconds: await this.lock.lockedFor(key) });
    if (taken !== 'ok') throw new AccessError('MFA_CODE_INVALID');
    return this.clear(userId);
  }

  /** Cancels an enrolment. Throws MFA_ALREADY_ON. */
  async cancel(userId: string): Promise<void> {
    const record = await this.users.record(userId);
    if (record.mfaEnabled) throw new InputError('MFA_ALREADY_ON');
    await this.records.users.update(userId, { set: { mfaPending: null } }, { mfaEnabled: false });
  }

  /** Turns the factor off without a code, for administrators; ends the user's sessions. */
  async clear(userId: string): Promise<User> {
    return this.users.change(userId, { mfaEnabled: false, mfaSecret: null, mfaPending: null }, true);
  }

  /** Accepts a code once: of two simultaneous calls with the same code, one returns `reused`. */
  async take(record: UserRecord, code: string): Promise<'ok' | 'invalid' | 'reused'> {
    const step = record.mfaSecret === null ? undefined : await this.#step(record.id, record.mfaSecret, code);
    if (step === undefined) return 'invalid';
    for (let last = record.mfaLastStep; step > last;) {
      if (
        (await this.records.users.update(
          record.id,
          { set: { mfaLastStep: step } },
          { mfaLastStep: last, mfaSecret: record.mfaSecret },
        )) !== undefined
      )
        return 'ok';
      const now = await this.users.record(record.id);
      if (now.mfaSecret !== record.mfaSecret) return 'invalid';
      last = now.mfaLastStep;
    }
    return 'reused';
  }

  async #enrolling(userId: string): Promise<UserRecord> {
    const record = await this.users.record(userId);
    if (record.authenticationType !== 'web' || record.passwordHash === null) throw new AccessError('MFA_WEB_ONLY');
    if (record.mfaEnabled) throw new InputError('MFA_ALREADY_ON');
    return record;
  }

  async #step(userId: string, sealed: string, code: string): Promise<number | undefined> {
    return totpStep(this.secret.open(PURPOSE, userId, sealed) as string, code, this.clock.now().getTime());
  }
}
