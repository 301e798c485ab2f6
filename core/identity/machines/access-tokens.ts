import { AccessError, type Clock, type KeyScope } from '@quire/registry';
import { INTERNAL_ROLE, type LoginServices, type SecondFactorPolicy, type User } from '../../accounts/index.js';
import type { IdentityRecords } from '../identity-records.js';
import {
  hasFurtherFactor,
  issuerOf,
  TokenRejected,
  verifyToken,
  type KeySets,
  type VerifiedToken,
} from '../tokens/index.js';
import type { Refusals } from './refusals.js';
import { kindFault } from './token-kind.js';
import { keyScopeOf, scopesOf } from './token-scopes.js';
import { serviceId, type TokenSettings } from './token-settings.js';

export interface AccessTokensDeps {
  readonly settings: TokenSettings;
  readonly keySets: KeySets;
  readonly accounts: Pick<LoginServices['accounts'], 'byId' | 'byName'>;
  readonly identities: Pick<IdentityRecords, 'userOf'>;
  readonly refusals: Refusals;
  readonly clock: Clock;
  readonly secondFactorPolicy: Pick<SecondFactorPolicy, 'isRequired'>;
  /** `security.oauth2.requireSecondFactor`: of tokens of users, as of their logins. */
  readonly requireSecondFactor: boolean;
}

/** The account of a token, and what the token may do. */
export interface TokenCaller {
  readonly user: User;
  /** Undefined for no limits. */
  readonly scope: KeyScope | undefined;
}

/** Issuer of this server's own session tokens. */
const OWN_ISSUER = 'quire';
const LONGEST_SHOWN = 200;

/** Authenticates callers by access tokens of an issuer (RFC 9068). */
export class AccessTokens {
  constructor(private readonly deps: AccessTokensDeps) {}

  /**
   * Returns who calls; undefined for a session token of this server, or what is no token. Throws ACCESS_TOKEN_INVALID,
   * ACCESS_TOKEN_UNKNOWN, ACCESS_TOKEN_SCOPE, ACCOUNT_DISABLED, ISSUER_UNREACHABLE and SERVICE_NOT_SET_UP.
   */
  async recognise(token: string, address: string): Promise<TokenCaller | undefined> {
    const named = issuerOf(token);
    if (named === undefined || named === OWN_ISSUER) return undefined;
    const issuer = named.replace(/\/+$/, '');
    const verified = await this.#verify(issuer, token);
    const { user, isService } = await this.#userOf(issuer, verified);
    if (!isService) this.#checkSecondFactor(issuer, verified, user, address);
    const scope = keyScopeOf(scopesOf(verified.claims), this.deps.settings.scopes);
    if (scope === 'nothing')
      throw this.#refused('ACCESS_TOKEN_SCOPE', issuer, verified, {
        told: 'it has no scope of this server, such as quire:general',
        reason: `has none of the scopes that allow something (security.accessTokens.scopes); it has ${
          shown(scopesOf(verified.claims).join(' ')) || 'none'
        }`,
      });
    return { user, scope };
  }

  async #verify(issuer: string, token: string): Promise<VerifiedToken> {
    const { settings, keySets, clock } = this.deps;
    const trusted = settings.issuers.get(issuer);
    if (trusted === undefined) throw this.#invalid(issuer, 'its issuer is not accepted here');
    const rules = {
      audience: settings.audiences,
      requiredClaims: ['exp', 'iss', 'aud', 'sub'],
      now: clock.now(),
    };
    const verified = await verifyToken(token, keySets.of(trusted), rules).catch((error: unknown) => {
      throw error instanceof TokenRejected ? this.#invalid(issuer, error.message) : error;
    });
    const fault = kindFault(verified, settings.requireType);
    if (fault !== undefined) throw this.#invalid(issuer, fault);
    return verified;
  }

  /** Accounts are never found by a name in a token: anybody who can choose a name at the issuer could take one over. */
  async #userOf(issuer: string, verified: VerifiedToken): Promise<{ user: User; isService: boolean }> {
    const { settings, accounts, identities } = this.deps;
    const { clients, services } = settings;
    const { sub = '' } = verified.claims;
    if (clients.size > 0 && !clients.has(clientOf(verified)))
      throw this.#refused('ACCESS_TOKEN_UNKNOWN', issuer, verified, {
        told: 'its client is not accepted here',
        reason: 'comes from a client that security.accessTokens.clients does not name',
      });
    const service = services.get(serviceId(issuer, sub));
    const userId = service === undefined ? await identities.userOf(issuer, sub) : undefined;
    const user =
      service !== undefined
        ? await accounts.byName(service)
        : userId === undefined
          ? undefined
          : await accounts.byId(userId);
    if (user === undefined || user.role === INTERNAL_ROLE)
      throw this.#refused('ACCESS_TOKEN_UNKNOWN', issuer, verified, {
        told: 'no account of this server belongs to its subject',
        reason:
          service === undefined
            ? 'has a subject without an account: its user has to log in here once, or, for a service, ' +
              `security.accessTokens.services needs the entry ${shown(sub)}=<username>`
            : `belongs to the account ${service}, which does not exist or is built in`,
      });
    if (!user.enabled) throw new AccessError('ACCOUNT_DISABLED');
    return { user, isService: service !== undefined };
  }

  /** A service has no second factor; an administrator has entered it in the settings. */
  #checkSecondFactor(issuer: string, verified: VerifiedToken, user: User, address: string): void {
    const { requireSecondFactor, secondFactorPolicy } = this.deps;
    const isRequired = user.mfaEnabled || requireSecondFactor || secondFactorPolicy.isRequired(user, address);
    if (!isRequired || hasFurtherFactor(verified.claims)) return;
    throw this.#refused('ACCESS_TOKEN_UNKNOWN', issuer, verified, {
      told: 'it does not say that a second factor was used (claim amr)',
      reason: `does not say that a second factor was used (claim amr), which the account ${user.username} needs`,
    });
  }

  #invalid(issuer: string, reason: string): AccessError {
    const id = this.deps.settings.issuers.has(issuer) ? `${issuer} ${reason}` : reason;
    this.deps.refusals.note({ issuer: shown(issuer), reason }, 'an access token was refused', id);
    const cause = new Error(`an access token of ${shown(issuer)}: ${reason}`);
    return new AccessError('ACCESS_TOKEN_INVALID', { detail: reason }, { cause });
  }

  /** `told` is for the caller, `reason` for the log and the audit log. */
  #refused(
    code: 'ACCESS_TOKEN_UNKNOWN' | 'ACCESS_TOKEN_SCOPE',
    issuer: string,
    verified: VerifiedToken,
    { told, reason }: { readonly told: string; readonly reason: string },
  ): AccessError {
    const [subject, client] = [shown(verified.claims.sub ?? ''), shown(clientOf(verified))];
    this.deps.refusals.note({ issuer, subject, client, reason }, 'an access token was refused');
    const cause = new Error(`an access token of ${issuer} for the subject ${subject}, client ${client}: ${reason}`);
    return new AccessError(code, { detail: told }, { cause });
  }
}

/** RFC 9068, 2.2; `azp` of OpenID Connect, `appid` of Entra ID. */
function clientOf({ claims }: VerifiedToken): string {
  return [claims['azp'], claims['client_id'], claims['appid']].find((one) => typeof one === 'string') ?? '';
}

function shown(text: string): string {
  return text.slice(0, LONGEST_SHOWN).replace(/[^\x20-\x7e]/g, '?');
}
