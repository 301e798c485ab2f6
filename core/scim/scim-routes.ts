import { SCIM_PATH } from './scim-call.js';

/** Paths of the routes below `/scim/v2`; all need the token of SCIM. */
export const paths = {
  users: `${SCIM_PATH}/Users`,
  user: `${SCIM_PATH}/Users/{id}`,
  searchUsers: `${SCIM_PATH}/Users/.search`,
  groups: `${SCIM_PATH}/Groups`,
  group: `${SCIM_PATH}/Groups/{id}`,
  searchGroups: `${SCIM_PATH}/Groups/.search`,
  search: `${SCIM_PATH}/.search`,
  bulk: `${SCIM_PATH}/Bulk`,
  me: `${SCIM_PATH}/Me`,
  configuration: `${SCIM_PATH}/ServiceProviderConfig`,
  resourceTypes: `${SCIM_PATH}/ResourceTypes`,
  resourceType: `${SCIM_PATH}/ResourceTypes/{id}`,
  schemas: `${SCIM_PATH}/Schemas`,
  schema: `${SCIM_PATH}/Schemas/{id}`,
} as const;

export const scimRoutes: readonly string[] = Object.values(paths);
