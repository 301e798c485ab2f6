import type { Access, Principal } from '@quire/registry';
import { productFault, type Product } from '../billing/index.js';
import { scopeFault, type CalledRoute } from './key-scope.js';
import { roleFault, type RoleRights } from './role-rights.js';

/** Why a caller may not use something, for people; `off`: for nobody as long as login is off. */
export interface Refusal {
  readonly by: 'role' | 'licence' | 'off';
  /** A sentence. */
  readonly reason: string;
}

/** Returns why the guard would reject a call with this access by this caller; undefined if it would not. */
export function refusalOf(
  product: Product,
  access: Access | undefined,
  principal: Principal,
  route: CalledRoute,
  rights: RoleRights | undefined,
): Refusal | undefined {
  const fault = productFault(product, access);
  if (fault === 'LOGIN_REQUIRED') return { by: 'off', reason: 'It is available only while login is on.' };
  if (fault !== undefined) return { by: 'licence', reason: licenceReason(product, access) };
  const scope = scopeFault(principal.scope, route);
  if (scope !== undefined) return { by: 'role', reason: `This API key may not use it: ${scope}.` };
  if (!product.loginEnabled) return undefined;
  const role = roleFault(access, principal, route, rights);
  if (role !== undefined)
    return { by: 'role', reason: role.code === 'ADMIN_ONLY' ? 'Only administrators can use it.' : role.message };
  return access?.needsSession === true && principal.via !== 'session'
    ? { by: 'role', reason: 'It needs a session; an API key is not enough.' }
    : undefined;
}

function licenceReason({ hosting }: Product, access: Access | undefined): string {
  if (access?.hosting !== undefined && access.hosting !== 'any' && access.hosting !== hosting)
    return `It is available only ${access.hosting === 'cloud' ? 'in the hosted product' : 'on servers of your own'}.`;
  return `It needs the ${access?.licence ?? 'free'} licence.`;
}
