import { SignInRefused } from '../model.js';
import { faultOf, type ProviderFault } from '../oidc/provider-fault.js';
import type { ResponseFacts, SamlExchange, SamlSettings } from '../saml/index.js';
import type { SignIn, SignInRules } from '../sign-in.js';
import { shownResponse, type ShownResponse } from './shown-response.js';
import { accountOf, failedReport, shownClaim, type ShownIdentity, type TrialReport } from './trial-report.js';

const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';
const LONGEST = 300;
const MOST_ATTRIBUTES = 100;

/** Setup of a trial with SAML: read from the settings when it begins, and when it ends. */
export interface SamlTrial {
  readonly settings: SamlSettings;
  readonly rules: SignInRules;
}

/** An answer of the identity provider, and where it belongs. */
export interface SamlAnswer {
  readonly message: string;
  /** Address of this server, as the login began with it. */
  readonly site: string;
  /** Id of the request. */
  readonly requestId: string;
}

/** Explains an answer: what it says, whether it holds, and what a login would have done. Nobody is logged in. */
export async function samlReport(
  exchange: SamlExchange,
  { settings }: SamlTrial,
  { message, site, requestId }: SamlAnswer,
  signIn: Pick<SignIn, 'forecast'>,
  /** Whether users of a role need a second factor where the administrator is. */
  needsFactor: (role: string) => boolean,
): Promise<TrialReport> {
  const facts = await exchange.describe(message);
  const expected = await exchange.expected(site);
  const sent = facts === undefined ? {} : { response: shownResponse(facts, expected), claims: claimsOf(facts) };
  try {
    const { identity } = await exchange.finish(message, site, requestId);
    const { subject, username, email, displayName, groups, secondFactor } = identity;
    const shown: ShownIdentity = {
      subject,
      usernameClaim: sourceOf(facts, username),
      username: username ?? null,
      email: email ?? null,
      emailVerified: null,
      displayName: displayName ?? null,
      groupsClaim: settings.attributes.groups,
      groups: groups.slice(0, MOST_ATTRIBUTES),
      methods: facts?.contexts ?? [],
      secondFactor,
    };
    return { claims: [], ...sent, identity: shown, account: await accountOf(signIn, identity, needsFactor) };
  } catch (error) {
    if (!(error instanceof SignInRefused)) throw error;
    return { ...failedReport(error), ...sent, fault: samlFault(error, facts, expected, settings.skewMs) };
  }
}

/** Names the fault that an administrator can do something about; `detail` of the report has it in words. */
function samlFault(
  error: SignInRefused,
  facts: ResponseFacts | undefined,
  expected: ShownResponse['expected'],
  skewMs: number,
): ProviderFault {
  if (error.code === 'provider_unreachable') return metadataFault(error);
  if (error.code === 'access_denied') return 'accessDenied';
  if (facts === undefined) return 'samlUnreadable';
  const { issuer, status, destination, recipient, audiences, signed, nameIdFormat } = facts;
  if (status !== SUCCESS) return 'authorizationRefused';
  if (issuer !== expected.issuer) return 'samlIssuer';
  if ([destination, recipient].some((one) => one !== null && one !== '' && one !== expected.recipient))
    return 'samlRecipient';
  if (signed === 'nothing') return 'samlUnsigned';
  if (isUntimely(facts, skewMs)) return 'samlClock';
  if (!audiences.includes(expected.audience)) return 'samlAudience';
  if (/NameID/.test(error.message) && nameIdFormat !== expected.nameIdFormat) return 'samlNameId';
  return /signature|certificate/i.test(error.message) ? 'samlSignature' : 'samlRefused';
}

/** Why the metadata of an identity provider cannot be used. */
export function metadataFault(error: SignInRefused): ProviderFault {
  const fault = faultOf(error);
  return fault === 'tokenInvalid' ? 'metadataUnreadable' : fault;
}

/** Whether the times of an assertion do not fit the clock here. */
function isUntimely({ issuedAt, clockSeconds, notBefore, notOnOrAfter }: ResponseFacts, skewMs: number): boolean {
  const now = Date.parse(issuedAt ?? '') - (clockSeconds ?? 0) * 1000;
  return Date.parse(notBefore ?? '') > now + skewMs || Date.parse(notOnOrAfter ?? '') <= now - skewMs;
}

function claimsOf({ attributes }: ResponseFacts): TrialReport['claims'] {
  return attributes
    .slice(0, MOST_ATTRIBUTES)
    .map(({ name, values }) => shownClaim(name, values.length === 1 ? values[0] : values, 'assertion'));
}

/** The attribute that has the user name. */
function sourceOf(facts: ResponseFacts | undefined, username: string | undefined): string {
  const found = facts?.attributes.find(({ values }) => values[0] === username && username !== undefined);
  return found?.name.slice(0, LONGEST) ?? 'NameID';
}
