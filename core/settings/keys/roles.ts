import type { KnownKey } from '../known-key.js';

/** Roles and access of new accounts. */
export const rolesKeys = [
  {
    path: 'security.defaultRole',
    type: 'string',
    default: 'ROLE_USER',
    acts: true,
    meaning:
      'role of accounts for which nobody chose one: invited, registered, or made at the first login with a provider; ' +
      'any role but ROLE_ADMIN (docs/guides/roles.md)',
  },
  {
    path: 'security.portal.defaultAccess',
    type: 'string',
    default: 'ADMINS_AND_TEAM_LEADS',
    allowed: ['ORG_ALL', 'ADMINS_AND_TEAM_LEADS', 'EXPLICIT_ONLY'],
    acts: true,
    meaning: 'who may use the portal without an access grant (portalAccess of the user object)',
  },
] as const satisfies readonly KnownKey[];
