export type { RightsHolder } from './effective-rights.js';
export { ADMIN_ROLE, builtInNames, INTERNAL_ROLE, ROLE_NAME, type RoleLimits } from './model.js';
export { ownRights, ownRightsWire } from './endpoints/role-shapes.js';
export type { RightsCall } from './rights.js';
export { type PortalDefault, Roles } from './roles.js';
