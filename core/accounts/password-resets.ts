import { randomBytes, randomUUID } from 'node:crypto';
import { InputError, type Clock } from '@quire/registry';
import type { ServerSecret } from '../secrets/index.js';
import type { AccountRecords, PasswordResetRecord, UserRecord } from './account-records.js';
import type { Login } from './login.js';
import { INTERNAL_ROLE, type User } from './model.js';
import { isMailAddress, MAX_NAME } from './names.js';
import { checkNewPassword, type PasswordHasher } from './passwords.js';
import type { Users } from './users.js';

/** Longest token that is looked up. */
const LONGEST_TOKEN = 100;
const TOKEN_BYTES = 32;
const HOUR_MS = 3_600_000;
/** Most mails to one account within an hour. Further requests get the same answer, but send no mail. */
const RESETS_PER_HOUR = 3;

/** A link that was made for an account; only the mail has the token. */
export interface IssuedReset {
  readonly user: User;
  readonly token: string;
  readonly expiresAt: Date;
}

/** Why no link was made; for the log of the operator, never for the caller. */
export type ResetRefusal = 'unknown' | 'disabled' | 'builtIn' | 'noPassword' | 'noMailAddress' | 'tooMany';

/**
 * Password resets: whoever has the token that was mailed to an account can set its password, once. A token holds until
 * it expires or the account changes: its password, name or role, or whether it is enabled.
 */
export class PasswordResets {
  constructor(
    private readonly records: AccountRecords,
    private readonly users: Users,
    private readonly passwords: PasswordHasher,
    private readonly login: Login,
    private readonly secret: ServerSecret,
    private readonly clock: Clock,
  ) {}

  /** Makes a token for the account with this name, whose name must be its mail address. */
  async issue(username: string, minutes: number): Promise<IssuedReset | ResetRefusal> {
    const record = username.length > MAX_NAME * 2 ? undefined : await this.users.recordByName(username);
    if (record === undefined) return 'unknown';
    const refusal = refusalOf(record);
    if (refusal !== undefined) return refusal;
    const now = this.clock.now().getTime();
    await this.records.resets.deleteMany({}, { atMost: { sweepAt: now } });
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const expiresAt = now + minutes * 60_000;
    const reset = await this.records.resets.insert({
      id: randomUUID(),
      tokenDigest: this.#digest(token),
      userId: record.id,
      sessionVersion: record.sessionVersion,
      createdAt: now,
      expiresAt,
      usedAt: null,
      sweepAt: Math.max(expiresAt, now + HOUR_MS),
    });
    // Counted after the insert, so that simultaneous calls cannot exceed the limit.
    const recent = (await this.records.resets.find({ userId: record.id })).filter(
      ({ createdAt }) => createdAt > now - HOUR_MS,
    );
    if (recent.length > RESETS_PER_HOUR) {
      await this.records.resets.delete(reset.id);
      return 'tooMany';
    }
    const user = await this.users.byId(record.id);
    return user === undefined ? 'unknown' : { user, token, expiresAt: new Date(expiresAt) };
  }

  /** Returns the account of a token. Throws PASSWORD_RESET_UNKNOWN for one that is unknown, used or no longer valid. */
  async open(token: string): Promise<{ readonly user: User; readonly expiresAt: Date }> {
    const { reset, user } = await this.#find(token);
    return { user, expiresAt: new Date(reset.expiresAt) };
  }

  /**
   * Sets the password and ends the sessions of the account; only one of two simultaneous calls does. Throws
   * PASSWORD_RESET_UNKNOWN as `open` does, and PASSWORD_INVALID, after which the token still holds.
   */
  async finish(token: string, password: string): Promise<User> {
    const { reset, user } = await this.#find(token);
    const passwordHash = await this.passwords.hash(checkNewPassword(password, user.username));
    const used = await this.records.resets.update(
      reset.id,
      { set: { usedAt: this.clock.now().getTime() } },
      { usedAt: null },
    );
    if (used === undefined) throw new InputError('PASSWORD_RESET_UNKNOWN');
    const changed = await this.users.change(user.id, { passwordHash, mustChangePassword: false }, true);
    // Wrong attempts were guesses at the password of before.
    await this.login.unlock(user.username);
    return changed;
  }

  async #find(token: string): Promise<{ readonly reset: PasswordResetRecord; readonly user: User }> {
    const reset =
      token.length > LONGEST_TOKEN
        ? undefined
        : await this.records.resets.findOne({ tokenDigest: this.#digest(token), usedAt: null });
    const user = reset === undefined ? undefined : await this.users.byId(reset.userId);
    if (
      reset === undefined ||
      user?.enabled !== true ||
      user.sessionVersion !== reset.sessionVersion ||
      reset.expiresAt <= this.clock.now().getTime()
    )
      throw new InputError('PASSWORD_RESET_UNKNOWN');
    return { reset, user };
  }

  #digest(token: string): string {
    return this.secret.digest('password reset', token);
  }
}

function refusalOf({
  role,
  enabled,
  authenticationType,
  passwordHash,
  username,
}: UserRecord): ResetRefusal | undefined {
  // Demo users share an account, and may not change it.
  if (role === INTERNAL_ROLE || role === 'ROLE_DEMO_USER') return 'builtIn';
  if (!enabled) return 'disabled';
  if (authenticationType !== 'web' || passwordHash === null) return 'noPassword';
  return isMailAddress(username) ? undefined : 'noMailAddress';
}
