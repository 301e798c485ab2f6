import { AccessError, type QuireError } from '@quire/registry';
import type { Credentials, RouteLogin } from '../../access/index.js';
import { INTERNAL_ROLE, type LoginServices, type User } from '../../accounts/index.js';
import { hasFurtherFactor } from '../../identity/tokens/index.js';
import type { McpSettings } from '../mcp-settings.js';
import type { TokenVerifier } from './token-verifier.js';

/** Path of the endpoint for agents. */
export const MCP_PATH = '/mcp';
/** Path of the metadata of this protected resource (RFC 9728, 3.1). */
export const METADATA_PATH = '/.well-known/oauth-protected-resource';

type Found = Awaited<ReturnType<RouteLogin['recognise']>>;

/** Authenticates agents by access tokens of an authorization server (`mcp.auth.mode: oauth`). */
export class TokenLogin implements RouteLogin {
  readonly path = MCP_PATH;

  constructor(
    private readonly settings: Pick<McpSettings, 'usernameClaim' | 'requireAccount'>,
    private readonly verifier: Pick<TokenVerifier, 'verify'>,
    private readonly login:
      | {
          readonly accounts: Pick<LoginServices['accounts'], 'byName'>;
          readonly secondFactorPolicy: Pick<LoginServices['secondFactorPolicy'], 'isRequired'>;
        }
      | undefined,
  ) {}

  async recognise({ bearer, address }: Credentials): Promise<Found> {
    if (bearer === undefined) throw new AccessError('ACCESS_TOKEN_INVALID');
    const claims = await this.verifier.verify(bearer);
    const name = claims[this.settings.usernameClaim];
    if (typeof name !== 'string' || name === '')
      throw new AccessError('ACCESS_TOKEN_ACCOUNT', {
        detail: `it has no claim ${this.settings.usernameClaim} with a user name (mcp.auth.usernameClaim)`,
      });
    const user = await this.#accountOf(name);
    if (user !== undefined && this.#lacksFactor(user, claims, address))
      throw new AccessError('ACCESS_TOKEN_ACCOUNT', {
        detail:
          'it does not say that a second factor was used (claim amr), which its account needs; let the ' +
          'authorization server ask for one and name it in access tokens',
      });
    return { user };
  }

  /** The login at the authorization server has to keep the rules that logins here keep. */
  #lacksFactor(user: User, claims: Readonly<Record<string, unknown>>, address: string): boolean {
    const isRequired = user.mfaEnabled || this.login?.secondFactorPolicy.isRequired(user, address) === true;
    return isRequired && !hasFurtherFactor(claims);
  }

  /** With login on, work is charged to and limited by an account, so there is always one. */
  async #accountOf(name: string): Promise<User | undefined> {
    if (this.login === undefined && !this.settings.requireAccount) return undefined;
    const user = await this.login?.accounts.byName(name);
    if (user?.enabled === true && user.role !== INTERNAL_ROLE) return user;
    throw new AccessError('ACCESS_TOKEN_ACCOUNT', {
      detail:
        this.login === undefined
          ? 'login is off, so there are no accounts; turn off mcp.auth.requireExistingAccount to accept every user'
          : 'no enabled account of this server has its user name',
    });
  }

  /** RFC 6750, 3 and RFC 9728, 5.1. */
  challenge({ code, data }: QuireError, site: string): string | undefined {
    if (code !== 'ACCESS_TOKEN_INVALID') return undefined;
    const fault =
      data['detail'] === undefined ? [] : ['error="invalid_token"', `error_description="${data['detail']}"`];
    return `Bearer ${[...fault, `resource_metadata="${site}${METADATA_PATH}${MCP_PATH}"`].join(', ')}`;
  }
}

/** Authenticates agents by API keys, which may also be sent as bearer token (`mcp.auth.mode: apikey`). */
export const keyLogin: RouteLogin = {
  path: MCP_PATH,
  recognise: ({ key, bearer, address }) => Promise.resolve({ credentials: { key: key ?? bearer, address } }),
  challenge: ({ row }) => (row.status === 401 ? 'Bearer realm="quire-mcp"' : undefined),
};
