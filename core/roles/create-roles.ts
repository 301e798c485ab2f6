import type { Catalog } from '@quire/catalog';
import { tokens, type AccessGrants, type Endpoint, type SavedConnections, type Token } from '@quire/registry';
import { grantEndpoints } from './endpoints/grants.endpoint.js';
import type { RolePeople } from './endpoints/role-deps.js';
import { roleEndpoints } from './endpoints/roles.endpoint.js';
import type { Roles } from './roles.js';

/** The grants while login is off: none, and nobody needs one. */
export const noGrants: AccessGrants = { permissionOf: () => undefined, forget: async () => undefined };

export interface CreateRolesDeps {
  /** Undefined while login is off. */
  readonly login: { readonly roles: Roles; readonly accounts: RolePeople } | undefined;
  /** Called after the plugins are loaded. */
  catalog(): Catalog;
  /** Core's own endpoints; called after all of them are made. */
  ownEndpoints(): readonly Endpoint[];
  containers(): { use(plugin: undefined, token: Token<SavedConnections>): SavedConnections };
}

export interface RolesFeature {
  readonly endpoints: readonly Endpoint[];
}

/** Creates the endpoints of roles and access grants. */
export function createRoles({ login, catalog, ownEndpoints, containers }: CreateRolesDeps): RolesFeature {
  const deps = {
    roles: login?.roles,
    people: login?.accounts,
    operations: () => [...catalog().operations.keys()].sort(),
    areas: () => areasOf([...ownEndpoints(), ...catalog().endpoints.map(({ endpoint }) => endpoint)]),
    connectionExists: async (id: number) =>
      (await containers().use(undefined, tokens.savedConnections).exists?.(id)) ?? false,
  };
  return { endpoints: [...roleEndpoints(deps), ...grantEndpoints(deps)] };
}

/** The areas of administration are those that endpoints declare. */
function areasOf(endpoints: readonly Endpoint[]): string[] {
  const areas = new Set(endpoints.map(({ access }) => access?.area));
  return [...areas].filter((area) => area !== undefined).sort();
}
