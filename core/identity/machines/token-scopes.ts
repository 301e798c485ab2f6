import type { KeyScope } from '@quire/registry';

export interface ScopeRules {
  /** Scopes of the issuer, and a category, `all` or `read`. */
  readonly named: readonly (readonly [scope: string, grant: string])[];
  /** What a token may do that has no scope of this server. */
  readonly otherwise: 'nothing' | 'read' | 'all';
}

/** Scopes that need no entry in the settings: `quire:general`, `quire:all`, `quire:read`. */
const OWN = /^quire:([a-z][a-z0-9-]*)$/;
const MOST_SCOPES = 200;

/**
 * Returns the limits of a token with these scopes; undefined for none, `nothing` where it may do nothing. Scopes add
 * up; `read` beside a category adds nothing, since the limits of a key cannot say it.
 */
export function keyScopeOf(
  scopes: readonly string[],
  { named, otherwise }: ScopeRules,
): KeyScope | undefined | 'nothing' {
  const has = new Set(scopes);
  const own = scopes.flatMap((scope) => OWN.exec(scope)?.[1] ?? []);
  const grants = new Set([...own, ...named.filter(([scope]) => has.has(scope)).map(([, grant]) => grant)]);
  if (grants.size === 0 && otherwise === 'nothing') return 'nothing';
  if (grants.has('all') || (grants.size === 0 && otherwise === 'all')) return undefined;
  const categories = [...grants].filter((grant) => grant !== 'read').sort();
  return categories.length === 0 ? { readOnly: true } : { categories };
}

/**
 * Returns the scopes of a token: `scope` (RFC 9068, 2.2.3), `scp` of Entra ID and Okta, and `roles`, by which Entra ID
 * grants rights to services.
 */
export function scopesOf({ scope, scp, roles }: Readonly<Record<string, unknown>>): readonly string[] {
  return [scope, scp, roles]
    .flatMap((claim) =>
      typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? (claim as unknown[]) : [],
    )
    .filter((one): one is string => typeof one === 'string' && one !== '')
    .slice(0, MOST_SCOPES);
}
