import { INTERNAL_ROLE, roles, type Role } from '../../accounts/index.js';

/** The roles that accounts can get. */
export const assignableRoles: readonly Role[] = roles.filter((role) => role !== INTERNAL_ROLE);

/** Returns the role of a name, without regard to case. */
export function assignableRole(name: unknown): Role | undefined {
  return assignableRoles.find((role) => role === String(name).toUpperCase());
}
