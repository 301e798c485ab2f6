import { isQuireError } from '@quire/registry';
import type { JWTPayload, JWTHeaderParameters } from 'jose';
import type { IssuerKeys } from './issuer-keys.js';

/** Only signatures that the issuer alone can make: with a shared secret, this server could. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
/** Difference between the clocks of issuer and server that is tolerated, in seconds. */
export const CLOCK_TOLERANCE = 30;
/** Longer texts are no tokens and are not decoded. */
const LONGEST_TOKEN = 16 * 1024;

export interface TokenRules {
  /** One of them must be in the token. */
  readonly audience: readonly string[];
  readonly requiredClaims: readonly string[];
  /** Greatest age in seconds. */
  readonly maxAgeSeconds?: number;
  readonly now: Date;
}

export interface VerifiedToken {
  readonly header: JWTHeaderParameters;
  readonly claims: JWTPayload;
}

/** A token is wrong. `message` says how, without quoting it: "its signature is wrong". */
export class TokenRejected extends Error {
  override readonly name = 'TokenRejected';
}

/**
 * Verifies signature, issuer, audience and time of a token (RFC 7519, RFC 9068, 4). Throws TokenRejected, and the
 * errors of `IssuerKeys`.
 */
export async function verifyToken(token: string, keys: IssuerKeys, rules: TokenRules): Promise<VerifiedToken> {
  if (token.length > LONGEST_TOKEN) throw new TokenRejected('it is too long');
  const { jwtVerify } = await import('jose');
  const issuer = keys.issuer.issuer.replace(/\/+$/, '');
  try {
    const { payload, protectedHeader } = await jwtVerify(token, (header, input) => keys.find(header, input), {
      issuer: [issuer, `${issuer}/`],
      audience: [...rules.audience],
      algorithms: ALGORITHMS,
      clockTolerance: CLOCK_TOLERANCE,
      currentDate: rules.now,
      requiredClaims: [...rules.requiredClaims],
      ...(rules.maxAgeSeconds === undefined ? {} : { maxTokenAge: rules.maxAgeSeconds }),
    });
    return { header: protectedHeader, claims: payload };
  } catch (error) {
    if (isQuireError(error)) throw error;
    throw new TokenRejected(reasonOf(error), { cause: error });
  }
}

/** Returns what a token says about its issuer, before anything is verified; undefined for what is no token. */
export function issuerOf(token: string): string | undefined {
  if (token.length > LONGEST_TOKEN) return undefined;
  const [, payload = '', signature] = token.split('.');
  if (signature === undefined) return undefined;
  try {
    const { iss } = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as { iss?: unknown };
    return typeof iss === 'string' ? iss : undefined;
  } catch {
    return undefined;
  }
}

function reasonOf(error: unknown): string {
  const { code, claim } = error as { readonly code?: string; readonly claim?: string };
  if (code === 'ERR_JWT_EXPIRED') return claim === 'iat' ? 'it is too old' : 'it has expired';
  if (code === 'ERR_JWKS_NO_MATCHING_KEY') return 'the issuer has no key for it';
  if (code === 'ERR_JWKS_MULTIPLE_MATCHING_KEYS') return 'it does not name its key (kid), and the issuer has several';
  if (code === 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED') return 'its signature is wrong';
  if (code === 'ERR_JOSE_ALG_NOT_ALLOWED') return 'its signature algorithm is not accepted';
  if (code === 'ERR_JWT_CLAIM_VALIDATION_FAILED')
    return claim === 'aud' ? 'its audience is not this server' : `its claim ${claim ?? ''} is missing or wrong`;
  return 'it is not a signed JSON Web Token';
}
