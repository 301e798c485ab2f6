import { randomUUID } from 'node:crypto';
import { AccessError, InputError, type Clock } from '@quire/registry';
import type { PublicKeyCredentialCreationOptionsJSON, PublicKeyCredentialDescriptorJSON } from '@simplewebauthn/server';
import type { ServerSecret } from '../../secrets/index.js';
import { isDuplicateRecord, type Records, type Store } from '../../store/index.js';
import type { UserRecord } from '../account-records.js';
import type { User } from '../model.js';
import type { Users } from '../users.js';
import type { Challenges } from './challenges.js';
import {
  CHALLENGE_MINUTES,
  MAX_PASSKEYS,
  credentialDigest,
  toPasskeyWire,
  type PasskeyRecord,
  type PasskeyWire,
  type RelyingParty,
} from './model.js';
import { algorithms } from './public-key.js';
import { verifyRegistration, type NewPasskey, type RegistrationResponseJSON } from './verify.js';

export interface PasskeysDeps {
  readonly store: Pick<Store, 'records'>;
  readonly users: Users;
  readonly challenges: Challenges;
  readonly secret: ServerSecret;
  readonly clock: Clock;
  /** Name of the server as devices show it. */
  readonly issuer: string;
}

/** A session of the user whose passkey is being registered. */
export interface RegisteringSession {
  readonly userId: string;
  readonly sessionId: string;
}

/** Opens the record set of the passkeys. */
export function passkeyRecords(store: Pick<Store, 'records'>): Records<PasskeyRecord> {
  return store.records<PasskeyRecord>('passkeys', { keys: ['userId'], unique: ['digest'] });
}

/**
 * The passkeys of users (WebAuthn Level 3): registers, lists, renames and removes them. Registering and removing one
 * ends the user's sessions. Rejects with STORE_DOWN when the store is unreachable.
 */
export class Passkeys {
  readonly #records: Records<PasskeyRecord>;

  constructor(private readonly deps: PasskeysDeps) {
    this.#records = passkeyRecords(deps.store);
    deps.users.onUserChange(async (userId, what) => {
      if (what !== 'gone') return;
      await this.#records.deleteMany({ userId });
      await deps.challenges.forgetUser(userId);
    });
  }

  /**
   * Begins a registration in a session; a further one replaces it. Returns the options for the browser
   * (`PublicKeyCredential.parseCreationOptionsFromJSON`). Throws PASSKEY_WEB_ONLY or PASSKEY_LIMIT.
   */
  async beginRegistration(
    { userId, sessionId }: RegisteringSession,
    rp: RelyingParty,
  ): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const { username } = await this.#registering(userId);
    const present = await this.#records.find({ userId });
    if (present.length >= MAX_PASSKEYS) throw full();
    return {
      challenge: await this.deps.challenges.beginRegistration(sessionId, userId, rp),
      rp: { id: rp.id, name: this.deps.issuer },
      user: { id: this.#handleOf(userId), name: username, displayName: username },
      pubKeyCredParams: algorithms.map((alg) => ({ alg, type: 'public-key' })),
      timeout: CHALLENGE_MINUTES * 60_000,
      attestation: 'none',
      excludeCredentials: present.map(descriptorOf),
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      extensions: { credProps: true },
    };
  }

