import { randomBytes } from 'node:crypto';
import { AccessError, InputError, type Clock } from '@quire/registry';
import type { ServerSecret } from '../../secrets/index.js';
import type { Records, Store } from '../../store/index.js';
import { nameKey } from '../names.js';
import { networkOf } from '../throttle.js';
import { CHALLENGE_MINUTES, MAX_OPEN_LOGINS, type ChallengeRecord, type RelyingParty } from './model.js';

/** How long the address must wait whose logins are all open, seconds. */
const WAIT_SECONDS = 60;

/**
 * Begun registrations and logins. They are in the store, so that another server can finish them, and can be taken once,
 * by whoever began them: a registration by its session, a login by whoever knows its attempt.
 */
export class Challenges {
  readonly #records: Records<ChallengeRecord>;

  constructor(
    store: Pick<Store, 'records'>,
    private readonly secret: ServerSecret,
    private readonly clock: Clock,
  ) {
    this.#records = store.records<ChallengeRecord>('passkey_challenges', {
      keys: ['expiresAtMs', 'network', 'userId'],
    });
  }

  /** Begins a registration in a session; a further one replaces it. Returns the challenge. */
  async beginRegistration(sessionId: string, userId: string, rp: RelyingParty): Promise<string> {
    const record = this.#made(registrationId(sessionId), rp, { userId });
    await this.#sweep();
    await this.#records.put(record);
    return record.challenge;
  }

  /** Throws PASSKEY_CHALLENGE_INVALID unless this session of this user began one, which was not taken yet. */
  async takeRegistration(sessionId: string, userId: string): Promise<ChallengeRecord> {
    return this.#take(registrationId(sessionId), userId);
  }

  /**
   * Begins a login, whether or not the name exists. Returns a secret that only the caller knows, and the challenge.
   * Throws TOO_MANY_ATTEMPTS when very many logins from this network are open.
   */
  async beginLogin(
    username: string | undefined,
    address: string,
    rp: RelyingParty,
  ): Promise<{ readonly attempt: string; readonly challenge: string }> {
    await this.#sweep();
    const network = this.secret.digest('passkey network', networkOf(address));
    if ((await this.#records.count({ network })) >= MAX_OPEN_LOGINS)
      throw new AccessError('TOO_MANY_ATTEMPTS', { seconds: WAIT_SECONDS, begun: true });
    const attempt = randomBytes(32).toString('base64url');
    const record = this.#made(this.#loginId(attempt), rp, {
      nameKey: username === undefined ? null : nameKey(username),
      network,
    });
    await this.#records.insert(record);
    return { attempt, challenge: record.challenge };
  }

  /** Throws PASSKEY_CHALLENGE_INVALID for an attempt that is unknown, expired or taken. */
  async takeLogin(attempt: string): Promise<ChallengeRecord> {
    return this.#take(this.#loginId(attempt), null);
  }

  async forgetUser(userId: string): Promise<void> {
    await this.#records.deleteMany({ userId });
  }

  async #take(id: string, userId: string | null): Promise<ChallengeRecord> {
    const record = await this.#records.get(id);
    // Of simultaneous calls one deletes it.
    if (record === undefined || !(await this.#records.delete(id, { challenge: record.challenge }))) throw gone();
    if (record.userId !== userId || record.expiresAtMs <= this.#now()) throw gone();
    return record;
  }

  #made(
    id: string,
    rp: RelyingParty,
    more: Partial<Pick<ChallengeRecord, 'userId' | 'nameKey' | 'network'>>,
  ): ChallengeRecord {
    return {
      id,
      challenge: randomBytes(32).toString('base64url'),
      rpId: rp.id,
      origins: rp.origins,
      userId: null,
      nameKey: null,
      network: null,
      expiresAtMs: this.#now() + CHALLENGE_MINUTES * 60_000,
      ...more,
    };
  }

  /** A stolen database must not contain what finishes a login. */
  #loginId(attempt: string): string {
    return this.secret.digest('passkey attempt', attempt);
  }

  async #sweep(): Promise<void> {
    await this.#records.deleteMany({}, { atMost: { expiresAtMs: this.#now() } });
  }

  #now(): number {
    return this.clock.now().getTime();
  }
}

function registrationId(sessionId: string): string {
  return `registration ${sessionId}`;
}

function gone(): InputError {
  return new InputError('PASSKEY_CHALLENGE_INVALID', { minutes: CHALLENGE_MINUTES });
}
