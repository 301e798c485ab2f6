import type { Principal } from '@quire/registry';
import type { LoginServices } from '../accounts/index.js';
import type { Standing } from '../billing/index.js';
import type { Settings } from '../settings/index.js';
import { Guard, type MachineLogin, type RouteLogin } from './guard.js';

export interface CreateGuardDeps {
  readonly settings: Settings;
  readonly login: LoginServices | undefined;
  readonly machines: MachineLogin | undefined;
  /** Returns the numbers of a 402 answer in the hosted product. */
  readonly standingOf: (caller: Principal) => Promise<Standing>;
  readonly routeLogins: readonly RouteLogin[];
}

/** Returns the guard for the licence, the hosting and the login of the settings. */
export function createGuard({ settings, login, machines, standingOf, routeLogins }: CreateGuardDeps): Guard {
  const product = {
    tier: settings.get('licence.tier'),
    hosting: settings.get('hosting'),
    loginEnabled: login !== undefined,
  };
  return new Guard(product, login && { ...login, machines }, standingOf, routeLogins);
}
