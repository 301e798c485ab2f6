import type { Catalog } from '@quire/catalog';
import { AccessError, type Access, type Principal } from '@quire/registry';
import type { RightsCall, RightsHolder } from '../roles/index.js';
import type { CalledRoute } from './key-scope.js';
import { categoryOf } from './availability.js';

/** What roles and access grants include; answers from memory. */
export interface RoleRights {
  /** Returns what the caller lacks for a call, as a noun; undefined if nothing. */
  lack(holder: RightsHolder, access: Access | undefined, call: RightsCall): string | undefined;
  /** Whether the caller administers something. */
  administers(holder: RightsHolder): boolean;
  titleOf(role: string): string;
  /** Returns the path of the tool at a route, without `/api/v1/`; undefined for routes that are no tool. */
  toolOf(path: string): string | undefined;
}

/** Returns why the caller's role does not admit a call; undefined if it does. Call it only while login is on. */
export function roleFault(
  access: Access | undefined,
  principal: Principal,
  route: CalledRoute | undefined,
  rights: RoleRights | undefined,
): AccessError | undefined {
  const { role, roles: [name = ''] = [] } = principal;
  if (access?.role === 'public' || role === 'admin') return undefined;
  const isAdmin = access?.role === 'admin';
  if (rights === undefined || role === 'anonymous') return isAdmin ? new AccessError('ADMIN_ONLY') : undefined;
  const { method = '', changes, path = '' } = route ?? {};
  const what = rights.lack(principal, access, { method, changes, tool: rights.toolOf(path) });
  if (what === undefined) return undefined;
  if (isAdmin && !rights.administers(principal)) return new AccessError('ADMIN_ONLY');
  return new AccessError('RIGHTS_MISSING', { role: name, title: rights.titleOf(name), what });
}

/**
 * Returns the tools of the catalog by their route: operations, and the endpoints that plugins add to the categories of
 * operations for people.
 */
export function toolRoutes({
  operations,
  endpoints,
}: Pick<Catalog, 'operations' | 'endpoints'>): ReadonlyMap<string, string> {
  const categories = new Set([...operations.keys()].map(categoryOf));
  const own = endpoints.map(({ endpoint }) => endpoint);
  const forPeople = own.filter(
    ({ path, access }) => (access?.role ?? 'user') === 'user' && categories.has(categoryOf(path)),
  );
  return new Map([...operations.keys(), ...forPeople.map(({ path }) => path)].map((path) => [`/api/v1/${path}`, path]));
}
