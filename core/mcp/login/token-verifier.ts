import { AccessError, OperationalError, type Clock } from '@quire/registry';
import type { JWTPayload } from 'jose';
import { TokenRejected, verifyToken, type KeySets } from '../../identity/tokens/index.js';
import type { McpSettings } from '../mcp-settings.js';

/** Verifies access tokens of agents: signature, issuer, time and audience (RFC 9068, 4). */
export class TokenVerifier {
  constructor(
    private readonly settings: Pick<McpSettings, 'issuer' | 'jwksUri' | 'audiences'>,
    private readonly keySets: KeySets,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the claims. Throws ACCESS_TOKEN_INVALID for a token that is wrong or for somebody else, SERVICE_NOT_SET_UP
   * while no issuer or no audience is set, and ISSUER_UNREACHABLE while the issuer's keys cannot be read.
   */
  async verify(token: string): Promise<JWTPayload> {
    const { issuer, jwksUri, audiences } = this.settings;
    if (issuer === '' || audiences.length === 0)
      throw new OperationalError('SERVICE_NOT_SET_UP', {
        service: 'Authentication of agents',
        detail: `set mcp.auth.${issuer === '' ? 'issuerUri' : 'resourceId'}, or mcp.auth.mode to apikey`,
      });
    const keys = this.keySets.of({
      issuer,
      jwksUri,
      setting: 'mcp.auth.issuerUri',
      keysSetting: 'mcp.auth.jwksUri',
    });
    const rules = { audience: audiences, requiredClaims: ['exp', 'iss', 'aud'], now: this.clock.now() };
    try {
      return (await verifyToken(token, keys, rules)).claims;
    } catch (error) {
      if (!(error instanceof TokenRejected)) throw error;
      throw new AccessError('ACCESS_TOKEN_INVALID', { detail: error.message }, { cause: error });
    }
  }
}
