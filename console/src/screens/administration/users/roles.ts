import { t } from '../texts.ts';

const roles = {
  ROLE_ADMIN: /* t */ 'Administrator',
  ROLE_USER: /* t */ 'User',
  ROLE_DEMO_USER: /* t */ 'Demo user',
  ROLE_WEB_ONLY_USER: /* t */ 'User of the web pages',
  ROLE_INTERNAL_API_USER: /* t */ 'Internal API user',
} as const;

/** A role as people read it. */
export function roleName(role: string): string {
  return role in roles ? t(roles[role as keyof typeof roles]) : role;
}

/** The roles that an administrator gives. */
export const givenRoles = ['ROLE_USER', 'ROLE_ADMIN'] as const;
