import { OperationalError, type Outbound } from '@quire/registry';

/** A server that signs tokens, as the operator has named it. */
export interface Issuer {
  readonly issuer: string;
  /** Address of its keys; empty: as its metadata says. */
  readonly jwksUri: string;
  /** The settings that name both, for messages. */
  readonly setting: string;
  readonly keysSetting: string;
}

const FETCH_MS = 5000;
const LARGEST_ANSWER = 256 * 1024;

/**
 * Reads an address that is the operator's, or comes from the issuer, whom the operator trusts to name users. Redirects
 * are not followed.
 */
export function readPublic(outbound: Pick<Outbound, 'call'>, url: string, setting: string) {
  return outbound.call({
    url,
    field: setting,
    ofOperator: true,
    headers: { accept: 'application/json' },
    limits: { timeoutMs: FETCH_MS, maxBytes: LARGEST_ANSWER },
  });
}

/**
 * Returns `jwks_uri` of the issuer's metadata (OpenID Connect Discovery 1.0, 4; RFC 8414, 3). Throws SERVICE_NOT_SET_UP
 * when it answers and describes no keys, and the errors of `Outbound`.
 */
export async function discoverKeys(
  outbound: Pick<Outbound, 'call'>,
  { issuer, setting, keysSetting }: Omit<Issuer, 'jwksUri'>,
): Promise<string> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const places = [
    `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ];
  for (const place of places) {
    const { status, body } = await readPublic(outbound, place, setting);
    if (status >= 500) throw new Error(`${place} answers with status ${status}`);
    const uri = status === 200 ? keyAddress(body, issuer) : undefined;
    if (uri !== undefined) return uri;
  }
  throw new OperationalError('SERVICE_NOT_SET_UP', {
    service: 'The verification of access tokens',
    detail: `${issuer} (${setting}) describes no keys for this issuer; set ${keysSetting}`,
  });
}

/** Returns `jwks_uri` of metadata that is about this issuer (RFC 8414, 3.3); a slash at the end does not count. */
function keyAddress(body: Uint8Array, issuer: string): string | undefined {
  try {
    const metadata = JSON.parse(Buffer.from(body).toString('utf8')) as { issuer?: unknown; jwks_uri?: unknown } | null;
    const { issuer: named, jwks_uri: uri } = metadata ?? {};
    const isAboutIt = typeof named === 'string' && named.replace(/\/+$/, '') === issuer.replace(/\/+$/, '');
    return isAboutIt && typeof uri === 'string' && /^https?:/.test(uri) && URL.canParse(uri) ? uri : undefined;
  } catch {
    return undefined;
  }
}
