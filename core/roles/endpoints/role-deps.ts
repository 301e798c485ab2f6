import { AccessError } from '@quire/registry';
import type { Roles } from '../roles.js';

/** The accounts and teams that roles and grants belong to. */
export interface RolePeople {
  countByRole(): Promise<ReadonlyMap<string, number>>;
  byId(id: string): Promise<{ readonly id: string; readonly role: string; readonly teamId: string | null } | undefined>;
  readonly teams: { byId(id: string): Promise<unknown>; readonly internalId: string };
}

export interface RoleEndpointDeps {
  /** Undefined while login is off. */
  readonly roles: Roles | undefined;
  readonly people: RolePeople | undefined;
  /** Paths of all operations. */
  operations(): readonly string[];
  /** Areas of administration. */
  areas(): readonly string[];
  connectionExists(id: number): Promise<boolean>;
}

/** Access of the endpoints of roles and grants. */
export const roleAdmins = { role: 'admin', needsLogin: true, area: 'roles' } as const;
/** Error codes of all of them. */
export const roleCodes = ['KEY_INVALID', 'LOGIN_REQUIRED', 'ADMIN_ONLY', 'STORE_DOWN'] as const;

/** Throws LOGIN_REQUIRED while login is off; normally the guard has refused the call before. */
export function rolesOf({ roles }: RoleEndpointDeps): Roles {
  if (roles === undefined) throw new AccessError('LOGIN_REQUIRED');
  return roles;
}

/** As `rolesOf`. */
export function peopleOf({ people }: RoleEndpointDeps): RolePeople {
  if (people === undefined) throw new AccessError('LOGIN_REQUIRED');
  return people;
}
