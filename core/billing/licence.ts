import { AccessError, type Access, type ErrorData } from '@quire/registry';

/** Licence and hosting (settings `licence.tier`, `hosting`, `security.enableLogin`). */
export interface Product {
  readonly tier: Tier;
  readonly hosting: 'selfHosted' | 'cloud';
  readonly loginEnabled: boolean;
}

/** Licences, lowest first. Existing clients call them NORMAL, SERVER and ENTERPRISE. */
export const tiers = ['free', 'team', 'enterprise'] as const;
export type Tier = (typeof tiers)[number];

/** Units that an account on the cloud has used and may use; members of its 402 answers. */
export interface Standing extends ErrorData {
  readonly subscribed: boolean;
  /** `LIMIT` once nothing is left, else `ACTIVE`. */
  readonly state: string;
  readonly spendUnits: number;
}

/** Returns true when the licence is at least the needed one. */
export function hasLicence(tier: Tier, needed: Tier | undefined): boolean {
  return needed === undefined || tiers.indexOf(tier) >= tiers.indexOf(needed);
}

/**
 * What this product does not have of a declared access; undefined when it has everything. The caller plays no part:
 * - LOGIN_REQUIRED (404): exists only while login is on (spec 5, rule 8).
 * - LICENCE_REQUIRED (404): other hosting; or a licence below the needed one, self-hosted (spec 7;
 *   `docs/interface/platform.yml`, licence tiers).
 * - LICENCE_TOO_LOW (403): the same, where the access declares `licenceRefusal: 403`.
 * - FEATURE_DEGRADED (402): a licence below the needed one on the cloud, where it is a plan
 *   (`docs/interface/platform.yml`, usage allowance answers);
 *   not where the access declares `licenceRefusal: 404`, which holds on every hosting (spec 7, /actuator).
 */
export function productFault(
  product: Product,
  access: Access | undefined,
): 'LOGIN_REQUIRED' | 'LICENCE_REQUIRED' | 'LICENCE_TOO_LOW' | 'FEATURE_DEGRADED' | undefined {
  if (access?.needsLogin === true && !product.loginEnabled) return 'LOGIN_REQUIRED';
  if (access?.hosting !== undefined && access.hosting !== 'any' && access.hosting !== product.hosting)
    return 'LICENCE_REQUIRED';
  if (hasLicence(product.tier, access?.licence)) return undefined;
  if (product.hosting === 'cloud' && access?.licenceRefusal !== 404) return 'FEATURE_DEGRADED';
  return access?.licenceRefusal === 403 ? 'LICENCE_TOO_LOW' : 'LICENCE_REQUIRED';
}

/**
 * Throws the AccessError of `productFault`. Call it after the caller is recognised: without credentials the answer is
 * 401 whatever the licence (`docs/interface/platform.yml`, /actuator/prometheus). `standingOf` returns the numbers of
 * the 402 answer and is called only then.
 */
export async function checkProduct(
  product: Product,
  access: Access | undefined,
  standingOf?: () => Promise<Standing>,
): Promise<void> {
  const fault = productFault(product, access);
  if (fault === undefined) return;
  if (fault === 'FEATURE_DEGRADED')
    throw new AccessError(fault, { gates: `licence.${access?.licence ?? 'free'}`, ...(await standingOf?.()) });
  throw new AccessError(fault, { licence: access?.licence ?? 'free' });
}

/** Names of the tiers in existing clients (`licenseType`). */
export const licenceNames = { free: 'NORMAL', team: 'SERVER', enterprise: 'ENTERPRISE' } as const;
