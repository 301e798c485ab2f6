import { AccessError, InputError } from '@quire/registry';
import type { AttemptLock } from './attempt-lock.js';
import type { User } from './model.js';
import { checkNewPassword, type PasswordHasher } from './passwords.js';
import type { Users } from './users.js';

/** Changes that users make to their own account; each needs their password. */
export class OwnAccount {
  constructor(
    private readonly users: Users,
    private readonly passwords: PasswordHasher,
    private readonly lock: AttemptLock,
  ) {}

  /**
   * Changes the password and ends the user's sessions. Throws PASSWORD_WRONG, PASSWORD_INVALID,
   * PASSWORD_UNCHANGED (when `mustDiffer`) or ATTEMPTS_USED_UP.
   */
  async changePassword(userId: string, current: string, next: string, mustDiffer = false): Promise<User> {
    await this.#prove(userId, current);
    if (mustDiffer && current === next) throw new InputError('PASSWORD_UNCHANGED');
    const { username } = await this.users.record(userId);
    const passwordHash = await this.passwords.hash(checkNewPassword(next, username));
    return this.users.change(userId, { passwordHash, mustChangePassword: false }, true);
  }

  /** Throws PASSWORD_WRONG, USERNAME_INVALID, USERNAME_TAKEN or ATTEMPTS_USED_UP. */
  async changeUsername(userId: string, password: string, next: string): Promise<User> {
    await this.#prove(userId, password);
    return this.users.rename(userId, next);
  }

  /** Throws PASSWORD_WRONG or ATTEMPTS_USED_UP unless this is the user's password. */
  async confirm(userId: string, password: string): Promise<void> {
    await this.#prove(userId, password);
  }

  /** Whether this is the user's password. Counts no attempt: only for passwords that the server knows itself. */
  async hasPassword(userId: string, password: string): Promise<boolean> {
    return this.passwords.verify(password, (await this.users.record(userId)).passwordHash);
  }

  /** Throws USER_UNKNOWN. */
  async completeSetup(userId: string): Promise<void> {
    await this.users.change(userId, { setupComplete: true });
  }

  /** Limits attempts, so that a stolen key or session cannot be used to guess the password. */
  async #prove(userId: string, password: string): Promise<void> {
    const { passwordHash } = await this.users.record(userId);
    const key = `password:${userId}`;
    const right = await this.lock.attempt(key, async () => {
      const value = await this.passwords.verify(password, passwordHash);
      return { value, outcome: value ? 'right' : 'wrong' };
    });
    if (right === undefined) throw new AccessError('ATTEMPTS_USED_UP', { seconds: await this.lock.lockedFor(key) });
    if (!right) throw new AccessError('PASSWORD_WRONG');
  }
}
