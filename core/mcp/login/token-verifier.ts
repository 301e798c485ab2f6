import { AccessError, OperationalError, isQuireError, type Outbound } from '@quire/registry';
import type { JWTPayload, JWTVerifyGetKey } from 'jose';
import type { McpSettings } from '../mcp-settings.js';

/** Only signatures that the issuer alone can make: with a shared secret, this server could. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
/** Difference between the clocks of issuer and server that is tolerated, in seconds. */
const CLOCK_TOLERANCE = 30;
/** Longer texts are no tokens and are not decoded. */
const LONGEST_TOKEN = 16 * 1024;
const FETCH_MS = 5_000;
const KEY_BYTES = 256 * 1024;

/** Verifies access tokens: signature, issuer, time and audience (RFC 9068, 4). */
export class TokenVerifier {
  #keys: Promise<JWTVerifyGetKey> | undefined;

  constructor(
    private readonly settings: Pick<McpSettings, 'issuer' | 'jwksUri' | 'audiences'>,
    private readonly outbound: Pick<Outbound, 'call'>,
  ) {}

  /**
   * Returns the claims. Throws ACCESS_TOKEN_INVALID for a token that is wrong or for somebody else, SERVICE_NOT_SET_UP
   * while no issuer or no audience is set, and the errors of `Outbound` while the issuer's keys cannot be read.
   */
  async verify(token: string): Promise<JWTPayload> {
    const { issuer, audiences } = this.settings;
    if (issuer === '' || audiences.length === 0)
      throw new OperationalError('SERVICE_NOT_SET_UP', {
        service: 'Authentication of agents',
        detail: `set mcp.auth.${issuer === '' ? 'issuerUri' : 'resourceId'}, or mcp.auth.mode to apikey`,
      });
    if (token.length > LONGEST_TOKEN) throw rejected('it is too long');
    const { jwtVerify } = await import('jose');
    const keys = await this.#loadKeys();
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience: [...audiences],
        algorithms: ALGORITHMS,
        clockTolerance: CLOCK_TOLERANCE,
        requiredClaims: ['exp', 'iss', 'aud'],
      });
      return payload;
    } catch (error) {
      if (isQuireError(error)) throw error;
      throw rejected(reasonOf(error));
    }
  }

  #loadKeys(): Promise<JWTVerifyGetKey> {
    this.#keys ??= this.#openKeys().catch((error: unknown) => {
      this.#keys = undefined;
      throw error;
    });
    return this.#keys;
  }

  /** Keys are read when a token needs them, and again for an unknown key, at most every 30 seconds. */
  async #openKeys(): Promise<JWTVerifyGetKey> {
    const { createRemoteJWKSet, customFetch } = await import('jose');
    const uri = this.settings.jwksUri === '' ? await this.#discover() : this.settings.jwksUri;
    return createRemoteJWKSet(new URL(uri), {
      timeoutDuration: FETCH_MS,
      [customFetch]: async (url: string) => {
        const { status, body } = await this.#read(url, 'mcp.auth.jwksUri');
        return new Response(Buffer.from(body), { status, headers: { 'content-type': 'application/json' } });
      },
    });
  }

  /** Returns `jwks_uri` of the issuer's metadata (OpenID Connect Discovery 1.0, 4; RFC 8414, 3). */
  async #discover(): Promise<string> {
    const { issuer } = this.settings;
    const { origin, pathname } = new URL(issuer);
    const path = pathname.replace(/\/$/, '');
    const places = [
      `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
      `${origin}/.well-known/oauth-authorization-server${path}`,
    ];
    for (const place of places) {
      const { status, body } = await this.#read(place, 'mcp.auth.issuerUri');
      const uri = status === 200 ? keyAddress(body, issuer) : undefined;
      if (uri !== undefined) return uri;
    }
    throw new OperationalError('SERVICE_NOT_SET_UP', {
      service: 'Authentication of agents',
      detail: `${issuer} describes no keys for this issuer; set mcp.auth.jwksUri`,
    });
  }

  /** Both addresses are the operator's or come from the issuer, whom the operator trusts to name users. */
  #read(url: string, field: string) {
    return this.outbound.call({
      url,
      field,
      ofOperator: true,
      headers: { accept: 'application/json' },
      limits: { timeoutMs: FETCH_MS, maxBytes: KEY_BYTES },
    });
  }
}

/** Returns `jwks_uri` of metadata that is about this issuer (RFC 8414, 3.3). */
function keyAddress(body: Uint8Array, issuer: string): string | undefined {
  try {
    const metadata = JSON.parse(Buffer.from(body).toString('utf8')) as { issuer?: unknown; jwks_uri?: unknown } | null;
    const uri = metadata?.issuer === issuer ? metadata.jwks_uri : undefined;
    return typeof uri === 'string' && /^https?:/.test(uri) && URL.canParse(uri) ? uri : undefined;
  } catch {
    return undefined;
  }
}

function rejected(detail: string): AccessError {
  return new AccessError('ACCESS_TOKEN_INVALID', { detail });
}

/** What is wrong with a token, without quoting it. */
function reasonOf(error: unknown): string {
  const { code, claim } = error as { readonly code?: string; readonly claim?: string };
  if (code === 'ERR_JWT_EXPIRED') return 'it has expired';
  if (code === 'ERR_JWKS_NO_MATCHING_KEY') return 'the issuer has no key for it';
  if (code === 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED') return 'its signature is wrong';
  if (code === 'ERR_JOSE_ALG_NOT_ALLOWED') return 'its signature algorithm is not accepted';
  if (code === 'ERR_JWT_CLAIM_VALIDATION_FAILED')
    return claim === 'aud' ? 'its audience is not this server' : `its claim ${claim ?? ''} is missing or wrong`;
  return 'it is not a signed JSON Web Token';
}
