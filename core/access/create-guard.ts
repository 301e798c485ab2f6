import type { Principal } from '@quire/registry';
import type { LoginServices } from '../accounts/index.js';
import type { Standing } from '../billing/index.js';
import type { Settings } from '../settings/index.js';
import { Guard, type MachineLogin, type RouteLogin } from './guard.js';
import { toolRoutes, type RoleRights } from './role-rights.js';
import type { Catalog } from '@quire/catalog';

export interface CreateGuardDeps {
  readonly settings: Settings;
  readonly login: LoginServices | undefined;
  readonly machines: MachineLogin | undefined;
  /** Returns the numbers of a 402 answer in the hosted product. */
  readonly standingOf: (caller: Principal) => Promise<Standing>;
  readonly routeLogins: readonly RouteLogin[];
  /** Called after the plugins are loaded. */
  catalog(): Catalog;
}

/** Returns the guard for the licence, the hosting and the login of the settings. */
export function createGuard(deps: CreateGuardDeps): Guard {
  const { settings, login, machines, standingOf, routeLogins, catalog } = deps;
  const product = {
    tier: settings.get('licence.tier'),
    hosting: settings.get('hosting'),
    loginEnabled: login !== undefined,
  };
  return new Guard(
    product,
    login && { ...login, machines },
    standingOf,
    routeLogins,
    login && rightsOf(login, catalog),
  );
}

function rightsOf({ roles }: LoginServices, catalog: CreateGuardDeps['catalog']): RoleRights {
  let tools: ReadonlyMap<string, string> | undefined;
  return {
    lack: (holder, access, call) => roles.lack(holder, access, call),
    administers: (holder) => roles.rightsOf(holder).areas?.length !== 0,
    titleOf: (role) => roles.titleOf(role),
    toolOf: (path) => (tools ??= toolRoutes(catalog())).get(path),
  };
}
