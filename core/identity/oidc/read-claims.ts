import type { ExternalIdentity, Provider } from '../model.js';
import { hasFurtherFactor } from '../tokens/index.js';

const MAIL_CLAIMS: ReadonlySet<string> = new Set(['email', 'mail']);
const LONGEST_TEXT = 320;
const MOST_GROUPS = 1000;

/** Reads who has logged in from the claims of a provider (OpenID Connect Core 1.0, 5.1). */
export function identityOf(
  provider: Provider,
  claims: Readonly<Record<string, unknown>> & { readonly sub: string },
  groupsClaim: string,
): ExternalIdentity {
  const { id, name, protocol, issuer, usernameClaim } = provider;
  const { sub, email, email_verified: verified, name: displayName, picture, amr } = claims;
  return {
    provider: { id, name, protocol, issuer },
    subject: sub,
    username: text(claims[usernameClaim]),
    unverified: MAIL_CLAIMS.has(usernameClaim) && verified !== true && verified !== 'true',
    email: text(email),
    displayName: text(displayName),
    picture: webAddress(picture),
    groups: groupsClaim === '' ? [] : groupsIn(at(claims, groupsClaim)),
    secondFactor: hasFurtherFactor({ amr }),
  };
}

/** A picture that a page may load. */
export function webAddress(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 2000 || !URL.canParse(value)) return undefined;
  return new URL(value).protocol === 'https:' ? value : undefined;
}

/** A text without blanks around it; undefined for anything else. */
export function text(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const trimmed = value.trim();
  return trimmed === '' || trimmed.length > LONGEST_TEXT ? undefined : trimmed;
}

/** `realm_access.roles` of Keycloak lies one level deeper; a claim may also have a dot in its name. */
function at(claims: Readonly<Record<string, unknown>>, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  let found: unknown = claims;
  for (const name of path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Readonly<Record<string, unknown>>)[name];
  }
  return found;
}

/** Zitadel sends roles as an object, by their names. */
function groupsIn(value: unknown): readonly string[] {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return textsOf(isObject ? Object.keys(value) : value);
}

function textsOf(value: unknown): readonly string[] {
  const list = Array.isArray(value) ? value.slice(0, MOST_GROUPS) : [value];
  return list.filter((one): one is string => typeof one === 'string' && one !== '');
}