  /**
   * Registers the passkey that the device has created, and ends the user's sessions. Without a name it gets a number.
   * Throws as `verifyRegistration` does, PASSKEY_WEB_ONLY, PASSKEY_EXISTS or PASSKEY_LIMIT.
   */
  async finishRegistration(
    { userId, sessionId }: RegisteringSession,
    answer: RegistrationResponseJSON,
    name: string | undefined,
  ): Promise<{ readonly passkey: PasskeyWire; readonly changed: User }> {
    const challenge = await this.deps.challenges.takeRegistration(sessionId, userId);
    const made = await verifyRegistration(answer, challenge);
    await this.#registering(userId);
    const record = this.#recordOf(userId, challenge.rpId, made, name ?? (await this.#nextName(userId)));
    await this.#records.insert(record).catch((error: unknown) => {
      throw isDuplicateRecord(error) ? new InputError('PASSKEY_EXISTS') : error;
    });
    try {
      // Counted after the insert, so that simultaneous registrations cannot exceed the limit.
      if ((await this.#records.count({ userId })) > MAX_PASSKEYS) throw full();
      return { passkey: toPasskeyWire(record), changed: await this.#endSessions(userId) };
    } catch (error) {
      // Also when the user was deleted meanwhile.
      await this.#records.delete(record.id);
      throw error;
    }
  }

  /** Returns the user's passkeys, the oldest first. */
  async list(userId: string): Promise<PasskeyWire[]> {
    const found = await this.#records.find({ userId }, { sort: [{ field: 'createdAtMs', order: 'ascending' }] });
    return found.map(toPasskeyWire);
  }

  async has(userId: string): Promise<boolean> {
    return (await this.#records.count({ userId })) > 0;
  }

  /** Returns how many passkeys each user has who has some. */
  async counts(): Promise<ReadonlyMap<string, number>> {
    const counts = new Map<string, number>();
    for (const { userId } of await this.#records.find()) counts.set(userId, (counts.get(userId) ?? 0) + 1);
    return counts;
  }

  /** Throws NOT_FOUND for an unknown passkey and one of another user. */
  async rename(userId: string, id: string, name: string): Promise<PasskeyWire> {
    const record = await this.#records.update(id, { set: { name } }, { userId });
    if (record === undefined) throw new InputError('NOT_FOUND');
    return toPasskeyWire(record);
  }

  /** Removes a passkey and ends the user's sessions. Throws NOT_FOUND, also for a passkey of another user. */
  async remove(userId: string, id: string): Promise<User> {
    if (!(await this.#records.delete(id, { userId }))) throw new InputError('NOT_FOUND');
    return this.#endSessions(userId);
  }

  /** Removes all passkeys of the user and ends the user's sessions; returns how many passkeys there were. */
  async removeAll(userId: string): Promise<{ readonly removed: number; readonly changed: User }> {
    const removed = await this.#records.deleteMany({ userId });
    await this.deps.challenges.forgetUser(userId);
    return { removed, changed: await this.#endSessions(userId) };
  }

  #endSessions(userId: string): Promise<User> {
    return this.deps.users.change(userId, {}, true);
  }

  async #registering(userId: string): Promise<UserRecord> {
    const record = await this.deps.users.record(userId);
    if (record.authenticationType !== 'web' || record.passwordHash === null) throw new AccessError('PASSKEY_WEB_ONLY');
    return record;
  }

  async #nextName(userId: string): Promise<string> {
    const taken = new Set((await this.#records.find({ userId })).map(({ name }) => name));
    for (let number = 1; ; number++) if (!taken.has(`Passkey ${number}`)) return `Passkey ${number}`;
  }

  #recordOf(userId: string, rpId: string, made: NewPasskey, name: string): PasskeyRecord {
    return {
      id: randomUUID(),
      userId,
      name,
      digest: credentialDigest(made.credentialId),
      suspect: false,
      rpId,
      userHandle: this.#handleOf(userId),
      createdAtMs: this.deps.clock.now().getTime(),
      lastUsedAtMs: null,
      ...made,
    };
  }

  /** The same for all passkeys of a user, so that a device replaces the passkey that it has for the account. */
  #handleOf(userId: string): string {
    return this.deps.secret.digest('passkey user', userId);
  }
}

function descriptorOf({ credentialId, transports }: PasskeyRecord): PublicKeyCredentialDescriptorJSON {
  return { id: credentialId, type: 'public-key', ...(transports.length === 0 ? {} : { transports: [...transports] }) };
}

function full(): AccessError {
  return new AccessError('PASSKEY_LIMIT', { limit: MAX_PASSKEYS });
}
