export type { RightsHolder } from './effective-rights.js';
export type { GrantKey, GrantRecord } from './grants.js';
export { ADMIN_ROLE, builtInNames, INTERNAL_ROLE, ROLE_NAME, type Rights, type Role } from './model.js';
export { ownRights, ownRightsWire } from './endpoints/role-shapes.js';
export { permits, type RightsCall } from './rights.js';
export { type PortalDefault, Roles } from './roles.js';
