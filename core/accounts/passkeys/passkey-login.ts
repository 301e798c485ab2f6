import { AccessError, type Clock, type Logger } from '@quire/registry';
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import type { Records, Store } from '../../store/index.js';
import type { Login } from '../login.js';
import type { LoginOutcome, User } from '../model.js';
import { nameKey } from '../names.js';
import type { Users } from '../users.js';
import type { Challenges } from './challenges.js';
import { checkAuthenticatorData, checkClientData } from './client-data.js';
import {
  CHALLENGE_MINUTES,
  credentialDigest,
  type ChallengeRecord,
  type PasskeyRecord,
  type RelyingParty,
} from './model.js';
import { passkeyRecords } from './passkeys.js';
import { verifyLogin, type AuthenticationResponseJSON } from './verify.js';

export interface PasskeyLoginDeps {
  readonly store: Pick<Store, 'records'>;
  readonly users: Users;
  readonly login: Login;
  readonly challenges: Challenges;
  readonly clock: Clock;
  readonly log: Logger;
}

/** What begins a login with a passkey. */
export interface BegunLogin {
  /** Needed to finish the login; valid once. */
  readonly attempt: string;
  /** For the browser (`PublicKeyCredential.parseRequestOptionsFromJSON`). */
  readonly publicKey: PublicKeyCredentialRequestOptionsJSON;
}

export interface PasskeyAttempt {
  readonly attempt: string;
  readonly answer: AuthenticationResponseJSON;
  /** IP address of the client. */
  readonly address: string;
}

/**
 * Logins with a passkey. The device has verified the user, so a passkey counts as both factors. Locks of an account
 * hold as for passwords (`Login`), and wrong answers count for them.
 */
export class PasskeyLogin {
  readonly #records: Records<PasskeyRecord>;

  constructor(private readonly deps: PasskeyLoginDeps) {
    this.#records = passkeyRecords(deps.store);
  }

  /**
   * Begins a login. The answer is the same for every name, known or not: the browser offers all passkeys of the site,
   * and `authenticate` accepts those of the name. Throws TOO_MANY_ATTEMPTS.
   */
  async begin(username: string | undefined, address: string, rp: RelyingParty): Promise<BegunLogin> {
    const { attempt, challenge } = await this.deps.challenges.beginLogin(username, address, rp);
    const timeout = CHALLENGE_MINUTES * 60_000;
    return {
      attempt,
      publicKey: { challenge, rpId: rp.id, allowCredentials: [], userVerification: 'required', timeout },
    };
  }

  /** Returns whose passkey this is; undefined for one that is not registered. */
  async ownerOf(credentialId: string): Promise<User | undefined> {
    const passkey = await this.#records.findOne({ digest: credentialDigest(credentialId) });
    return passkey === undefined ? undefined : this.deps.users.byId(passkey.userId);
  }

  /**
   * Checks the answer of a passkey, the lock and the state of its account, and records the login if it succeeds. Throws
   * PASSKEY_CHALLENGE_INVALID, PASSKEY_UNKNOWN, PASSKEY_SITE_INVALID or PASSKEY_INVALID.
   */
  async authenticate({ attempt, answer, address }: PasskeyAttempt): Promise<LoginOutcome> {
    const challenge = await this.deps.challenges.takeLogin(attempt);
    checkClientData(answer.response.clientDataJSON, 'webauthn.get', challenge);
    checkAuthenticatorData(Buffer.from(answer.response.authenticatorData, 'base64url'), challenge);
    const digest = credentialDigest(answer.id);
    const passkey = await this.#records.findOne({ digest });
    const owner = passkey === undefined ? undefined : await this.deps.users.byId(passkey.userId);
    if (passkey === undefined || owner === undefined) throw new AccessError('PASSKEY_UNKNOWN');
    return this.deps.login.attempt(owner.username, address, () => this.#judge(passkey, owner, answer, challenge));
  }

  async #judge(
    passkey: PasskeyRecord,
    owner: User,
    answer: AuthenticationResponseJSON,
    challenge: ChallengeRecord,
  ): Promise<LoginOutcome> {
    const proof = await verifyLogin(answer, passkey, challenge);
    const { userHandle } = answer.response;
    if (
      proof === undefined ||
      passkey.rpId !== challenge.rpId ||
      userHandle === undefined ||
      !isSame(userHandle, passkey.userHandle) ||
      (challenge.nameKey !== null && challenge.nameKey !== nameKey(owner.username))
    )
      return { refused: 'passkeyWrong' };
    if (!(await this.#used(passkey.id, proof.counter, proof.backedUp))) return this.#copied(passkey);
    const outcome = await this.deps.login.succeed(owner.id);
    // Removing a passkey ends the sessions of its user; a login of the same moment must not survive it.
    return (await this.#records.get(passkey.id)) === undefined ? { refused: 'passkeyWrong' } : outcome;
  }

  /**
   * Records the use of a passkey. Returns false for a counter that is not higher than the last one (WebAuthn Level 3,
   * 6.1.1), also when another login recorded it at the same moment; passkeys that do not count always send 0.
   */
  async #used(id: string, counter: number, backedUp: boolean): Promise<boolean> {
    for (;;) {
      const passkey = await this.#records.get(id);
      if (passkey === undefined || ((counter > 0 || passkey.counter > 0) && counter <= passkey.counter)) return false;
      const set = { counter, backedUp, lastUsedAtMs: this.deps.clock.now().getTime() };
      if ((await this.#records.update(id, { set }, { counter: passkey.counter })) !== undefined) return true;
    }
  }

  async #copied({ id, userId }: PasskeyRecord): Promise<LoginOutcome> {
    if ((await this.#records.update(id, { set: { suspect: true } })) === undefined) return { refused: 'passkeyWrong' };
    this.deps.log.warn({ userId, passkeyId: id }, 'a passkey was refused, because its counter had been used before');
    return { refused: 'passkeyCopied' };
  }
}

function isSame(one: string, other: string): boolean {
  return Buffer.from(one, 'base64url').equals(Buffer.from(other, 'base64url'));
}
