import type { Role } from '../../accounts/index.js';
import { builtInNames, INTERNAL_ROLE } from '../../roles/index.js';

/** The roles of every server; administrators make others. */
export const usualRoles: readonly Role[] = builtInNames.filter((role) => role !== INTERNAL_ROLE);

/** Returns a name as roles are written. */
export function asRole(name: unknown): Role {
  return String(name).toUpperCase();
}
