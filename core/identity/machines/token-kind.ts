import type { VerifiedToken } from '../tokens/index.js';

/** Header types of tokens that may be access tokens: RFC 9068, 2.1, and what older issuers write. */
const TYPES: ReadonlySet<string> = new Set(['at+jwt', 'application/at+jwt', 'jwt', '']);
/** Claims of ID tokens, logout tokens and security events. */
const FOREIGN_CLAIMS = ['nonce', 'at_hash', 'c_hash', 's_hash', 'events'] as const;
/** Claims that access tokens have and ID tokens do not; the last two are those of Entra ID. */
const OWN_CLAIMS = ['scope', 'scp', 'client_id', 'appid', 'azpacr'] as const;

/**
 * Returns why a verified token is not an access token that a bearer may use; undefined if it is. An ID token is signed
 * by the same issuer, and its audience may be the same: whoever gets one must not become its user here.
 */
export function kindFault({ header, claims }: VerifiedToken, requireType: boolean): string | undefined {
  const type = (header.typ ?? '').toLowerCase();
  const isAccessToken = /^(application\/)?at\+jwt$/.test(type);
  if (!TYPES.has(type)) return `it is of the type ${plain(type)}, not an access token`;
  if (requireType && !isAccessToken) return 'its header does not say at+jwt';
  // Keycloak writes the kind into a claim.
  const kind = typeof claims['typ'] === 'string' ? claims['typ'].toLowerCase() : undefined;
  if (kind !== undefined && kind !== 'bearer') return `it is of the type ${plain(kind)}, not an access token`;
  if (!isAccessToken && kind === undefined) {
    const foreign = FOREIGN_CLAIMS.find((name) => claims[name] !== undefined);
    if (foreign !== undefined) return `it is not an access token: it has the claim ${foreign}`;
    if (OWN_CLAIMS.every((name) => claims[name] === undefined)) return 'nothing in it says that it is an access token';
  }
  // RFC 9449 and RFC 8705: only the holder of a key may use it, which is not checked here.
  return claims['cnf'] === undefined ? undefined : 'it is bound to a key of its client (cnf), which is not supported';
}

function plain(text: string): string {
  return text.slice(0, 40).replace(/[^a-z0-9+./-]/g, '?');
}
