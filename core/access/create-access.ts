import type { Clock, Logger, Principal } from '@quire/registry';
import { Guard } from './guard.js';
import { openAccounts, type PasswordCost } from '../accounts/index.js';
import { openLogin, type LoginRooms } from './login-services.js';
import { type Product, type Standing } from '../billing/index.js';
import { type ServerSecret } from '../secrets/index.js';
import type { Settings } from '../settings/index.js';
import type { Store } from '../store/index.js';

/** The guard, and behind it what exists only while login is on. */
export interface AccessRooms {
  readonly guard: Guard;
  readonly login: LoginRooms | undefined;
}

/** What access is made of. */
export interface AccessParts {
  readonly settings: Settings;
  readonly store: Store;
  readonly secret: ServerSecret;
  readonly clock: Clock;
  readonly log: Logger;
  /** Shows the operator the first administrator's password, once. */
  readonly announce: (text: string) => void;
  /** Cost of a password's hash; lower in tests. */
  readonly passwordCost: PasswordCost | undefined;
  /** Numbers of a 402 on the cloud. */
  readonly standingOf: (caller: Principal) => Promise<Standing>;
}

/** Opens accounts, keys and sessions while login is on; with login off no record of theirs is touched. */
export async function createAccess({
  settings,
  store,
  secret,
  clock,
  log,
  announce,
  passwordCost,
  standingOf,
}: AccessParts): Promise<AccessRooms> {
  const product: Product = {
    tier: settings.get('licence.tier'),
    hosting: settings.get('hosting'),
    loginEnabled: settings.get('security.enableLogin'),
  };
  if (!product.loginEnabled) return { guard: new Guard(product, undefined, standingOf), login: undefined };
  const globalKey = settings.get('security.customGlobalAPIKey');
  const accounts = await openAccounts({
    store,
    secret,
    clock,
    log,
    announce,
    passwordCost,
    cap: { tier: product.tier, maxUsers: settings.get('premium.maxUsers') },
    lock: {
      attempts: settings.get('security.loginAttemptCount'),
      minutes: settings.get('security.loginResetTimeMinutes'),
    },
    firstStart: {
      username: settings.get('security.initialLogin.username'),
      password: settings.get('security.initialLogin.password'),
      globalKey: globalKey !== '',
    },
    issuer: settings.get('ui.appNameNavbar') || 'Quire',
  });
  const login = openLogin({
    store,
    accounts,
    secret,
    clock,
    log,
    globalKey,
    sessions: {
      expiryMinutes: settings.get('security.jwt.tokenExpiryMinutes'),
      desktopExpiryMinutes: settings.get('security.jwt.desktopTokenExpiryMinutes'),
      clockSkewSeconds: settings.get('security.jwt.allowedClockSkewSeconds'),
      refreshGraceMinutes: settings.get('security.jwt.refreshGraceMinutes'),
      keepKeys: settings.get('security.jwt.enableKeystore'),
      cleanUpKeys: settings.get('security.jwt.enableKeyCleanup'),
    },
  });
  return { guard: new Guard(product, login, standingOf), login };
}
