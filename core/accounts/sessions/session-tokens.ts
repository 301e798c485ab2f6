import { AccessError, type Clock } from '@quire/registry';
import type { JWTPayload } from 'jose';
import type { User } from '../model.js';
import { ALGORITHM, type SigningKeys } from './signing-keys.js';

/** `iss` of every token; tokens of other issuers are rejected, whatever key signed them. */
const ISSUER = 'quire';
const LONGEST_TOKEN = 4096;

/** Seconds since 1970. */
export interface TokenLife {
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** What a verified token says. */
export interface TokenClaims {
  /** Id of the session's record. */
  readonly sessionId: string;
  readonly userId: string;
  /** Milliseconds since 1970. */
  readonly expiresAtMs: number;
}

/** Signs and verifies session tokens (RFC 7519, RS256). */
export class SessionTokens {
  constructor(
    private readonly keys: SigningKeys,
    private readonly clock: Clock,
    private readonly clockSkewSeconds: number,
  ) {}

  /** Returns a token of a session. */
  async sign(user: User, sessionId: string, { issuedAt, expiresAt }: TokenLife): Promise<string> {
    const { SignJWT } = await import('jose');
    const { kid, privateKey } = await this.keys.current();
    return new SignJWT({ authType: user.authenticationType, role: user.role, uid: user.id, sid: sessionId })
      .setProtectedHeader({ alg: ALGORITHM, kid, typ: 'JWT' })
      .setSubject(user.username)
      .setIssuer(ISSUER)
      .setIssuedAt(issuedAt)
      .setExpirationTime(expiresAt)
      .sign(privateKey);
  }

  /** Verifies a token that may have expired up to `graceSeconds` ago. Throws TOKEN_INVALID. */
  async verify(token: string, graceSeconds: number): Promise<TokenClaims> {
    const { uid, sid, exp } = await this.#payload(token, graceSeconds);
    // Tokens from before sessions were stored name none, so they could not be revoked.
    if (typeof uid !== 'string' || typeof sid !== 'string') throw invalidToken('Token no longer valid');
    return { sessionId: sid, userId: uid, expiresAtMs: (exp ?? 0) * 1000 };
  }

  async #payload(token: string, graceSeconds: number): Promise<JWTPayload> {
    if (token.length > LONGEST_TOKEN) throw invalidToken('Invalid token');
    const { errors, jwtVerify } = await import('jose');
    try {
      const { payload } = await jwtVerify(
        token,
        async ({ kid }) => {
          const key = typeof kid === 'string' ? await this.keys.publicKey(kid) : undefined;
          if (key === undefined) throw new errors.JWKSNoMatchingKey();
          return key;
        },
        {
          algorithms: [ALGORITHM],
          issuer: ISSUER,
          requiredClaims: ['sub', 'iat', 'exp'],
          clockTolerance: this.clockSkewSeconds + graceSeconds,
          currentDate: this.clock.now(),
        },
      );
      return payload;
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw invalidToken('Token expired');
      if (error instanceof errors.JWSSignatureVerificationFailed || error instanceof errors.JWKSNoMatchingKey)
        throw invalidToken('Invalid token signature');
      if (error instanceof errors.JOSEError || error instanceof TypeError) throw invalidToken('Invalid token');
      throw error;
    }
  }
}

/** TOKEN_INVALID with a reason, which existing clients show. */
export function invalidToken(detail: string): AccessError {
  return new AccessError('TOKEN_INVALID', { detail });
}
