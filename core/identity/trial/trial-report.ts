import type { ClaimedLogin } from '../oidc/provider-client.js';
import { faultOf, type ProviderFault } from '../oidc/provider-fault.js';
import { SignInRefused, type ExternalIdentity, type SignInCode } from '../model.js';
import type { LoginForecast, SignIn } from '../sign-in.js';
import type { ShownResponse } from './shown-response.js';
import type { OauthTrialSetup } from './trial-setup.js';

/** One thing that a provider said about the user. */
export interface ShownClaim {
  readonly name: string;
  /** JSON, shortened. */
  readonly value: string;
  readonly from: 'idToken' | 'userinfo' | 'both' | 'assertion';
}

/** How the claims were read. */
export interface ShownIdentity {
  readonly subject: string;
  readonly usernameClaim: string;
  readonly username: string | null;
  readonly email: string | null;
  /** Null when the provider does not say it. */
  readonly emailVerified: boolean | null;
  readonly displayName: string | null;
  readonly groupsClaim: string;
  readonly groups: readonly string[];
  /** Methods of the login (RFC 8176). */
  readonly methods: readonly string[];
  readonly secondFactor: boolean;
}

/** What a login with these settings would have done. */
export type ShownAccount =
  | {
      readonly outcome: LoginForecast['outcome'];
      readonly username: string;
      readonly role: string;
      /** The role that the groups give, which this server does not have. */
      readonly missingRole?: string;
      /** Null for the default team; missing where the team stays as it is. */
      readonly team?: string | null;
      readonly keepsRights: boolean;
    }
  | { readonly outcome: 'refused'; readonly reason: SignInCode; readonly detail: string };

/** The result of a trial login: an error, or the provider's answer and its effects. */
export interface TrialReport {
  readonly fault?: ProviderFault;
  /** The fault in the words of the server's log. */
  readonly detail?: string;
  readonly claims: readonly ShownClaim[];
  readonly identity?: ShownIdentity;
  readonly account?: ShownAccount;
  /** For SAML: what the identity provider sent besides the attributes. */
  readonly response?: ShownResponse;
}

const MOST_CLAIMS = 100;
const LONGEST_CLAIM = 500;
/** Matches a JSON Web Token, which may let its owner act as the user. */
const TOKEN = /\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g;
const SECRET = /token|secret|password/i;
/** Claims that are secrets of the exchange or digests of tokens, and say nothing about the user. */
const UNSHOWN: ReadonlySet<string> = new Set(['nonce', 'at_hash', 'c_hash', 's_hash', 'rt_hash']);

/** Explains a login that the provider has ended with an error. */
export function failedReport(error: unknown): TrialReport {
  const detail = error instanceof Error ? error.message : String(error);
  return { fault: faultOf(error), detail: withoutTokens(detail).slice(0, 700), claims: [] };
}

/** Explains what a provider says about a user, and what a login would have done. */
export async function finishedReport(
  { provider, groupsClaim }: OauthTrialSetup,
  { identity, claims }: ClaimedLogin,
  signIn: Pick<SignIn, 'forecast'>,
  /** Whether users of a role need a second factor where the administrator is. */
  needsFactor: (role: string) => boolean,
): Promise<TrialReport> {
  const { subject, username, email, displayName, groups, secondFactor } = identity;
  const all = { ...claims.userinfo, ...claims.idToken };
  return {
    claims: shownClaims(claims),
    identity: {
      subject,
      usernameClaim: provider.usernameClaim,
      username: username ?? null,
      email: email ?? null,
      emailVerified: verified(all['email_verified']),
      displayName: displayName ?? null,
      groupsClaim: provider.protocol === 'oidc' ? groupsClaim : '',
      groups: groups.slice(0, MOST_CLAIMS),
      methods: [all['amr']].flat().filter((method) => typeof method === 'string'),
      secondFactor,
    },
    account: await accountOf(signIn, identity, needsFactor),
  };
}

/** What a login would have done. */
export async function accountOf(
  signIn: Pick<SignIn, 'forecast'>,
  identity: ExternalIdentity,
  needsFactor: (role: string) => boolean,
): Promise<ShownAccount> {
  try {
    const { team, ...known } = await signIn.forecast(identity);
    if (!known.keepsRights && !identity.secondFactor && needsFactor(known.role))
      throw new SignInRefused('second_factor_required', 'security.secondFactor wants a second factor for this role');
    return { ...known, ...(team === undefined ? {} : { team }) };
  } catch (error) {
    if (!(error instanceof SignInRefused)) throw error;
    return { outcome: 'refused', reason: error.code, detail: error.message };
  }
}

/** A report for the audit log. */
export function auditWords({ fault: found, detail, account }: TrialReport): string {
  if (found !== undefined) return `the trial login failed: ${found}: ${detail ?? ''}`;
  if (account?.outcome === 'refused') return `a login would be refused: ${account.reason}`;
  return `a login ${account?.outcome ?? ''} the account ${account?.username ?? ''}`;
}

function shownClaims({ idToken, userinfo }: ClaimedLogin['claims']): ShownClaim[] {
  const names = [...new Set([...Object.keys(idToken), ...Object.keys(userinfo)])].filter((name) => !UNSHOWN.has(name));
  return names
    .slice(0, MOST_CLAIMS)
    .map((name) =>
      shownClaim(
        name,
        name in idToken ? idToken[name] : userinfo[name],
        !(name in userinfo) ? 'idToken' : name in idToken ? 'both' : 'userinfo',
      ),
    );
}

/** A value that was sent, shortened and without secrets. */
export function shownClaim(name: string, value: unknown, from: ShownClaim['from']): ShownClaim {
  return { name: name.slice(0, 200), value: SECRET.test(name) ? '(not shown)' : shownValue(value), from };
}

function shownValue(value: unknown): string {
  const text = withoutTokens(JSON.stringify(value) ?? '');
  return text.length > LONGEST_CLAIM ? `${text.slice(0, LONGEST_CLAIM)}…` : text;
}

function withoutTokens(text: string): string {
  return text.replace(TOKEN, '(a token, not shown)');
}

function verified(value: unknown): boolean | null {
  if (value === undefined) return null;
  return value === true || value === 'true';
}
